"""What the roles of a game know in many states, as numbers: equal numbers are the same information set."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ludens.core.batch_game import BatchGame, Numbers, PackedBits
from ludens.core.batch_worlds import Keys

Fluents = Callable[[Sequence[int]], PackedBits]
"""Which of some fluents are true in each state, packed, as `Batch.packed_fluents` says."""

_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_HALF = np.uint64(32)


class Knowledge:
    """Follows what roles know: with hidden information their own moves and percepts, else the whole state."""

    def __init__(self, game: BatchGame) -> None:
        everything = range(len(game.fluent_texts))
        self._columns: list[Sequence[int]] = [
            list(game.percept_fluents(role).values()) if game.hidden else everything for role in range(len(game.roles))
        ]
        weights = np.random.default_rng(1).integers(1, 2**63, len(everything) // 64 + 1, np.uint64)
        self._weights: Keys = weights * np.uint64(2) + np.uint64(1)

    def first(self, states: int) -> Keys:
        """The roles' knowledge at the beginning."""
        return np.zeros((states, len(self._columns)), np.uint64)

    def after(self, keys: Keys, fluents: Fluents, moves: Numbers) -> Keys:
        """The roles' knowledge after a turn, from the knowledge before it, their moves and percepts."""
        perceived = np.stack([self._perceived(fluents, columns, len(keys)) for columns in self._columns], axis=1)
        own = moves[:, : len(self._columns)].astype(np.uint64)
        return _mix(_mix(keys + own + np.uint64(1)) + perceived)

    def _perceived(self, fluents: Fluents, columns: Sequence[int], states: int) -> Keys:
        if not len(columns):
            return np.zeros(states, np.uint64)
        packed = fluents(columns)
        words = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), np.uint8)
        words[:, : packed.shape[1]] = packed
        numbers = words.view(np.uint64)
        found: Keys = (_mix(numbers) * self._weights[: numbers.shape[1]]).sum(axis=1, dtype=np.uint64)
        return found


def select_fluents(packed: PackedBits, numbers: Sequence[int]) -> PackedBits:
    """Some fluents of packed states."""
    columns = np.asarray(numbers)
    bits = packed[:, columns >> 3] >> (columns & 7).astype(np.uint8) & np.uint8(1)
    return np.packbits(bits, axis=1, bitorder="little")


def _mix(keys: Keys) -> Keys:
    """A hash of numbers in which every bit depends on all bits."""
    found: Keys = (keys ^ (keys >> _HALF)) * _ODD
    return found ^ (found >> _SHIFT)
