"""A backend that nobody knows: fast players and environments run on its batches through the contract alone."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from ludens.adapters.gymnasium import vector_env
from ludens.core import Clock, Deadline, GameError, IllegalMoveError
from ludens.core.batch import Batch
from ludens.core.player import Decision
from ludens.players import make_player
from ludens.players.learning.games import check_learnable
from ludens.players.minimax.solve import Solver
from ludens.players.neural.encoding import Encoding
from ludens.players.neural.positions import Rules
from ludens.players.search.block_search import BlockSearch
from ludens.players.search.settings import SearchSettings
from tests.core.heap import Heap
from tests.peers import peer


def decide(player_name: str, game: Heap, left: int, seconds: float = 60.0) -> Decision:
    player = make_player(player_name)
    player.start(game, game.roles[0], seed=1, clock=Clock(play=seconds, start=120.0))
    state = game.initial_state()
    while state.left > left:
        mover = game.roles[state.turn]
        state = state.play({role: "take 1" if role == mover else "noop" for role in game.roles})
    assert state.turn == 0
    decision = player.choose(state.view(game.roles[0]), Deadline(seconds))
    player.stop()
    return decision


@pytest.mark.parametrize("name", ["mcts:iterations=4000,ponder=off", "alphabeta"])
def test_a_search_on_an_unknown_backend_finds_the_winning_move(name: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "ludens.players"):
        decision = decide(name, Heap(21), left=15)

    assert decision.move == "take 3"
    assert caplog.records == []


def test_the_native_search_proves_the_value_on_an_unknown_backend() -> None:
    game = Heap(9)
    search = BlockSearch(game, 0, SearchSettings(0.2, 0.0, 0, False, 100, 0, 0, 4), seed=1)
    search.set_root(game.initial_state())
    search.run(60.0, 4_000)

    best = max(search.root_moves(), key=lambda root: root.low)
    assert search.is_settled
    assert (best.move, best.low, best.high) == ("take 1", 100, 100)


def test_single_solves_a_puzzle_on_an_unknown_backend() -> None:
    decision = decide("single", Heap(7, ("solo",)), left=7)

    assert decision.thinking.value == 100


def test_solve_proves_the_value_on_an_unknown_backend() -> None:
    assert Solver(Heap(8).initial_state(), budget=60.0).solve().bounds == {"first": (0, 0), "second": (100, 100)}


def test_a_network_sees_an_unknown_backend() -> None:
    game = check_learnable(Heap(9))
    positions = Rules(game).initial(3)

    assert Encoding.of(game).inputs(positions.packed).shape == (3, len(game.fluent_texts))
    assert positions.counts.tolist() == [3, 3, 3]
    assert positions.chooser.tolist() == [0, 0, 0]


@peer("torch")
def test_a_network_learns_an_unknown_backend(tmp_path: Path) -> None:
    from ludens.players.neural.training import Trainer, TrainingOptions  # noqa: PLC0415 - needs PyTorch

    small = TrainingOptions(matches=4, simulations=2, hidden=8, gate_matches=4)
    trainer = Trainer(Heap(5), tmp_path / "heap.pt", small, seed=1, resume=False)

    (step,) = trainer.run(3_600, 1)

    assert step.positions


def test_a_vector_environment_runs_on_an_unknown_backend() -> None:
    env = vector_env(Heap(6), lanes=5, seed=1)
    env.reset()

    rewards = np.zeros(5)
    for _ in range(12):
        _, reward, over, _, info = env.step(np.zeros(5, np.int64))
        rewards += reward
        assert info["action_mask"].shape == (5, 4)
        assert over.shape == (5,)

    assert rewards.sum() > 0


def test_lanes_play_as_states_do() -> None:
    game = Heap(13)
    batch = Batch(game, 64, seed=3)
    while not batch.terminal.all():
        before, moves = batch.states(), batch.random_moves()
        going = ~batch.terminal
        batch.advance(moves)
        for lane in np.flatnonzero(going):
            joint: Mapping[str, str] = {
                role: game.move_texts[number][moves[lane, number]] for number, role in enumerate(game.roles)
            }
            assert before[lane].play(joint) == batch.states()[lane]

    assert [dict(zip(game.roles, goals.tolist(), strict=True)) for goals in batch.goals] == [
        dict(state.goals) for state in batch.states()
    ]


def test_a_batch_checks_for_every_backend() -> None:
    batch = Batch(Heap(5), 2, seed=1)

    with pytest.raises(IllegalMoveError, match="lane 1: move 3, 'noop', is not a legal move of first"):
        batch.advance([[0, 3], [3, 3]])
    with pytest.raises(GameError, match="truth values"):
        batch.restart([1, 0])
    with pytest.raises(GameError, match="fluents 0 to 7"):
        batch.fluent_flags([8])


def test_a_twin_of_a_batch_draws_the_same_moves() -> None:
    batch = Batch(Heap(12), 100, seed=5)
    twin = batch.copy()

    assert (batch.random_moves() == twin.random_moves()).all()
