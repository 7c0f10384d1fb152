from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludens.core import GameError, IllegalMoveError, LudensError, joint_moves
from ludens.gdl.read import read_rules
from ludens.gdl.reference import Budget, BudgetError, ReferenceGame, ReferenceState
from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule
from ludens.gdl.source import GdlError
from ludens.gdl.terms import Term, Variable, arguments, signature, variables
from ludens.gdl.write import kif, write_infix, write_kif
from tests.gdl.naive import model

BOTTOM_UP = Budget(bottom_up=1_000_000)
ON_DEMAND = Budget(bottom_up=0)
WAYS = pytest.mark.parametrize("way", [Budget(), BOTTOM_UP, ON_DEMAND], ids=["mixed", "bottom-up", "on-demand"])
"""Small programs must mean the same whichever way they are derived."""


def load(text: str, budget: Budget | None = None) -> ReferenceGame:
    return ReferenceGame(read_rules(text), "test game", budget)


def legal(text: str, budget: Budget | None = None) -> list[str]:
    """The legal moves of role r at the start of a game."""
    return list(load("(role r) " + text, budget).initial_state().legal_moves("r"))


def in_a_process_of_its_own(code: str) -> str:
    """What code prints; rules that hang or crash the reasoner fail the test instead of the test run."""
    prelude = (
        "from ludens.core import GameError\n"
        "from ludens.gdl.read import read_rules\n"
        "from ludens.gdl.reference import Budget, ReferenceGame\n"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", prelude + code], capture_output=True, text=True, timeout=120, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.fail("the reasoner does not keep to its budget of time")
    assert done.returncode == 0, done.stderr[-1500:]
    return done.stdout.strip()


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
    assert game.simultaneous


def test_game_with_turns_is_not_simultaneous(nim: ReferenceGame) -> None:
    assert not nim.simultaneous
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


# -- budgets ------------------------------------------------------------------------------------------------------


def numbers(count: int) -> str:
    return " ".join(f"(n {number})" for number in range(count))


def chain(count: int) -> str:
    return " ".join(f"(e {number} {number + 1})" for number in range(count))


CLOSURE = "(<= (t ?x ?y) (e ?x ?y)) (<= (t ?x ?y) (t ?x ?z) (e ?z ?y))"


@pytest.mark.parametrize(
    "rules",
    [
        f"{numbers(60)} (<= (legal r (f ?x ?y ?z)) (n ?x) (n ?y) (n ?z))",
        f"{chain(300)} {CLOSURE} (<= (legal r (f ?x ?y)) (t ?x ?y))",
        f"{chain(300)} (<= (legal r (f ?x ?y)) (e ?x ?y)) (<= (legal r (f ?x ?y)) (legal r (f ?x ?z)) (e ?z ?y))",
        f"{numbers(150)} (<= (legal r ?x) (n ?x) (pair ?x ?y)) (<= (pair ?x ?y) (n ?x) (n ?y))",
    ],
)
@WAYS
def test_rules_that_derive_too_much_are_stopped(way: Budget, rules: str) -> None:
    with pytest.raises(BudgetError, match="10,000 facts"):
        legal(rules, Budget(facts=10_000, bottom_up=way.bottom_up))


def pigeons(count: int) -> str:
    """Conditions that put so many pigeons into holes, each into one of its own; hopeless if there are fewer holes."""
    places = " ".join(f"(hole ?x{number})" for number in range(count))
    pairs = " ".join(f"(distinct ?x{one} ?x{other})" for one in range(count) for other in range(one))
    return f"{places} {pairs}"


HOLES = " ".join(f"(hole {number})" for number in range(11))


@WAYS
@pytest.mark.parametrize(
    "rules",
    [
        f"(<= (legal r ?x0) {pigeons(12)})",
        f"(<= (legal r yes) {pigeons(12)})",
        f"(<= (legal r (f ?x0 ?x5 ?x11)) {pigeons(12)})",
        f"(<= (p ?x0 ?x1) {pigeons(12)}) (<= (legal r ?x) (p ?x ?y))",
        f"(<= (p ?x0 ?x1) {pigeons(12)}) (<= (legal r yes) (not (p 1 2)))",
        f"(<= (legal r yes) (hole ?y) (not (p ?y))) (<= (p ?x0) {pigeons(12)})",
        f"(p k) (<= (p ?x0) (p ?y) {pigeons(12)}) (<= (legal r ?x) (p ?x))",
        f"(<= terminal {pigeons(12)}) (legal r go)",
        f"(<= terminal (true now) {pigeons(12)}) (init now)",
    ],
)
def test_joins_that_find_nothing_are_stopped_in_time(way: Budget, rules: str) -> None:
    with pytest.raises(BudgetError, match=r"0\.2 s"):
        legal(f"{HOLES} {rules}", Budget(seconds=0.2, bottom_up=way.bottom_up))


def test_joins_with_many_functions_of_short_loops_are_stopped_in_time() -> None:
    # Loops that are too many for one Python function go on in another, which must not lose count of the rounds.
    links = " ".join(f"(s ?x{number} ?x{number + 1})" for number in range(60))
    graph = " ".join(f"(s {number} {(number * 2 + other) % 5})" for number in range(5) for other in (1, 2))
    rule = f"(<= (legal r (f ?x0 ?x60)) {links} (distinct ?x0 ?x60) (not (s ?x0 ?x60)) (not (u ?x0 ?x60)))"
    with pytest.raises(BudgetError, match=r"0\.2 s"):
        legal(f"{graph} {rule} (<= (u ?x ?y) (s ?x ?z) (s ?y ?w))", Budget(seconds=0.2))


def test_tests_inside_a_long_loop_are_stopped_in_time() -> None:
    # For each x there is a test that fails after a while; in neither loop alone does much time pass.
    printed = in_a_process_of_its_own(
        "facts = ' '.join(f'(n {number})' for number in range(20_000))\n"
        "rule = '(<= (legal r ?x) (true (m ?x)) (n ?y) (not (q ?x ?y)) (not (n ?y)))'\n"
        "game = ReferenceGame(read_rules(f'(role r) {facts} {rule}'), 'g', Budget(seconds=0.2))\n"
        "try:\n    game.state([('m', str(number)) for number in range(20_000)]).legal_moves('r')\n"
        "except GameError as error:\n    print(type(error).__name__)"
    )
    assert printed == "BudgetError"


def test_long_recursion_in_small_steps_is_stopped_in_time() -> None:
    with pytest.raises(BudgetError, match=r"0\.2 s"):
        legal(
            f"{chain(1500)} (<= (legal r (f ?x ?y)) (e ?x ?y)) (<= (legal r (f ?x ?y)) (legal r (f ?x ?z)) (e ?z ?y))",
            Budget(seconds=0.2),
        )


@WAYS
@pytest.mark.parametrize(
    "rules",
    [
        "(p a) (<= (p (f ?x)) (p ?x)) (<= (legal r ?x) (p ?x))",
        "(p a) (<= (p (f ?x)) (q ?x)) (<= (q ?x) (p ?x)) (<= (legal r ?x) (q ?x))",
        "(legal r a) (<= (legal r (f ?x)) (legal r ?x))",
        "(p a b) (<= (p (f ?x) ?y) (p ?y ?x)) (<= (legal r ?x) (p ?x ?y))",
        "(p a) (<= (p (f ?x ?y)) (p ?x) (p ?y)) (<= (legal r ?x) (p ?x))",
        "(p a) (<= (legal r ?x) (p ?x)) (<= (p ?y) (p ?x) (not (distinct ?y (f ?x))))",
    ],
)
def test_rules_that_build_ever_larger_terms_are_stopped(way: Budget, rules: str) -> None:
    with pytest.raises(BudgetError):
        legal(rules, Budget(facts=30_000, seconds=1, bottom_up=way.bottom_up))


def play_on(state: ReferenceState, turns: int) -> ReferenceState:
    """The state after so many turns in which role r makes its first move."""
    for _ in range(turns):
        state = state.play({"r": state.legal_moves("r")[0]})
    return state


@pytest.mark.parametrize("term", ["(f ?x)", "(f a ?x)", "(f (g ?x) b)"])
def test_states_that_grow_for_ever_are_stopped(term: str) -> None:
    start = load(f"(role r) (init a) (legal r go) (<= (next {term}) (true ?x))").initial_state()
    with pytest.raises(BudgetError, match="nested more than"):
        play_on(start, 200)


def test_moves_that_grow_for_ever_are_stopped() -> None:
    start = load("(role r) (init a) (<= (legal r (f ?x)) (true ?x)) (<= (next ?m) (does r ?m))").initial_state()
    with pytest.raises(BudgetError, match="nested more than"):
        play_on(start, 200)


def test_terms_that_double_are_stopped() -> None:
    printed = in_a_process_of_its_own(
        "rules = read_rules('(role r) (p a) (<= (p (f ?x ?x)) (p ?x)) (<= (legal r go) (p ?x))')\n"
        "try:\n    ReferenceGame(rules, 'g', Budget(seconds=1)).initial_state().legal_moves('r')\n"
        "except GameError as error:\n    print(type(error).__name__)"
    )
    assert printed == "BudgetError"


def test_states_that_double_are_stopped() -> None:
    printed = in_a_process_of_its_own(
        "rules = read_rules('(role r) (init a) (legal r go) (<= (next (f ?x ?x)) (true ?x))')\n"
        "state = ReferenceGame(rules, 'g', Budget(seconds=1)).initial_state()\n"
        "try:\n    for _ in range(200):\n        state = state.play({'r': 'go'})\n"
        "except GameError as error:\n    print(type(error).__name__)"
    )
    assert printed == "BudgetError"


def test_questions_that_grow_for_ever_are_stopped() -> None:
    # Bottom up there is little to derive; on demand, each question leads to a larger one.
    printed = in_a_process_of_its_own(
        "rules = read_rules('(role r) (p (f a)) (n a) (<= (p ?x) (p (f ?x))) (<= (legal r ?x) (n ?x) (p ?x))')\n"
        "try:\n"
        "    print(ReferenceGame(rules, 'g', Budget(seconds=1, bottom_up=0)).initial_state().legal_moves('r'))\n"
        "except GameError as error:\n    print(type(error).__name__)"
    )
    assert printed in ("('a',)", "BudgetError")


@WAYS
def test_long_chains_of_relations_need_no_deep_stack(way: Budget) -> None:
    rules = " ".join(f"(<= (p{number + 1} ?x) (p{number} ?x))" for number in range(100))
    assert legal(f"(p0 a) (p0 b) {rules} (<= (legal r ?x) (p100 ?x))", way) == ["a", "b"]


def test_chain_of_relations_on_demand_that_is_too_long_is_a_clear_error() -> None:
    rules = " ".join(f"(<= (p{number + 1} ?x) (p{number} ?x))" for number in range(1000))
    with pytest.raises(BudgetError, match="depend on each other too deeply"):
        legal(f"(p0 a) (p0 b) {rules} (<= (legal r ?x) (p1000 ?x))", Budget(bottom_up=0))


def test_long_chains_of_large_relations_need_no_deep_stack() -> None:
    rules = " ".join(f"(<= (p{number + 1} ?x) (p{number} ?x))" for number in range(400))
    facts = [("p", str(number)) for number in range(600)]
    game = load(f"(role r) (<= (p0 ?x) (true (p ?x))) {rules} (<= (legal r ?x) (p400 ?x))")
    assert len(game.state(facts).legal_moves("r")) == 600


def test_terms_that_equations_make_very_deep_are_refused() -> None:
    deep = "(f " * 90
    equations = " ".join(f"(not (distinct ?x{n} {deep}?x{n + 1}{')' * 90}))" for n in range(4))
    with pytest.raises(GameError):
        legal(f"(q a) (<= (legal r ?x0) (q ?x4) {equations})")


def test_reasoner_can_be_asked_again_after_it_ran_out_of_budget() -> None:
    closure = "(<= (t ?x ?y) (true go) (e ?x ?y)) (<= (t ?x ?y) (t ?x ?z) (e ?z ?y))"
    game = load(f"(role r) {chain(300)} (init go) {closure} (<= (legal r (f ?x ?y)) (t ?x ?y))", Budget(facts=10_000))
    state = game.initial_state()
    for _ in range(3):
        with pytest.raises(BudgetError):
            state.legal_moves("r")
    assert game.state([]).legal_moves("r") == ()


def test_answers_are_right_after_time_ran_out_in_the_middle() -> None:
    text = f"""(role r) (init go) {chain(40)} (<= (t ?x ?y) (true go) (e ?x ?y))
        (<= (t ?x ?y) (t ?x ?z) (e ?z ?y)) (<= (legal r (f ?x ?y)) (t ?x ?y))"""
    state = load(text, Budget(facts=600)).initial_state()
    found: Sequence[str] = ()
    for _ in range(10):
        try:
            found = state.legal_moves("r")
        except BudgetError:
            continue
    assert len(found) in (0, 820)


def test_facts_are_counted_before_they_fill_the_memory() -> None:
    printed = in_a_process_of_its_own(
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))\n"
        f"text = '(role r) {numbers(60)} (<= (legal r (f ?a ?b ?c ?d ?e)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e))'\n"
        "try:\n    ReferenceGame(read_rules(text), 'g', Budget(facts=100_000)).initial_state().legal_moves('r')\n"
        "except (GameError, MemoryError) as error:\n    print(type(error).__name__)"
    )
    assert printed == "BudgetError"


