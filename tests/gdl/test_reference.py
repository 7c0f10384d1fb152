from __future__ import annotations

import copy
import pickle
from random import Random

import pytest

from ludens.core import Answer, GameError, IllegalMoveError, joint_moves
from ludens.gdl.read import read_rules
from ludens.gdl.reference import Budget, ReferenceGame
from ludens.gdl.rules import Rule
from ludens.gdl.source import GdlError
from ludens.gdl.write import kif, write_infix
from tests.gdl.reasoner import WAYS, legal, load

pytestmark = pytest.mark.usefixtures("each_reasoner")

# -- what rules mean ----------------------------------------------------------------------------------------------

CHAIN = "(e a b) (e b c) (e c d)"
ALL_PAIRS = "(t a b) (t a c) (t a d) (t b c) (t b d) (t c d)"


@WAYS
@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        # transitive closure, written in each way that people write it
        ("(<= (t ?x ?y) (e ?x ?y)) (<= (t ?x ?y) (e ?x ?z) (t ?z ?y))", ALL_PAIRS),
        ("(<= (t ?x ?y) (t ?x ?z) (e ?z ?y)) (<= (t ?x ?y) (e ?x ?y))", ALL_PAIRS),
        ("(<= (t ?x ?y) (t ?x ?z) (t ?z ?y)) (<= (t ?x ?y) (e ?x ?y))", ALL_PAIRS),
        ("(<= (t ?x ?y) (or (e ?x ?y) (and (e ?x ?z) (t ?z ?y))))", ALL_PAIRS),
        # a cycle in the facts
        (
            "(e d a) (<= (c ?x ?y) (e ?x ?y)) (<= (c ?x ?y) (c ?x ?z) (e ?z ?y)) (<= (t ?x) (c ?x ?x) (not (c ?x z)))",
            "(t a) (t b) (t c) (t d)",
        ),
        # mutual recursion, with arguments the other way round too
        (
            "(even a) (<= (even ?y) (odd ?x) (e ?x ?y)) (<= (odd ?y) (even ?x) (e ?x ?y)) (<= (t ?x) (odd ?x))",
            "(t b) (t d)",
        ),
        (
            "(<= (t ?x ?y) (e ?x ?y)) (<= (t ?x ?y) (u ?y ?x)) (<= (u ?x ?y) (t ?x ?y))",
            "(t a b) (t b a) (t b c) (t c b) (t c d) (t d c)",
        ),
        # same generation
        (
            "(up k a) (up l a) (up m b) (up n b) (flat a b) (<= (t ?x ?y) (flat ?x ?y)) "
            "(<= (t ?x ?y) (up ?x ?v) (t ?v ?w) (up ?y ?w))",
            "(t a b) (t k m) (t k n) (t l m) (t l n)",
        ),
        # rules that say nothing, and rules without ground to stand on
        ("(<= (t ?x) (t ?x)) (<= (u ?x) (v ?x)) (<= (v ?x) (u ?x))", ""),
        ("(<= (t ?x) (nowhere ?x))", ""),
        ("(<= (t ?x) (e ?x ?y) (not (nowhere ?x)))", "(t a) (t b) (t c)"),
        # negation, also of what is derived by recursion
        (
            "(<= (c ?x ?y) (e ?x ?y)) (<= (c ?x ?y) (e ?x ?z) (c ?z ?y)) "
            "(<= (t ?x ?y) (e ?x ?w) (e ?v ?y) (not (c ?x ?y)))",
            "(t b b) (t c b) (t c c)",
        ),
        ("(<= (has ?x) (e ?x ?y)) (<= (t ?y) (e ?x ?y) (not (has ?y)))", "(t d)"),
        ("(<= (t ?x) (e ?x ?y) (not (not (e ?y d))))", "(t b)"),
        (
            "(<= (t ?x ?y) (e ?x ?z) (e ?y ?w) (not (or (e ?x ?y) (e ?y ?x) (distinct ?z ?z) (e ?y d))))",
            "(t a a) (t b b) (t c a)",
        ),
        ("(<= (t ?x) (e ?x ?y) (not (and (e ?x b) (e ?y c))))", "(t b) (t c)"),
        # distinct and its negation
        ("(<= (t ?x ?y) (e ?x ?z) (e ?y ?w) (distinct ?x ?y) (distinct ?x c) (distinct ?y c))", "(t a b) (t b a)"),
        ("(<= (t ?x ?y) (e ?x ?z) (e ?y ?w) (not (distinct ?x ?y)))", "(t a a) (t b b) (t c c)"),
        ("(<= (t ?x ?y) (e ?x ?z) (not (distinct ?y (f ?x ?z))) (not (distinct ?x b)))", "(t b (f b c))"),
        ("(<= (t ?x) (e ?x ?y) (not (distinct (f ?x) (g ?y))))", ""),
        ("(<= (t ?x) (not (distinct ?x k)))", "(t k)"),
        ("(<= (t ?x) (distinct ?x c) (e ?x ?y))", "(t a) (t b)"),
        # function terms
        ("(n z) (<= (t (s ?x)) (n ?x)) (<= (t (s (s ?x))) (n ?x))", "(t (s z)) (t (s (s z)))"),
        ("(m (p a (p b c))) (<= (t ?x ?y) (m (p ?x (p ?y ?z))))", "(t a b)"),
        ("(m (p a a)) (m (p a b)) (<= (t ?x) (m (p ?x ?x)))", "(t a)"),
        ("(m a) (m (f a)) (m (f (f a))) (m (g a)) (m (f a b)) (<= (t ?x) (m (f ?x)))", "(t a) (t (f a))"),
        (
            "(m (f (f (f a)))) (<= (m ?x) (m (f ?x))) (<= (t ?x) (m ?x))",
            "(t a) (t (f a)) (t (f (f a))) (t (f (f (f a))))",
        ),
        # a relation used with several numbers of arguments, and as a fluent and function at once
        (
            "(p a) (p a b) p (<= (t 1) p) (<= (t 2 ?x) (p ?x)) (<= (t 3 (p ?x)) (p ?y ?x)) (<= (t ?x) (t ?x ?y))",
            "(t 1) (t 2) (t 3) (t 2 a) (t 3 (p b))",
        ),
        ("open (<= (t 1) open) (<= (t 2) (open))", "(t 1)"),
        ("(open) (<= (t 1) open) (<= (t 2) (open))", "(t 2)"),
        # facts and rules for one relation
        ("(t k) (<= (t ?x) (e ?x b))", "(t a) (t k)"),
        ("(<= (t a)) (<= (t b) (and)) (<= (t c) (or)) (<= (t d) (not (or)))", "(t a) (t b) (t d)"),
        # the same variable name in different rules, in every case
        ("(<= (t ?X) (u ?x)) (<= (u ?x) (e ?y ?X) (e ?x ?Y2))", "(t b) (t c)"),
    ],
)
def test_rules_mean_what_they_say(way: Budget, rules: str, moves: str) -> None:
    observers = "(<= (legal r (t ?x)) (t ?x)) (<= (legal r (t ?x ?y)) (t ?x ?y))"
    found = legal(f"{CHAIN} {rules} {observers}", way)
    assert sorted(found) == sorted(kif(rule.head) for rule in read_rules(moves).rules)


