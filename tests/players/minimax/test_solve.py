from __future__ import annotations

from functools import reduce
from operator import xor
from random import Random

import pytest

import ludens
from ludens.core import Game, GameError, State, joint_moves, random_joint_move
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.players.minimax.backup import back_up
from ludens.players.minimax.solve import Solution, Solver
from ludens.players.space.choose import space_of
from ludens.players.space.graph import Graph
from tests.referee.games import Buzzer, Dice

CIRCLE = """
(role walker) (init (at 1)) (succ 1 2) (succ 2 1) (succ 2 3)
(<= (legal walker (go ?y)) (true (at ?x)) (succ ?x ?y))
(<= (next (at ?y)) (does walker (go ?y)))
(<= terminal (true (at 3)))
(<= (goal walker 70) (true (at 3)))
"""


def solved(game: Game | str, budget: float = 60.0) -> Solution:
    loaded = ludens.load(game, wait=True) if isinstance(game, str) else game
    return Solver(loaded.initial_state(), budget).solve()


def late_connect_four(empty: int, seed: int = 0) -> State:
    """A position of random play that is not over."""
    for attempt in range(1000):
        rng = Random(1000 * seed + attempt)
        state: State = ludens.load("connect_four", wait=True).initial_state()
        for _ in range(42 - empty):
            if not state.is_terminal:
                state = state.play(random_joint_move(state, rng))
        if not state.is_terminal:
            return state
    raise AssertionError("all are over")


def test_tic_tac_toe_is_a_draw_of_5478_positions() -> None:
    found = solved("tic_tac_toe")

    assert found.exact
    assert found.values == {"xplayer": 50, "oplayer": 50}
    assert found.positions == 5478
    assert len(found.best["xplayer"]) == 9


@pytest.mark.parametrize("heaps", [(1,), (2, 2), (1, 2, 3), (3, 4, 5), (1, 1, 2), (2, 3, 4), (5, 6, 3)])
@pytest.mark.parametrize("misere", [False, True])
def test_nim_follows_its_theory(heaps: tuple[int, ...], misere: bool) -> None:
    found = solved("nim:" + ",".join(map(str, heaps)) + (",misere" if misere else ""))

    first_wins = reduce(xor, heaps) != 0
    if misere and max(heaps) == 1:
        first_wins = not first_wins
    assert found.exact
    assert found.values["first"] == (100 if first_wins else 0)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("rock_paper_scissors", [50, 50]),
        ("prisoners_dilemma", [20, 20]),
        ("criss_cross", [100, 50]),
        ("eight_puzzle", [100]),
        ("lights_out", [100]),
    ],
)
def test_games_of_the_shelf_have_their_known_values(name: str, values: list[float]) -> None:
    found = solved(name)

    assert found.exact
    assert list(found.values.values()) == pytest.approx(values)


@pytest.mark.parametrize("name", ["nim:2,2,1", "rock_paper_scissors", "pig:5", "cant_stop:2,1,1"])
def test_the_contract_and_batches_agree(name: str) -> None:
    found = solved(ludens.load(name, backend="reference"))

    assert found.exact
    assert found.values == pytest.approx(solved(name).values)
    assert found.positions == solved(name).positions


def test_chance_counts_with_its_mean() -> None:
    # Rolling is worth two of three points a round for oneself, whatever the other does.
    found = solved(Dice(1))

    assert found.exact
    assert found.values == pytest.approx({"left": (33 + 66 + 100) / 3, "right": (33 + 66 + 100) / 3})


def test_going_in_circles_for_ever_is_no_way_to_win() -> None:
    found = solved(ReferenceGame(read_rules(CIRCLE)))

    assert found.values == {"walker": 70}


def test_a_budget_that_is_too_small_leaves_bounds() -> None:
    found = solved("connect_four", budget=0.01)

    assert not found.exact
    assert found.values == {"red": None, "black": None}
    assert all(low <= high for low, high in found.bounds.values())


def test_a_proof_finds_what_all_positions_would_say(monkeypatch: pytest.MonkeyPatch) -> None:
    state = late_connect_four(empty=14)
    complete = Solver(state, 60).solve()
    monkeypatch.setattr("ludens.players.space.graph.MOST_POSITIONS", 200)

    found = Solver(state, 60).solve()

    assert complete.note == "all positions"
    assert found.note.startswith("proved by alpha-beta")
    assert found.values == complete.values
    assert all(set(moves) <= set(complete.best[role]) for role, moves in found.best.items())