def test_relation_too_large_to_derive_is_derived_on_demand() -> None:
    rules = f"{numbers(100)} (<= (sum ?x ?y ?z ?w) (n ?x) (n ?y) (n ?z) (n ?w)) (<= (legal r ?x) (n ?x) (sum ?x 3 4 5))"
    assert len(legal(rules, Budget(facts=100_000))) == 100


# -- against the oracle -------------------------------------------------------------------------------------------

X, Y, Z, W = (Variable(name) for name in "xyzw")
CONSTANTS: list[Term] = ["a", "b", "c"]
VALUES: list[Term] = [*CONSTANTS, *CONSTANTS, ("f", "a"), ("g", "a", "b"), ("f", ("f", "b"))]
PATTERNS: list[Term] = [X, X, X, Y, Y, Z, W, "a", "b", ("f", X), ("g", X, Y), ("f", Z)]
BASES = (("d", 1), ("e", 2))
LAYERS = ((("p", 1), ("q", 2)), (("s", 1), ("t", 2)), (("u", 2),))
DERIVED = [relation for layer in LAYERS for relation in layer]

Draft = tuple[int, list[Term]]
"""Number of a relation, to be taken modulo those that may stand there, and more than enough arguments."""


def atom(draft: Draft, allowed: list[tuple[str, int]]) -> Term:
    name, arity = allowed[draft[0] % len(allowed)]
    return (name, *draft[1][:arity])


