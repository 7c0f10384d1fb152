from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import State, random_joint_move
from ludens.core.batch_game import BatchGame
from ludens.players.minimax.solve import Solver
from ludens.players.packed.prover import Failure, Prover


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
