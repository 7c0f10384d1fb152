"""Arrays of large searches: the set of visited keys, and how each node was reached."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludens.players.one_role.space import Flags, Keys, Numbers


class KeySet:
    """A set of keys as an open hash table, filled thousands of keys at a time."""

    def __init__(self) -> None:
        self._slots: Keys = np.zeros(1 << 14, np.uint64)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, keys: Keys) -> Flags:
        """Add keys; True for each new one, and only for the first of several equal ones."""
        distinct, first = np.unique(keys, return_index=True)
        while 2 * (self._count + len(distinct)) > len(self._slots):
            self._grow()
        fresh = self._insert(distinct)
        self._count += int(fresh.sum())
        new = np.zeros(len(keys), np.bool_)
        new[first[fresh]] = True
        return new

    def _insert(self, keys: Keys) -> Flags:
        """Insert distinct keys; True for those that are new."""
        mask = np.uint64(len(self._slots) - 1)
        fresh = np.zeros(len(keys), np.bool_)
        pending = np.arange(len(keys))
        places = keys & mask
        while len(pending):
            there = self._slots[places]
            empty = there == 0
            self._slots[places[empty]] = keys[pending[empty]]
            # If several keys hit the same empty slot, one wins; the others go on to the next slot.
            settled = self._slots[places] == keys[pending]
            fresh[pending[settled & empty]] = True
            pending = pending[~settled]
            places = (places[~settled] + np.uint64(1)) & mask
        return fresh

    def _grow(self) -> None:
        keys = self._slots[self._slots != 0]
        self._slots = np.zeros(4 * len(self._slots), np.uint64)
        self._insert(keys)


class Ancestry:
    """The parent of each node and the move that led from it, by the node's number; node 0 is the root."""

    def __init__(self) -> None:
        self._parents: NDArray[np.int32] = np.zeros(1 << 14, np.int32)
        self._moves: NDArray[np.int32] = np.zeros(1 << 14, np.int32)
        self._count = 1

    def __len__(self) -> int:
        return self._count

    def add(self, parents: Numbers, moves: Numbers) -> Numbers:
        """Add nodes; returns their numbers."""
        end = self._count + len(parents)
        while end > len(self._parents):
            self._parents = np.concatenate([self._parents, np.zeros_like(self._parents)])
            self._moves = np.concatenate([self._moves, np.zeros_like(self._moves)])
        self._parents[self._count : end] = parents
        self._moves[self._count : end] = moves
        numbers = np.arange(self._count, end)
        self._count = end
        return numbers

    def line(self, node: int) -> list[int]:
        """The moves from the root to a node."""
        found: list[int] = []
        while node:
            found.append(int(self._moves[node]))
            node = int(self._parents[node])
        return found[::-1]