def bind(term: Term, bound: set[Variable]) -> Term:
    """A term with a constant in place of each variable that has no value."""
    if isinstance(term, Variable):
        return term if term in bound else "a"
    return tuple(bind(part, bound) for part in term) if isinstance(term, tuple) else term


def safe_rule(
    head: Draft, positive: list[Draft], checks: list[tuple[int, Draft, Draft]], either: list[Draft], level: int
) -> Rule:
    """A rule that is safe and stratified: own layer and below may be needed, layers below negated."""
    below = [*BASES, *(relation for layer in LAYERS[:level] for relation in layer)]
    grows = any(isinstance(term, tuple) for term in head[1])
    needed = below if grows else [*below, *LAYERS[level]]
    body: list[Condition] = [Holds(atom(draft, needed)) for draft in positive]
    alternatives = [atom(draft, needed) for draft in either]
    bound = {variable for draft in positive for variable in variables(atom(draft, needed))}
    lasting = set(bound)
    if alternatives:
        body.append(Or(tuple(Holds(alternative) for alternative in alternatives)))
        lasting |= set.intersection(*(set(variables(alternative)) for alternative in alternatives))
    for kind, one, other in checks:
        first, second = bind(atom(one, below), lasting), bind(atom(other, below), lasting)
        left, right = bind(one[1][0], lasting), bind(other[1][0], lasting)
        kinds: list[Condition] = [
            Not(Holds(first)),
            Distinct(left, right),
            Or((Not(Holds(first)), And((Holds(second), Distinct(left, right))))),
            Not(Or((Holds(first), Not(Holds(second))))),
            Not(And((Holds(first), Holds(second)))),
            Not(Distinct(left, left)),
        ]
        body.append(kinds[kind])
    return Rule(bind(atom(head, list(LAYERS[level])), lasting), tuple(body))


