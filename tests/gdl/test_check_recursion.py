from __future__ import annotations

import pytest

from tests.gdl.sheets import SOUND, codes, errors, marked, problems


@pytest.mark.parametrize(
    ("rules", "place"),
    [
        ("(<= p (not p)) (<= terminal p)", "p"),
        ("(<= p (not q)) (<= q p) (<= terminal p)", "q"),
        ("(<= (p ?x) (role ?x) (not (q ?x))) (<= (q ?x) (p ?x)) (<= terminal (p white))", "(q ?x)"),
        ("(<= terminal (or (true (step 1)) (not terminal)))", "terminal"),
    ],
)
def test_negation_of_itself_is_an_error(rules: str, place: str) -> None:
    assert marked(SOUND + rules, "GDL301") == [place]
    assert "GDL302" not in codes(SOUND + rules)


def test_goal_by_negation_of_another_goal_is_a_warning() -> None:
    text = SOUND + "(<= (goal white 50) (not (goal white 0)))"
    assert marked(text, "GDL302") == ["(goal white 0)"]
    assert errors(text) == set()


def test_negation_without_a_cycle_is_fine() -> None:
    assert codes(SOUND + "(<= p (not q)) (<= q (role white)) (<= terminal p)") == set()


def test_each_cycle_is_judged_on_its_own() -> None:
    text = SOUND + "(<= p (not p)) (<= terminal p) (<= (goal white 50) (not (goal white 0)))"
    assert {"GDL301", "GDL302"} <= codes(text)


def test_transitive_closure_over_itself_is_a_warning() -> None:
    text = SOUND + "(<= (succ ?x ?z) (succ ?x ?y) (succ ?y ?z))"
    assert marked(text, "GDL303") == ["(succ ?x ?y)", "(succ ?y ?z)"]
    assert errors(text) == set()


def test_recursion_that_steps_outside_is_fine() -> None:
    less = "(<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (less ?x ?y) (succ ?y ?z))"
    text = SOUND + less + "(<= terminal (less 5 6))"
    assert codes(text) == set()


@pytest.mark.parametrize(
    "rules",
    [
        "(<= (num (s ?x)) (num ?x))",
        "(<= (num (s ?x)) (even ?x)) (<= (even ?x) (num ?x))",
        "(<= (num (s ?x)) (even (s ?x))) (<= (even (s (s ?x))) (num ?x))",
        "(<= (num (s ?x)) (num ?y) (num ?x) (role ?y))",
    ],
)
def test_recursion_that_builds_ever_larger_terms_is_an_error(rules: str) -> None:
    assert "GDL304" in errors(SOUND + "(num 0) (even 0) (<= terminal (num 1) (even 1))" + rules)


@pytest.mark.parametrize(
    "rules",
    [
        "(<= (num (s ?x)) (num ?x) (succ ?x ?y))",
        "(<= (num (s ?x)) (num ?x) (small (s ?x))) (small (s 0))",
        "(<= (num ?x) (even (s ?x))) (<= (even (s ?x)) (num ?x))",
    ],
)
def test_recursion_that_is_bounded_is_no_error(rules: str) -> None:
    text = SOUND + "(num 0) (even 0) (<= terminal (num 1) (even 1))" + rules
    assert errors(text) == set()


def test_too_many_alternatives_are_an_error() -> None:
    alternatives = " ".join("(or (true (step 0)) (true (step 1)))" for _ in range(13))
    rule = f"(<= terminal {alternatives})"
    assert marked(SOUND + rule, "GDL320") == [rule]


@pytest.mark.parametrize(
    "condition",
    [
        " ".join(f"(not (distinct ?x{i} (f ?x{i + 1} ?x{i + 1})))" for i in range(40)),
        " ".join(f"(not (distinct ?x{i} ?x{i + 1}))" for i in range(2000)),
        "(not (or " + " ".join(f"(distinct ?x{i} (f ?x{i + 1}))" for i in range(2000)) + "))",
        f"(distinct (h {' '.join(f'?x{i}' for i in range(40))}) "
        f"(h {' '.join(f'(f ?x{i + 1} ?x{i + 1})' for i in range(40))}))",
    ],
)
def test_comparisons_that_explode_are_an_error(condition: str) -> None:
    rule = f"(<= terminal (true (step ?x0)) {condition})"
    assert marked(SOUND + rule, "GDL321") == [rule]


def test_too_many_clauses_are_an_error() -> None:
    alternatives = " ".join("(or (true (step 0)) (true (step 1)))" for _ in range(12))
    text = SOUND + f"(<= terminal {alternatives})" * 5
    assert len(marked(text, "GDL322")) == 1


def test_problem_of_a_negative_cycle_names_the_rule() -> None:
    found = problems(SOUND + "(<= terminal (not terminal))")
    assert found[0].message == "terminal depends on its own negation through (not terminal)"
