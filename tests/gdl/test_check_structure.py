from __future__ import annotations

import pytest

from ludens.gdl.source import Level
from tests.gdl.sheets import SOUND, codes, errors, marked, problems


def without(*beginnings: str) -> str:
    lines = SOUND.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(beginnings))


@pytest.mark.parametrize(
    ("missing", "code"),
    [
        (("(role",), "GDL201"),
        (("(<= (legal",), "GDL202"),
        (("(<= (goal",), "GDL203"),
        (("(<= terminal",), "GDL204"),
        (("(init",), "GDL205"),
        (("(<= (next",), "GDL206"),
    ],
)
def test_missing_relation_is_reported_without_a_place(missing: tuple[str, ...], code: str) -> None:
    assert marked(without(*missing), code) == [""]
    assert code not in codes(SOUND)


def test_empty_sheet_lacks_everything() -> None:
    assert codes("") == {"GDL201", "GDL202", "GDL203", "GDL204", "GDL205", "GDL206"}


def test_no_init_and_no_next_are_warnings() -> None:
    assert errors(without("(init", "(<= (next")) == set()


def test_role_without_legal_rule_is_an_error_at_the_role() -> None:
    text = without("(<= (legal") + "(legal white wait)"
    assert marked(text, "GDL207") == ["(role black)"]
    assert "GDL207" not in codes(text + "(<= (legal ?p wait) (role ?p))")


def test_role_without_goal_rule_is_an_error_at_the_role() -> None:
    text = without("(<= (goal") + "(goal white 100)"
    assert marked(text, "GDL208") == ["(role black)"]


def test_chance_needs_legal_moves_but_no_goal() -> None:
    text = without("(<= (goal", "(<= (legal") + "(role random) (goal white 100) (goal black 0)"
    text += "(legal white wait) (legal black wait)"
    assert marked(text, "GDL207") == ["(role random)"]
    assert "GDL208" not in codes(text)


@pytest.mark.parametrize("value", ["101", "-1", "50.5", "high", "(plus 1 2)", "9" * 5000])
def test_goal_value_that_is_no_integer_up_to_100_is_an_error(value: str) -> None:
    assert "GDL209" in errors(SOUND + f"(<= (goal white {value}) terminal)")


@pytest.mark.parametrize("value", ["0", "100", "007"])
def test_goal_value_from_0_to_100_is_fine(value: str) -> None:
    assert codes(SOUND + f"(<= (goal white {value}) terminal)") == set()


def test_computed_goal_value_is_fine() -> None:
    assert codes(SOUND + "(<= (goal white ?n) (succ ?m ?n) (true (step ?m)))") == set()


def test_variable_in_a_fact_is_marked() -> None:
    assert marked(SOUND + "(succ 2 ?next)", "GDL211") == ["?next"]
    assert "GDL211" in codes(SOUND + "(<= (succ 2 ?next))")
    assert "GDL210" not in codes(SOUND + "(succ 2 ?next)")


def test_derived_role_is_an_error() -> None:
    assert marked(SOUND + "(<= (role ?p) (other ?p white))", "GDL220") == ["(role ?p)"]


@pytest.mark.parametrize("wrong", ["(true (step 1))", "(does white wait)", "(<= (true (step 1)) terminal)"])
def test_state_and_moves_cannot_be_stated(wrong: str) -> None:
    assert "GDL221" in errors(SOUND + wrong)


@pytest.mark.parametrize("atom", ["(init (step 0))", "(next (step 0))", "(base (step 0))", "(input white wait)"])
def test_answers_cannot_be_conditions(atom: str) -> None:
    assert marked(SOUND + f"(<= terminal (not {atom}))", "GDL222") == [atom]


def test_legal_goal_and_terminal_may_be_conditions() -> None:
    text = (
        SOUND
        + """
        (<= stuck (not (legal white wait)))
        (<= (goal white 1) stuck terminal (not (goal black 50)))
        (<= (goal black 50) terminal (legal black (add 7)))
    """
    )
    assert errors(text) == set()


@pytest.mark.parametrize("head", ["(init (step ?x))", "(base (step ?x))", "(input white (add ?x))"])
@pytest.mark.parametrize("condition", ["(true (step ?x))", "(does ?p (add ?x))"])
def test_what_is_known_before_the_game_cannot_depend_on_it(head: str, condition: str) -> None:
    assert marked(SOUND + f"(<= {head} {condition})", "GDL223") == [condition]


