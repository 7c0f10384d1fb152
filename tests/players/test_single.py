from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludens
from ludens.compiler.batch.game import CircuitGame
from ludens.compiler.circuit.counters import Timelessness, find_counters
from ludens.core import Clock, Deadline, Game, Player, PlayerError, State
from ludens.gdl.write import kif
from ludens.players import make_player
from ludens.players.one_role.compiled import CompiledSpace
from ludens.players.one_role.solver import Solver, space_of
from ludens.players.one_role.space import PlainSpace, Space
from ludens.players.one_role.table import KeySet

LONG = 60.0
"""Seconds that no test needs: what is found does not depend on them."""

CORRIDOR = """
(role walker)
(init (at 0)) (init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (legal walker left) (true (at ?x)))
(<= (legal walker right) (true (at ?x)))
(<= (next (at ?y)) (does walker right) (true (at ?x)) (succ ?x ?y))
(<= (next (at 5)) (does walker right) (true (at 5)))
(<= (next (at ?x)) (does walker left) (true (at ?y)) (succ ?x ?y))
(<= (next (at 0)) (does walker left) (true (at 0)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
"""
LATE_PRIZE = """
(<= terminal (true (step 4)))
(<= (goal walker 70) (true (step 4)) (true (at 0)))
(<= (goal walker 100) (true (step 0)))
(<= (goal walker 0) (not (true (step 0))) (not (true (at 0))))
"""
NO_PRIZE_FOR_STAYING = """
(<= terminal (true (at 3)))
(<= terminal (true (step 5)))
(<= (goal walker 100) (true (at 3)))
(<= (goal walker 0) (not (true (at 3))))
"""


def walk(tmp_path: Path, ending: str, backend: str = "circuit") -> Game:
    sheet = tmp_path / "corridor.kif"
    sheet.write_text(CORRIDOR + ending)
    return ludens.load(str(sheet), backend=backend)


def solver(game: Game, *, shortest: bool = False, space: Space | None = None) -> Solver:
    return Solver(space or space_of(game, 1), game.initial_state(), level=1, megabytes=200, shortest=shortest, seed=1)


def end_of(game: Game, line: tuple[str, ...]) -> State:
    state = game.initial_state()
    for move in line:
        assert not state.is_terminal
        state = state.play({game.roles[0]: move})
    return state


def test_the_eight_puzzle_is_solved_with_the_fewest_moves() -> None:
    game = ludens.load("eight_puzzle", wait=True)
    search = solver(game, shortest=True)

    search.run(Deadline(LONG))

    best = search.incumbent
    assert (best.goal, len(best.line), best.length_proved) == (100, 22, True)
    reference = ludens.load("eight_puzzle", backend="reference")
    end = end_of(reference, best.line)
    assert end.is_terminal
    assert end.goals["solver"] == 100


@pytest.mark.parametrize("name", ["peg_solitaire", "lights_out"])
def test_puzzles_of_the_shelf_are_solved(name: str) -> None:
    game = ludens.load(name, wait=True)
    search = solver(game)

    search.run(Deadline(LONG))

    end = end_of(game, search.incumbent.line)
    assert end.is_terminal
    assert end.goals["solver"] == 100
    assert search.incumbent.goal_proved


def test_step_counters_are_found_and_matter_only_at_the_last_step() -> None:
    game = ludens.load("eight_puzzle", wait=True)
    assert isinstance(game, CircuitGame)

    counting = find_counters(game.circuit)

    assert {game.circuit.fluents[n] for n in np.flatnonzero(counting)} == {("step", str(n)) for n in range(61)}
    timeless = Timelessness(game.circuit, counting, np.array(game.circuit.initial, np.bool_))
    assert timeless.holds_through(59)
    assert not timeless.holds_through(60)
    assert not timeless.forever


def test_a_count_that_goals_depend_on_matters_at_once() -> None:
    game = ludens.load("peg_solitaire", wait=True)
    assert isinstance(game, CircuitGame)

    counting = find_counters(game.circuit)

    assert {kif(game.circuit.fluents[n]) for n in np.flatnonzero(counting)} == {f"(pegs {n})" for n in range(1, 33)}
    timeless = Timelessness(game.circuit, counting, np.array(game.circuit.initial, np.bool_))
    assert not timeless.holds_through(31)