@WAYS
def test_goal_may_be_the_negation_of_other_goal_values(way: Budget) -> None:
    game = load(
        """(role r) (role s) (init lost)
        (<= (goal ?p 100) (role ?p) (not (goal ?p 50)) (not (goal ?p 0)))
        (<= (goal ?p 50) (role ?p) (not (goal ?p 0)) (true draw))
        (<= (goal r 0) (true lost))
        (<= (goal s 0) (not (true lost)) (not (true draw)))""",
        way,
    )
    assert game.initial_state().goals == {"r": 0, "s": 100}
    assert game.state(["draw"]).goals == {"r": 50, "s": 50}
    assert game.state([]).goals == {"r": 100, "s": 0}


@WAYS
def test_recursion_over_the_state_starts_afresh_in_each_state(way: Budget) -> None:
    game = load(
        """(role r) (init (e a b)) (init (e b c))
        (<= (t ?x ?y) (true (e ?x ?y)))
        (<= (t ?x ?y) (t ?x ?z) (true (e ?z ?y)))
        (<= (legal r (link ?x ?y)) (t ?x ?y))
        (legal r noop)
        (<= (next (e ?y ?x)) (does r (link ?x ?y)))
        (<= (next (e ?x ?y)) (true (e ?x ?y)) (not (t c a)))""",
        way,
    )
    first = game.initial_state()
    second = first.play({"r": "(link a c)"})
    assert first.legal_moves("r") == ("noop", "(link a b)", "(link a c)", "(link b c)")
    assert second.facts == {("e", "a", "b"), ("e", "b", "c"), ("e", "c", "a")}
    assert len(second.legal_moves("r")) == 10
    assert second.play({"r": "(link b a)"}).facts == {("e", "a", "b")}
    assert first.play({"r": "noop"}) == first