DRAFTS = st.tuples(st.integers(0, 11), st.lists(st.sampled_from(PATTERNS), min_size=2, max_size=2))
FLAT_DRAFTS = st.tuples(st.integers(0, 11), st.lists(st.sampled_from([X, Y, Z, "a"]), min_size=2, max_size=2))
SAFE_RULES = st.builds(
    safe_rule,
    FLAT_DRAFTS | DRAFTS,
    st.lists(DRAFTS, min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 5), DRAFTS, DRAFTS), max_size=2),
    st.lists(DRAFTS, max_size=2),
    st.integers(0, 2),
)
PROGRAMS = st.lists(SAFE_RULES, min_size=1, max_size=7).map(tuple)
FACTS = st.frozensets(
    st.builds(
        lambda number, values: (BASES[number][0], *values[: BASES[number][1]]),
        st.integers(0, 1),
        st.lists(st.sampled_from(VALUES), min_size=2, max_size=2),
    ),
    max_size=12,
)
OBSERVED = " ".join(
    f"(<= ({{relation}} (saw ({name} {names}))) ({name} {names}))"
    for name, names in ((name, " ".join(["?x", "?y"][:arity])) for name, arity in DERIVED)
)


def observe_in_legal_moves(rules: tuple[Rule, ...], facts: frozenset[Term], way: Budget, *, static: bool) -> set[Term]:
    if static:
        given_facts = write_kif(Rule(fact) for fact in facts)
    else:
        given_facts = write_kif(Rule(("init", fact)) for fact in facts)
        given_facts += "(<= (d ?x) (true (d ?x))) (<= (e ?x ?y) (true (e ?x ?y)))"
    game = load(f"(role r) {given_facts} {write_kif(rules)} {OBSERVED.format(relation='legal r')}", way)
    return {arguments(move.term)[0] for move in game.initial_state().legal_moves("r")}


