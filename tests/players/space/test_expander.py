"""The expander reads the same from thousands of packed positions as the State contract does one by one."""

from __future__ import annotations

import numpy as np
import pytest

import ludens
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame, PackedBits
from ludens.players.space.expander import MOST_LANES, Expander, Found, first_bits, set_bits


def _game() -> BatchGame:
    game = ludens.load("connect_four", wait=True)
    assert isinstance(game, BatchGame)
    return game


def _some_positions(game: BatchGame, count: int) -> PackedBits:
    """Positions after 0, 1, 2, … random moves; in the end, all are terminal."""
    batch = Batch(game, 128, seed=4)
    parts: list[PackedBits] = []
    while 128 * len(parts) < count:
        parts.append(batch.packed_states.copy())
        batch.advance()
    return np.concatenate(parts)[:count]


def _check(game: BatchGame, found: Found, rows: np.ndarray) -> None:
    counts, moves = found.counts, found.moves
    ends = np.cumsum(counts, axis=0)
    for row, state in zip(rows, game.unpack(found.packed[rows]), strict=True):
        assert found.terminal[row] == state.is_terminal
        assert not found.stuck[row]
        assert found.goals[row].tolist() == [state.goals[role] for role in game.roles]
        for n, role in enumerate(game.roles):
            own = moves[n][ends[row, n] - counts[row, n] : ends[row, n]]
            legal = [] if state.is_terminal else state.legal_moves(role)
            assert sorted(game.move_texts[n][move] for move in own) == sorted(legal)


@pytest.mark.parametrize("count", [1, 513, MOST_LANES + 100])
def test_positions_are_those_of_the_states(count: int) -> None:
    game = _game()
    packed = _some_positions(game, count)

    found = Expander(game, game.roles).at(packed)

    assert (found.packed == packed).all()
    _check(game, found, np.unique(np.linspace(0, count - 1, 40).astype(int)))


def test_positions_after_joint_moves_are_in_the_order_of_their_parents() -> None:
    game = _game()
    expander = Expander(game, game.roles)
    packed = _some_positions(game, MOST_LANES + 100)
    before = expander.at(packed)
    going = np.flatnonzero(~before.terminal)
    packed = np.repeat(packed[going], 3, axis=0)
    joint = np.repeat(np.stack([first_bits(own[going]) for own in before.legal], axis=1), 3, axis=0)

    found = expander.after(packed, joint)

    rows = np.linspace(0, len(packed) - 1, 40).astype(int)
    for row, state, after in zip(rows, game.unpack(packed[rows]), game.unpack(found.packed[rows]), strict=True):
        moves = {role: game.move_texts[n][joint[row, n]] for n, role in enumerate(game.roles)}
        assert state.play(moves) == after
    _check(game, found, rows)


def test_no_positions_have_no_moves() -> None:
    game = _game()
    expander = Expander(game, game.roles)

    found = expander.after(np.zeros((0, game.packed_width), np.uint8), np.zeros((0, 2), np.int32))

    assert found.counts.shape == found.goals.shape == (0, 2)
    assert [len(own) for own in found.moves] == [0, 0]


def test_the_pulse_may_stop_it_before_every_few_thousand_positions() -> None:
    game = _game()
    expander = Expander(game, game.roles)
    beats: list[int] = []
    expander.pulse = lambda: beats.append(1)

    expander.at(_some_positions(game, MOST_LANES + 1))

    assert len(beats) == 2


def test_bits_by_number() -> None:
    packed = np.array([[0, 0], [0b100, 0b1], [0, 0b10000000]], np.uint8)

    assert set_bits(packed).tolist() == [2, 8, 15]
    assert first_bits(packed).tolist() == [-1, 2, 15]