def test_indirect_dependence_is_told_with_its_way() -> None:
    text = SOUND + "(<= (init (step 9)) a) (<= a (not b)) (<= b (true (step 1)))"
    (problem,) = (problem for problem in problems(text) if problem.code == "GDL223")
    assert problem.message == "'init' must not depend on 'true', as it does here through 'a' and 'b'"


@pytest.mark.parametrize("head", ["(legal white (add ?x))", "(goal white ?x)", "terminal"])
def test_what_is_known_before_the_move_cannot_depend_on_it(head: str) -> None:
    text = SOUND + f"(<= {head} (done ?x)) (<= (done ?x) (does ?p (add ?x)))"
    assert marked(text, "GDL224") == ["(done ?x)"]


def test_next_and_sees_may_depend_on_moves() -> None:
    assert errors(SOUND + "(<= (sees ?p ?m) (does ?q ?m) (true (control ?p)))") == set()


def test_undefined_relation_is_a_warning_once() -> None:
    text = SOUND + "(<= terminal (sucr 1 2)) (<= terminal (not (sucr 2 1)))"
    assert marked(text, "GDL230") == ["(sucr 1 2)"]
    assert errors(text) == set()


def test_relation_with_empty_parentheses_is_another_than_without() -> None:
    text = SOUND + "(<= (late) (true (step 1))) (<= terminal late)"
    assert marked(text, "GDL230") == ["late"]
    assert marked(text, "GDL231") == ["(late)"]


def test_unused_relation_is_a_warning_once() -> None:
    assert marked(SOUND + "(spare 1) (spare 2)", "GDL231") == ["(spare 1)"]


def test_answers_for_others_are_never_unused() -> None:
    text = (
        SOUND
        + """
        (base (control white)) (base (control black)) (input white wait) (percept white it)
        (<= (sees white it) (true (step 1)))
    """
    )
    assert codes(text) == set()


def test_fluent_that_never_becomes_true_is_a_warning() -> None:
    assert marked(SOUND + "(<= terminal (true (stp 2)))", "GDL232") == ["(true (stp 2))"]


def test_nothing_is_said_about_fluents_if_next_makes_any_term_true() -> None:
    text = SOUND + "(<= (next ?f) (true ?f)) (<= terminal (true (stp 2)))"
    assert "GDL232" not in codes(text)


def test_move_that_is_never_legal_is_a_warning() -> None:
    assert marked(SOUND + "(<= (next (step 0)) (does ?p (ad 1)))", "GDL233") == ["(does ?p (ad 1))"]


@pytest.mark.parametrize(
    "condition",
    ["(not (distinct ?p black))", "(not (or (role ?p) terminal))", "(not (not (role ?p)))"],
)
def test_not_before_something_else_than_a_relation_is_a_warning(condition: str) -> None:
    text = SOUND + f"(<= (goal ?p 1) (role ?p) {condition})"
    assert marked(text, "GDL240") == [condition]
    assert "GDL240" not in codes(SOUND + "(<= (goal ?p 1) (role ?p) (not (other ?p black)))")


def test_and_is_a_warning() -> None:
    condition = "(and (true (step 1)) (true (control white)))"
    assert marked(SOUND + f"(<= terminal (or {condition} (true (step 2))))", "GDL241") == [condition]


def test_or_directly_in_or_is_a_warning() -> None:
    inner = "(or (true (step 1)) (true (step 2)))"
    assert marked(SOUND + f"(<= terminal (or (true (step 0)) {inner}))", "GDL242") == [inner]
    assert codes(SOUND + f"(<= terminal {inner} {inner})") == set()


@pytest.mark.parametrize("condition", ["(distinct a a)", "(not (distinct a b))", "(or)"])
def test_rule_that_never_applies_is_a_warning(condition: str) -> None:
    rule = f"(<= terminal (true (step 1)) {condition})"
    assert marked(SOUND + rule, "GDL243") == [rule]


def test_problems_come_in_the_order_of_the_text() -> None:
    text = SOUND + "(<= terminal (not a)) (spare 1) (goal white 200) (<= terminal (true b))"
    starts = [problem.span.start for problem in problems(text) if problem.span is not None]
    assert len(starts) > 3
    assert starts == sorted(starts)


def test_warnings_of_the_reader_come_first() -> None:
    found = problems("(role WHITE) (role black)" + SOUND)
    assert [problem.code for problem in found][:2] == ["GDL010", "GDL010"]
    assert found[0].level is Level.WARNING