@WAYS
def test_relations_that_depend_on_moves_are_derived_for_each_joint_move(way: Budget) -> None:
    game = load(
        """(role r) (role s) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 0)
        (<= (legal ?p (go ?x)) (role ?p) (succ ?x ?y))
        (<= (moved ?p ?x) (does ?p (go ?x)))
        (<= clash (moved r ?x) (moved s ?x))
        (<= (next (at ?y)) (not clash) (moved r ?x) (succ ?x ?y))
        (<= (next (at ?x)) clash (true (at ?x)))
        (<= (next clashed) clash)""",
        way,
    )
    start = game.initial_state()
    results = {tuple(move.values()): start.play(move).facts for move in joint_moves(start)}
    assert len(results) == 9
    assert results["(go 0)", "(go 0)"] == {("at", "0"), "clashed"}
    assert results["(go 0)", "(go 1)"] == {("at", "1")}
    assert results["(go 2)", "(go 1)"] == {("at", "0")}
    assert {tuple(move.values()): start.play(move).facts for move in joint_moves(start)} == results


@WAYS
def test_what_is_asked_first_does_not_change_the_answers(way: Budget) -> None:
    game = load(
        """(role r) (init (p 1)) (init (p 2))
        (<= (q ?x) (true (p ?x)))
        (<= (legal r (take ?x)) (q ?x))
        (<= (next (p ?x)) (q ?x) (not (does r (take ?x))))
        (<= empty (not (some)))
        (<= (some) (q ?x))
        (<= terminal empty)
        (<= (goal r 100) empty)
        (<= (goal r 0) (not empty))""",
        way,
    )
    orders: list[list[str]] = [
        ["terminal", "goal", "legal", "play"],
        ["play", "legal", "goal", "terminal"],
        ["goal", "play"],
    ]
    for order in orders:
        state = game.state([("p", "1"), ("p", "2")])
        for question in order:
            match question:
                case "terminal":
                    assert not state.is_terminal
                case "goal":
                    assert state.goals == {"r": 0}
                case "legal":
                    assert state.legal_moves("r") == ("(take 1)", "(take 2)")
                case "play":
                    assert state.play({"r": "(take 2)"}).facts == {("p", "1")}
    assert game.state([]).is_terminal
    assert game.state([]).goals == {"r": 100}


def test_move_does_not_leak_into_relations_that_the_end_of_the_game_asks_for() -> None:
    # Asking for terminal must not spoil what next needs of the same relation once moves are known.
    game = load(
        """(role r) (legal r go) (legal r stay) (<= (moved ?x) (does r ?x))
        (<= terminal (moved never)) (<= (next ?x) (moved ?x))"""
    )
    state = game.initial_state()
    assert not state.is_terminal
    assert state.play({"r": "go"}).facts == {"go"}
    assert state.play({"r": "stay"}).facts == {"stay"}


@WAYS
def test_negated_literal_may_have_a_variable_of_its_own_wherever_it_stands(way: Budget) -> None:
    rules = "(q a) (q b) (p b c)"
    assert legal(f"{rules} (<= (legal r ?x) (q ?x) (not (p ?x ?y)))", way) == ["a"]
    assert legal(f"{rules} (<= (legal r yes) (q ?x) (not (p ?x ?y)))", way) == ["yes"]
    assert legal(f"{rules} (<= (legal r yes) (not (p ?x ?y)))", way) == []


# -- games: roles, states, moves, goals ---------------------------------------------------------------------------

