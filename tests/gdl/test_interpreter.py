"""The interpreter beside the reference reasoner, which is its oracle."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.core import GameError, LudensError, random_joint_move
from ludens.games.library import entries, find
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.interpreter.game import InterpretedGame
from ludens.gdl.read import read_rules
from ludens.gdl.reference import Budget, BudgetError, ReferenceGame
from ludens.gdl.terms import Term
from tests.gdl.reasoner import BOTTOM_UP, ON_DEMAND, on_reasoner
from tests.gdl.test_reference_oracle import mutated_games, three_turns
from tests.thorough import examples, slow_among

SHEETS = [name for name, entry in entries().items() if "gdl" in entry.forms]
LARGE = ["chess", "amazons:6", "backgammon"]
WAYS = pytest.mark.parametrize("way", [None, BOTTOM_UP, ON_DEMAND], ids=["mixed", "bottom-up", "on-demand"])


def seen(state: GdlState) -> object:
    """All that can be observed of a state."""
    roles = state.game.role_terms
    return (
        state.facts,
        state.is_terminal,
        {role: state.legal_moves(role) for role in roles},
        {role: state.goal_values(role) for role in roles},
        {role: state.percepts(role) for role in roles},
        state.weights if state.game.random_variables else None,
    )


def check_playouts(oracle: GdlGame, game: GdlGame, turns: int, seed: int) -> None:
    """Play the same random moves on both, from the initial state again where a match ends."""
    rng = Random(seed)
    assert game.role_terms == oracle.role_terms
    expected, state = oracle.initial_state(), game.initial_state()
    for _ in range(turns):
        assert seen(state) == seen(expected)
        if expected.is_terminal:
            expected, state = oracle.initial_state(), game.initial_state()
        joint_move = expected.resolve(random_joint_move(expected, rng), rng)
        expected, state = expected.play(joint_move), state.play(joint_move)
    assert seen(state) == seen(expected)


@pytest.mark.parametrize("name", slow_among(SHEETS, {"connect_four_3p", "lines_of_action", "othello", "quoridor", "y"}))
def test_games_of_the_library_are_played_as_by_the_oracle(name: str) -> None:
    sheet = find(f"{name}@gdl").rule_sheet()
    check_playouts(ReferenceGame(sheet, name), InterpretedGame(sheet, name), turns=12, seed=1)


@WAYS
@pytest.mark.parametrize("name", slow_among([*LARGE, "checkers", "quoridor:3", "kuhn_poker"], LARGE))
def test_any_mixture_of_demand_and_bottom_up_is_played_as_by_the_oracle(name: str, way: Budget | None) -> None:
    sheet = find(name if ":" in name else f"{name}@gdl").rule_sheet()
    check_playouts(ReferenceGame(sheet, name), InterpretedGame(sheet, name, way), turns=4, seed=2)


@examples(300, derandomize=True)
@given(mutated_games(), st.sampled_from([0, 50, 500]))
def test_mutated_games_are_played_or_refused_as_by_the_oracle(text: str, bottom_up: int) -> None:
    budget = Budget(seconds=20, facts=50_000, bottom_up=bottom_up)
    outcomes = []
    for kind in (ReferenceGame, InterpretedGame):
        with on_reasoner(kind):
            outcomes.append(three_turns(text, budget))
    assert [outcome == "played" for outcome in outcomes] in ([True, True], [False, False]), outcomes


LINES = """(role r) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(init (wall 3)) (init (wall 6))
(<= (number ?x) (succ ?x ?y)) (<= (number ?y) (succ ?x ?y))
(<= (free ?x) (number ?x) (not (true (wall ?x))))
(<= (left ?a ?b) (succ ?b ?a)) (<= (left ?a ?c) (left ?a ?b) (free ?b) (succ ?c ?b))
(<= (right ?a ?b) (succ ?a ?b)) (<= (right ?a ?c) (succ ?a ?b) (free ?b) (right ?b ?c))
(<= (line ?a ?b) (left ?a ?b)) (<= (line ?a ?b) (right ?a ?b))
(<= (legal r (look ?a ?b)) (true (wall ?a)) (seen_from ?a ?b)) (<= (seen_from ?a ?b) (line ?a ?b))
(<= (legal r (met ?a)) (number ?a) (line ?a ?b) (true (wall ?b)) (line ?b ?c) (distinct ?a ?c))
(<= (legal r (alone ?a)) (number ?a) (not (near ?a)))
(<= (near ?a) (line ?a ?b) (true (wall ?b)))
(<= (legal r (twice ?a)) (number ?a) (line ?a ?b) (line ?b ?a))
(<= (legal r never) (number ?a) (not (line ?a ?b)))"""


@WAYS
def test_recursion_in_both_directions_is_answered_for_many_keys_at_once(way: Budget | None) -> None:
    game = InterpretedGame(read_rules(LINES), "lines", way)

    moves = game.initial_state().legal_moves("r")

    assert moves == ReferenceGame(read_rules(LINES), "lines").initial_state().legal_moves("r")
    assert "(look 3 6)" in moves
    assert "(look 3 7)" not in moves


MANY = """(role r) (init (n 0)) (after 0 1) (legal r go) (<= (next (n ?y)) (true (n ?x)) (after ?x ?y))
(<= (pair ?x ?y) (true (n 1)) (many ?x) (many ?y)) (<= (pair ?x ?z) (pair ?x ?y) (pair ?y ?z))
(<= (goal r 0) (pair ?x ?y) (distinct ?x ?y)) (<= (goal r 100) (not some)) (<= some (pair ?x ?y))
""" + " ".join(f"(many {number})" for number in range(30))


@WAYS
def test_a_query_that_exceeds_the_budget_leaves_the_game_usable(way: Budget | None) -> None:
    game = InterpretedGame(read_rules(MANY), "many", Budget(facts=500, bottom_up=way.bottom_up if way else 100))
    first = game.initial_state()
    later = first.play({"r": "go"})

    for _ in range(2):
        with pytest.raises(BudgetError, match="500 facts"):
            later.goal_values("r")

    assert first.goal_values("r") == [100]
    assert later.legal_moves("r") == ("go",)


def test_facts_of_a_relation_are_listed_or_refused_as_by_the_oracle() -> None:
    oracle = ReferenceGame(read_rules(LINES), "lines").initial_state()
    state = InterpretedGame(read_rules(LINES), "lines").initial_state()

    for relation in (("free", 1), ("true", 1), ("line", 2), ("nothing", 4), ("next", 1)):
        assert state.relation(relation) == oracle.relation(relation)
    assert InterpretedGame(read_rules(LINES), "lines", ON_DEMAND).initial_state().relation(("line", 2)) is None


@pytest.mark.parametrize(
    "rules",
    ["(role r) (true (a)) (legal r go)", "(role r) (init a) (<= (true b) (true a)) (<= (legal r ?x) (true ?x))"],
)
def test_rules_with_fluents_of_their_own_mean_the_same(rules: str) -> None:
    outcomes: list[object] = []
    for kind in (ReferenceGame, InterpretedGame):
        try:
            outcomes.append(kind(read_rules(rules), "odd").initial_state().legal_moves("r"))
        except LudensError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]


def test_threads_may_share_a_game() -> None:
    sheet = find("chess@gdl").rule_sheet()
    game = InterpretedGame(sheet, "chess")

    def walk(seed: int) -> list[frozenset[Term]]:
        rng, state = Random(seed), game.initial_state()
        found = []
        for _ in range(5):
            state = state.play(random_joint_move(state, rng))
            found.append(state.facts)
        return found

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(walk, [1, 2, 3, 1, 2, 3]))

    assert together[:3] == together[3:] == [walk(seed) for seed in (1, 2, 3)]


def test_a_game_without_roles_is_refused() -> None:
    with pytest.raises(GameError, match="no role"):
        InterpretedGame(read_rules("(init a)"), "nobody")