def observe_in_next_state(rules: tuple[Rule, ...], facts: frozenset[Term], way: Budget) -> set[Term]:
    given_facts = write_kif(Rule(fact, (Holds(("does", "r", "go")),)) for fact in facts)
    game = load(f"(role r) (legal r go) {given_facts} {write_kif(rules)} {OBSERVED.format(relation='next')}", way)
    return {arguments(fact)[0] for fact in game.initial_state().play({"r": "go"}).facts}


def expected(rules: tuple[Rule, ...], facts: frozenset[Term]) -> set[Term]:
    return {fact for fact in model(rules, facts) if signature(fact) in DERIVED}


checked = settings(max_examples=80, derandomize=True, deadline=None)


@WAYS
@checked
@given(rules=PROGRAMS, facts=FACTS)
def test_programs_over_the_rules_facts_agree_with_the_oracle(
    way: Budget, rules: tuple[Rule, ...], facts: frozenset[Term]
) -> None:
    assert observe_in_legal_moves(rules, facts, way, static=True) == expected(rules, facts)


@WAYS
@checked
@given(rules=PROGRAMS, facts=FACTS)
def test_programs_over_the_state_agree_with_the_oracle(
    way: Budget, rules: tuple[Rule, ...], facts: frozenset[Term]
) -> None:
    assert observe_in_legal_moves(rules, facts, way, static=False) == expected(rules, facts)


@WAYS
@checked
@given(rules=PROGRAMS, facts=FACTS)
def test_programs_over_the_moves_agree_with_the_oracle(
    way: Budget, rules: tuple[Rule, ...], facts: frozenset[Term]
) -> None:
    assert observe_in_next_state(rules, facts, way) == expected(rules, facts)


A_GAME = """(role a) (role b) (init (cell 1 x)) (init (cell 2 y)) (init (control a))
(<= (legal ?r (move ?c ?d)) (true (control ?r)) (true (cell ?c ?m)) (adjacent ?c ?d) (not (blocked ?d)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(adjacent 1 2) (adjacent 2 3)
(<= (blocked ?d) (true (cell ?d ?m)) (distinct ?m y))
(<= (reach ?x ?y) (adjacent ?x ?y)) (<= (reach ?x ?y) (reach ?x ?z) (adjacent ?z ?y))
(<= (next (cell ?d ?m)) (does ?r (move ?c ?d)) (true (cell ?c ?m)))
(<= (next (control ?q)) (or (and (true (control ?r)) (role ?q)) (reach ?q ?r)) (distinct ?q ?r))
(<= (goal ?r 100) (role ?r) terminal) (<= terminal (true (cell 3 ?x)) (not (reach 3 1)))
"""
PIECES = [
    "(",
    ")",
    "?x",
    "?r",
    "(not ",
    "(or ",
    "(distinct ",
    "a",
    "true",
    "reach",
    "next",
    "legal",
    "does",
    "init",
    "(f ",
    "control",
    "",
    "role",
]


@st.composite
def mutated_games(draw: st.DrawFn) -> str:
    tokens = A_GAME.replace("(", " ( ").replace(")", " ) ").split()
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(tokens) - 1))
        match draw(st.integers(0, 3)):
            case 0:
                tokens[place] = draw(st.sampled_from(PIECES))
            case 1:
                other = draw(st.integers(0, len(tokens) - 1))
                tokens[place], tokens[other] = tokens[other], tokens[place]
            case 2:
                tokens[place] = tokens[draw(st.integers(0, len(tokens) - 1))]
            case _:
                tokens.insert(place, draw(st.sampled_from(PIECES)))
    return " ".join(tokens)


def three_turns(text: str, budget: Budget) -> str:
    """What comes of playing a game: the message with which it is refused, or that it was played."""
    try:
        game = load(text, budget)
        state = game.initial_state()
        for _ in range(3):
            assert set(state.goals) == set(game.roles)
            state = state.play(next(iter(joint_moves(state)), {}))
    except LudensError as error:
        return str(error)
    return "played"


@settings(max_examples=500, derandomize=True, deadline=None)
@given(mutated_games(), st.sampled_from([0, 500]))
def test_mutated_games_are_played_or_refused(text: str, bottom_up: int) -> None:
    assert three_turns(text, Budget(seconds=5, facts=50_000, bottom_up=bottom_up)) != ""