NIM = """
(role Left) (role Right)
(init (heap 3)) (init (control Left))
(succ 0 1) (succ 1 2) (succ 2 3)
(minus ?n 0 ?n)
(<= (legal ?p (take ?n ?rest)) (true (control ?p)) (true (heap ?m)) (succ ?rest ?m) (one ?n))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(one 1)
(<= (next (heap ?rest)) (does ?p (take ?n ?rest)))
(<= (next (control ?q)) (true (control ?p)) (role ?q) (distinct ?p ?q))
(<= terminal (true (heap 0)))
(<= (goal ?p 100) (true (heap 0)) (role ?p) (not (true (control ?p))))
(<= (goal ?p 0) (true (heap 0)) (true (control ?p)))
""".replace("(minus ?n 0 ?n)\n", "")


@pytest.fixture
def nim() -> ReferenceGame:
    return load(NIM)


def test_game_is_played_to_its_end(nim: ReferenceGame) -> None:
    state = nim.initial_state()
    assert nim.roles == ("Left", "Right")
    assert nim.name == "test game"
    assert state.facts == {("heap", "3"), ("control", "Left")}
    for heap in ("2", "1", "0"):
        assert not state.is_terminal
        mover = "Left" if ("control", "Left") in state.facts else "Right"
        waiter = "Right" if mover == "Left" else "Left"
        assert state.legal_moves(mover) == (f"(take 1 {heap})",)
        assert state.legal_moves(waiter) == ("noop",)
        state = state.play({mover: f"(take 1 {heap})", waiter: "noop"})
    assert state.is_terminal
    assert state.legal_moves("Left") == state.legal_moves("Right") == ()
    assert state.goals == state.points == {"Left": 100, "Right": 0}


@pytest.mark.parametrize(
    "text",
    ["(take 1 2)", "(TAKE 1 2)", "( take\t1\n2 )", "take(1,2)", "take( 1 , 2 ).", "(take 1 2) ; the only one"],
)
def test_move_may_be_written_in_other_words(nim: ReferenceGame, text: str) -> None:
    after = nim.initial_state().play({"Left": text, "Right": " NoOp "})
    assert after.facts == {("heap", "2"), ("control", "Right")}


def test_move_with_odd_names_may_be_written_in_infix() -> None:
    game = load("(role r) (legal r X-ray) (legal r (Go Left-Up)) (<= (next ?m) (does r ?m))")
    state = game.initial_state()
    for move in state.legal_moves("r"):
        text = write_infix([Rule(move.term)]).strip().removesuffix(".")
        assert state.play({"r": text}).facts == {move.term}


@pytest.mark.parametrize(
    "text",
    [
        "(take 1 1)",
        "noop",
        "",
        "(take 1 2",
        ")",
        "take",
        "?x",
        "(take ?n 2)",
        "(take 1 2) (take 1 2)",
        "not",
        "(" * 3000,
    ],
)
def test_other_moves_are_illegal(nim: ReferenceGame, text: str) -> None:
    with pytest.raises(IllegalMoveError):
        nim.initial_state().play({"Left": text, "Right": "noop"})


def test_joint_move_must_have_every_role(nim: ReferenceGame) -> None:
    with pytest.raises(IllegalMoveError, match="Right"):
        nim.initial_state().play({"Left": "(take 1 2)"})
    with pytest.raises(IllegalMoveError, match="Left"):
        nim.initial_state().play({"left": "(take 1 2)", "Right": "noop"})


def test_nothing_can_be_played_when_the_game_is_over(nim: ReferenceGame) -> None:
    over = nim.state([("heap", "0"), ("control", "Left")])
    with pytest.raises(IllegalMoveError):
        over.play({"Left": "(take 1 2)", "Right": "noop"})


def test_unknown_role_has_no_moves_and_no_goals(nim: ReferenceGame) -> None:
    state = nim.initial_state()
    assert state.legal_moves("nobody") == ()
    assert state.goal_values("nobody") == []


def test_states_with_the_same_facts_are_equal(nim: ReferenceGame) -> None:
    move = {"Left": "(take 1 2)", "Right": "noop"}
    first, second = nim.initial_state().play(move), nim.initial_state().play(move)
    built = nim.state([("control", "Right"), ("heap", "2"), ("heap", "2")])
    assert first == second == built
    assert len({first, second, built}) == 1
    assert first != nim.initial_state()
    assert first != "state"
    assert first != load(NIM).state(first.facts)


