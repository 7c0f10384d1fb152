from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludens
from ludens.compiler.batch.game import CircuitGame
from ludens.core import State, random_joint_move
from ludens.core.batch_game import BatchGame
from ludens.gdl.read import read_rules
from ludens.players.minimax.solve import Solver
from ludens.players.packed.prover import Failure, Prover, compositions
from tests.players.packed.token_games import token_game
from tests.thorough import examples


def prover(state: State, megabytes: int = 10) -> Prover:
    assert isinstance(state.game, BatchGame)
    found = Prover(state.game, state, 100, megabytes)
    while not found.is_solved and not found.failure:
        found.run(1_000)
    return found


@pytest.mark.parametrize("name", ["tic_tac_toe", "nim:3,4,5", "connect_four:4,4"])
@pytest.mark.parametrize("played", [0, 3])
def test_proofs_agree_with_all_positions(name: str, played: int) -> None:
    state: State = ludens.load(name, wait=True).initial_state()
    rng = Random(7)
    for _ in range(played):
        state = state.play(random_joint_move(state, rng))

    value = Solver(state, 60).solve().values[state.game.roles[0]]

    assert prover(state).bounds == (value, value)


def test_the_deciding_move_keeps_the_value() -> None:
    state = ludens.load("nim:3,4,5", wait=True).initial_state()
    found = Solver(state, 60).solve()
    role, best = next(iter(found.best.items()))

    number = prover(state).deciding_move()

    assert isinstance(state.game, BatchGame)
    assert state.game.move_texts[state.game.roles.index(role)][number] in best


def test_a_proof_goes_on_where_it_was_stopped() -> None:
    game = ludens.load("connect_four:4,4", wait=True)
    assert isinstance(game, BatchGame)
    whole = Prover(game, game.initial_state(), 100, 10)
    whole.run(1_000_000)
    whole.run(1_000_000)
    pieces = prover(game.initial_state())

    assert pieces.bounds == whole.bounds == (50, 50)
    assert pieces.nodes < 2 * whole.nodes


@pytest.mark.parametrize(
    ("name", "failure"),
    [("rock_paper_scissors", Failure.SIMULTANEOUS), ("prisoners_dilemma", Failure.SIMULTANEOUS)],
)
def test_what_cannot_be_proved_is_noticed(name: str, failure: Failure) -> None:
    assert prover(ludens.load(name, wait=True).initial_state()).failure is failure


@given(seed=st.integers(0, 100_000), played=st.integers(0, 3))
@examples(200)
def test_values_and_moves_of_random_games_are_those_of_plain_minimax(seed: int, played: int) -> None:
    game, rng, position = token_game(seed), Random(seed), (0, 0, 0)
    state: State = CircuitGame(read_rules(game.rules()), f"tokens {seed}").initial_state()
    for _ in range(played):
        going_on = [move for move in game.moves(position) if game.moves(game.after(position, move))]
        if not going_on:
            break
        token, place = move = rng.choice(going_on)
        state = state.play({"one": "wait", "two": "wait"} | {("one", "two")[position[2]]: f"(go {token} {place})"})
        position = game.after(position, move)
    if not game.moves(position):
        return

    found = prover(state)

    assert found.failure is Failure.NONE
    assert found.bounds == (game.value(position),) * 2
    if len(game.moves(position)) > 1 and (number := found.deciding_move()) >= 0:
        assert isinstance(state.game, BatchGame)
        words = state.game.move_texts[position[2]][number].strip("()").split()
        assert game.value(game.after(position, (int(words[1]), int(words[2])))) == game.value(position)


def test_symmetries_are_composed_to_all_that_they_make_together() -> None:
    # A quarter turn and a reflection of four corners, and fluents that stay.
    square = [[2, 0, 3, 1, *range(4, 64)], [1, 0, 3, 2, *range(4, 64)]]
    found = compositions(square, 64)

    assert len(found) == 7
    assert len({tuple(image) for image in found}) == 7
    assert tuple(range(64)) not in {tuple(image) for image in found}
    assert all((image[4:] == np.arange(4, 64)).all() for image in found)