def test_games_with_more_than_a_few_positions_are_proved_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    complete = solved("tic_tac_toe")
    monkeypatch.setattr("ludens.players.minimax.solve.FEW_POSITIONS", 10)

    found = solved("tic_tac_toe")

    assert complete.note == "all positions"
    assert found.note.startswith("proved by alpha-beta")
    assert found.values == complete.values
    assert found.nodes < complete.nodes


def test_where_no_proof_is_possible_all_positions_are_enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    complete = solved("rock_paper_scissors")
    monkeypatch.setattr("ludens.players.minimax.solve.FEW_POSITIONS", 1)

    found = solved("rock_paper_scissors")

    assert found.note == "all positions"
    assert found.values == complete.values


def test_a_position_that_is_over_has_its_goals() -> None:
    state: State = ludens.load("rock_paper_scissors", wait=True).initial_state()
    while not state.is_terminal:
        state = state.play(next(joint_moves(state)))

    found = Solver(state, 1.0).solve()

    assert found.exact
    assert found.values == state.goals


def test_every_position_is_found_once() -> None:
    state = ludens.load("nim:2,2", wait=True).initial_state()
    graph = Graph(space_of(state.game), state)

    graph.grow(lambda: True)

    reached = {state}
    waiting = [state]
    while waiting:
        before = waiting.pop()
        for child in map(before.play, joint_moves(before)):
            if child not in reached:
                reached.add(child)
                waiting.append(child)
    assert graph.complete
    assert len(graph) == len(reached)


@pytest.mark.parametrize("game", [Dice(1, hidden=True), Buzzer()])
def test_games_without_values_are_refused(game: Game) -> None:
    with pytest.raises(GameError):
        solved(game)


def test_bounds_are_right_whenever_carrying_values_back_is_stopped() -> None:
    state = late_connect_four(empty=10)
    graph = Graph(space_of(state.game), state)
    graph.grow(lambda: True)
    settled = back_up(graph, lambda: True)
    looks = iter([True] * 3 + [False] * 1_000_000)

    stopped = back_up(graph, lambda: next(looks))

    assert settled.is_exact(0)
    assert not stopped.is_exact(0)
    assert (stopped.low <= settled.low).all()
    assert (stopped.high >= settled.high).all()


def test_one_role_alone_is_not_solved_by_values_that_were_not_carried_back() -> None:
    state = ReferenceGame(read_rules(CIRCLE)).initial_state()
    graph = Graph(space_of(state.game), state)
    graph.grow(lambda: True)

    stopped = back_up(graph, lambda: False)

    assert not stopped.is_exact(0)


def test_roles_that_share_no_total_have_all_of_the_budget_for_their_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.players.minimax.solve.ENUMERATION_SHARE", 0.0)

    found = solved("criss_cross")

    assert found.note == "all positions"
    assert found.exact


@pytest.mark.parametrize("seed", range(3))
def test_the_last_twelve_plies_of_connect_four_are_solved(seed: int) -> None:
    found = Solver(late_connect_four(empty=12, seed=seed), 60).solve()

    assert found.exact
    assert set(found.as_json()) >= {"values", "exact", "nodes", "seconds"}
    assert sum(value for value in found.values.values() if value is not None) == 100


def test_if_several_outcomes_are_rational_bounds_are_what_a_role_can_secure_and_its_best_goal() -> None:
    rules = """(role a) (role b) (init first)
    (<= (legal a out) (true first)) (<= (legal a stay) (true first)) (<= (legal b noop) (true first))
    (<= (legal ?r opera) (role ?r) (true second)) (<= (legal ?r fight) (role ?r) (true second))
    (<= (next second) (does a stay)) (<= (next (end 30 45)) (does a out))
    (<= (next (end 75 25)) (does a opera) (does b opera)) (<= (next (end 25 75)) (does a fight) (does b fight))
    (<= (next (end 0 0)) (does a opera) (does b fight)) (<= (next (end 5 0)) (does a fight) (does b opera))
    (<= terminal (true (end ?x ?y))) (<= (goal a ?x) (true (end ?x ?y))) (<= (goal b ?y) (true (end ?x ?y)))
    """
    found = Solver(ReferenceGame(read_rules(rules)).initial_state(), 10).solve()

    assert not found.exact
    assert found.bounds["a"] == (30, 75)
    assert found.bounds["b"] == pytest.approx((18.75, 75))  # mixed: three quarters opera, if a stays