def test_playing_leaves_the_state_as_it_was(nim: ReferenceGame) -> None:
    state = nim.initial_state()
    facts, moves = state.facts, state.legal_moves("Left")
    state.play({"Left": "(take 1 2)", "Right": "noop"})
    assert (state.facts, state.legal_moves("Left")) == (facts, moves)


def test_state_shows_its_facts(nim: ReferenceGame) -> None:
    assert str(nim.initial_state()) == "(control Left)\n(heap 3)"


def test_moves_are_text_with_a_term(nim: ReferenceGame) -> None:
    [move] = nim.initial_state().legal_moves("Left")
    assert move == "(take 1 2)"
    assert move.term == ("take", "1", "2")
    assert hash(move) == hash("(take 1 2)")
    for other in (copy.copy(move), copy.deepcopy(move), pickle.loads(pickle.dumps(move))):
        assert (other, other.term) == (move, move.term)


def test_declared_fluents_are_those_of_base() -> None:
    game = load("(role r) (legal r go) (step 1) (step 2) (<= (base (counter ?n)) (step ?n)) (base lamp)")

    assert game.declared_fluents() == {("counter", "1"), ("counter", "2"), "lamp"}


def test_view_shows_everything(nim: ReferenceGame) -> None:
    state = nim.initial_state()
    view = state.view("Left")
    assert (view.game, view.role, view.legal_moves) == (nim, "Left", state.legal_moves("Left"))
    assert view.sample(Random(0)) is state


def test_facts_may_be_legal_moves_goals_and_the_end() -> None:
    game = load("(role r) (legal r b) (legal r a) (legal r (f 10)) (legal r (f 9)) (goal r 40) (next x)")
    state = game.initial_state()
    assert state.facts == frozenset()
    assert state.legal_moves("r") == ("a", "b", "(f 9)", "(f 10)")
    assert state.goals == {"r": 40}
    assert state.play({"r": "a"}).facts == {"x"}
    assert load("(role r) terminal (legal r a)").initial_state().is_terminal


def test_several_goal_values_and_none_count_as_zero() -> None:
    state = load("(role r) (role s) (role t) (goal r 100) (goal r 20) (goal t 30)").initial_state()
    assert state.goal_values("r") == [20, 100]
    assert state.goal_values("s") == []
    assert state.goals == {"r": 0, "s": 0, "t": 30}


def test_goal_that_is_no_number_is_no_goal() -> None:
    state = load("(role r) (goal r -5) (goal r lots) (goal r (f 1)) (goal r 1.5) (goal r (nil))").initial_state()
    assert state.goal_values("r") == []


@pytest.mark.parametrize("value", ["9" * 5000, "²", "①"])
def test_odd_numbers_as_goals_and_moves_break_nothing(value: str) -> None:
    state = load(f"(role r) (goal r {value}) (legal r {value})").initial_state()
    assert state.legal_moves("r") == (value,)
    assert state.goals["r"] in range(101)


def test_goals_stay_between_0_and_100() -> None:
    assert load("(role r) (goal r 1000)").initial_state().goals["r"] in range(101)


def test_roles_come_in_the_order_of_the_rules() -> None:
    assert load("(role zeta) (role alpha) (role (team 2)) (role zeta)").roles == ("zeta", "alpha", "(team 2)")


def test_roles_may_be_derived() -> None:
    game = load("(role z) (side 10) (side 9) (side (f x)) (side a) (<= (role ?s) (side ?s))")
    assert game.roles == ("z", "9", "10", "a", "(f x)")
    assert load("(side a) (<= (role ?s) (side ?s))").roles == ("a",)


def test_compound_roles_can_play() -> None:
    game = load("(role (team a)) (legal (team a) go) (<= (next (went ?r)) (does ?r go))")
    assert game.initial_state().play({"(team a)": "go"}).facts == {("went", ("team", "a"))}


def test_rules_without_a_role_are_no_game() -> None:
    with pytest.raises(GameError, match="no role"):
        load("(init a)")


def test_names_in_another_case_are_the_same_names() -> None:
    game = load(
        """(role White) (INIT (Cell A)) (<= (LEGAL white (Take ?X)) (True (cell ?x)))
        (<= (next (CELL b)) (does WHITE (take a)))"""
    )
    state = game.initial_state()
    assert state.legal_moves("White") == ("(Take A)",)
    assert state.play({"White": "(take a)"}).facts == {("Cell", "b")}