def test_a_goal_that_depends_on_the_count_is_found_and_proved(tmp_path: Path) -> None:
    game = walk(tmp_path, LATE_PRIZE)
    search = solver(game, shortest=True)

    search.run(Deadline(LONG))

    best = search.incumbent
    assert (best.goal, len(best.line)) == (70, 4)
    assert best.goal_proved
    assert end_of(game, best.line).goals["walker"] == 70


@pytest.mark.parametrize("backend", ["circuit", "reference"])
def test_the_shortest_way_is_found_with_any_backend(tmp_path: Path, backend: str) -> None:
    game = walk(tmp_path, NO_PRIZE_FOR_STAYING, backend)
    search = solver(game, shortest=True)

    search.run(Deadline(LONG))

    assert search.incumbent.line == ("right", "right", "right")
    assert search.incumbent.length_proved


def test_compiled_and_plain_spaces_agree() -> None:
    game = ludens.load("peg_solitaire", wait=True)
    assert isinstance(game, CircuitGame)
    compiled, plain = CompiledSpace(game, 1), PlainSpace(game, 1)
    ours, theirs = compiled.layer([game.initial_state()]), plain.layer([game.initial_state()])

    for _ in range(3):
        found = []
        for space, layer in ((compiled, ours), (plain, theirs)):
            owners, moves = space.moves(layer)
            after = space.play(layer[owners], moves)
            _, first = np.unique(space.keys(after.layer, count=True), return_index=True)
            found.append((after.layer[first], sorted(after.goals[first]), [str(space.texts[n]) for n in moves]))
        (ours, our_goals, our_moves), (theirs, their_goals, their_moves) = found
        assert len(ours) == len(theirs)
        assert our_goals == their_goals
        assert sorted(our_moves) == sorted(their_moves)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.integers(1, 400), min_size=1, max_size=300), min_size=1, max_size=8))
def test_a_key_set_tells_what_is_new_like_a_set(batches: list[list[int]]) -> None:
    keys, known = KeySet(), set[int]()

    for batch in batches:
        # Multiples of a power of two fall into the same slots, and so meet.
        new = keys.add(np.array(batch, np.uint64) << np.uint64(20))
        expected = []
        for key in batch:
            expected.append(key not in known)
            known.add(key)
        assert new.tolist() == expected
        assert len(keys) == len(known)


def started(text: str, game: Game, seconds: float) -> Player:
    player = make_player(text)
    player.start(game, game.roles[0], 1, Clock(play=LONG, start=seconds))
    return player


def test_the_plan_is_made_once_and_played_to_the_end() -> None:
    game = ludens.load("eight_puzzle", wait=True)
    player = started("single:shortest=on", game, LONG)
    state = game.initial_state()
    expected = []

    while not state.is_terminal:
        decision = player.choose(state.view("solver"), Deadline(LONG))
        expected.append(len(decision.thinking.line))
        state = state.play({"solver": decision.move})

    assert state.goals["solver"] == 100
    assert expected == list(range(22, 0, -1))


def test_a_substituted_move_leads_to_a_new_plan(tmp_path: Path) -> None:
    game = walk(tmp_path, NO_PRIZE_FOR_STAYING)
    player = started("single:shortest=on", game, LONG)
    state = game.initial_state().play({"walker": "left"})

    moves = []
    while not state.is_terminal:
        moves.append(player.choose(state.view("walker"), Deadline(LONG)).move)
        state = state.play({"walker": moves[-1]})

    assert moves == ["right", "right", "right"]


def test_without_any_time_a_legal_move_is_played() -> None:
    game = ludens.load("peg_solitaire", wait=True)
    player = started("single", game, 0.0)
    state = game.initial_state()

    decision = player.choose(state.view("solver"), Deadline(0.0))

    assert decision.move in state.legal_moves("solver")


def test_lines_never_get_worse_while_the_search_goes_on() -> None:
    game = ludens.load("peg_solitaire", wait=True)
    search = solver(game)
    goals = []

    search.run(Deadline(LONG), lambda: goals.append(search.incumbent.goal))

    assert all(before <= after for before, after in pairwise(goals))


def test_games_for_several_are_refused_with_a_reason() -> None:
    with pytest.raises(PlayerError, match="2 roles"):
        started("single", ludens.load("tic_tac_toe", wait=True), 1.0)