def test_infix_rules_make_the_same_game() -> None:
    text = write_infix(read_rules(NIM).rules)
    assert load(text).initial_state().legal_moves("Left") == ("(take 1 2)",)


@pytest.mark.parametrize("line", ["\r\n", "\n\n"])
def test_layout_of_the_rules_does_not_matter(line: str) -> None:
    assert load("\ufeff" + NIM.replace("\n", line)).initial_state().legal_moves("Left") == ("(take 1 2)",)


@pytest.mark.parametrize("quiet_turns", [0, 10, 30])
def test_game_with_a_choice_for_two_roles_at_once_is_simultaneous(quiet_turns: int) -> None:
    steps = " ".join(f"(succ {number} {number + 1})" for number in range(quiet_turns))
    game = load(
        f"""(role r) (role s) (init (step 0)) {steps}
        (<= (legal ?p noop) (role ?p))
        (<= (legal ?p extra) (role ?p) (true (step {quiet_turns})))
        (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
        (<= terminal (not (started)))
        (<= (started) (true (step ?x)))"""
    )
    assert game.facts.simultaneous.answer is Answer.YES


def test_game_with_turns_is_not_simultaneous(nim: ReferenceGame) -> None:
    assert nim.facts.simultaneous.answer is Answer.NO
    assert nim.deterministic


# -- rules that cannot be used ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "variable"),
    [
        ("(<= (legal r ?x) (true a))", "x"),
        ("(<= (legal r (f ?x ?y)) (q ?x))", "y"),
        ("(legal r ?x)", "x"),
        ("(q ?x)", "x"),
        ("(<= (legal r a) (distinct ?x a))", "x"),
        ("(<= (legal r a) (q ?x) (distinct ?x ?y))", "y"),
        ("(<= (legal r ?x) (not (q ?x)))", "x"),
        ("(<= (legal r ?x) (or (q ?x) (true a)))", "x"),
        ("(<= (legal r ?x) (not (distinct ?x ?y)))", None),
        ("(<= (legal r a) (u)) (<= (u) (distinct ?x a))", "x"),
        ("(<= (legal r ?x) (u ?x))\n(<= (u ?x) (distinct ?x a))", "x"),
    ],
)
def test_unsafe_rules_are_refused_with_their_place(rule: str, variable: str | None) -> None:
    text = f"(role r) (q a)\n{rule}\n"
    with pytest.raises(GdlError, match="GDL210") as caught:
        load(text).initial_state().legal_moves("r")
    [problem] = caught.value.problems
    assert problem.span is not None
    assert caught.value.source.locate(problem.span.start)[0] >= 2
    assert variable is None or f"?{variable} " in problem.message


def test_unsafe_rule_that_its_users_make_safe_is_accepted() -> None:
    rules = "(q a) (q b) (<= (other ?x ?y) (distinct ?x ?y)) (<= (legal r (f ?x ?y)) (q ?x) (q ?y) (other ?x ?y))"
    assert legal(rules) == ["(f a b)", "(f b a)"]


@pytest.mark.parametrize(
    ("rules", "column"),
    [
        ("(<= p (not p))", 1),
        ("(q a) (<= (p ?x) (q ?x) (not (s ?x))) (<= (s ?x) (q ?x) (not (p ?x)))", None),
        ("(<= (p ?x) (q ?x) (not (s ?x)))\n(<= (s ?x) (p ?x))", 1),
        ("(<= (goal r 100) (not (goal r 100)))", 1),
        ("(<= (legal r ?x) (q ?x) (not (legal r ?x)))", 1),
        ("(<= (p ?x) (q ?x) (or (z) (not (p ?x))))", 1),
    ],
)
def test_cycles_through_negation_are_refused_with_their_place(rules: str, column: int | None) -> None:
    with pytest.raises(GdlError, match="GDL301") as caught:
        load(f"(role r)\n{rules}\n")
    [problem] = caught.value.problems
    assert problem.span is not None
    line, found = caught.value.source.locate(problem.span.start)
    assert line == 2
    assert column in (None, found)


def test_double_negation_on_a_cycle_is_no_negation() -> None:
    assert legal("(q a) (<= (p ?x) (q ?x)) (<= (p ?x) (q ?x) (not (not (p ?x)))) (<= (legal r ?x) (p ?x))") == ["a"]
