"""Information sets and the statistics of their moves, in machine code (`source/sets.cpp`)."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.native.bitcode import Library
from ludens.core.batch_game import Flags, Numbers
from ludens.core.batch_worlds import Keys

Values = NDArray[np.float64]

MEMORY = 256 * 2**20
"""Memory limit, in bytes."""
PRIOR = 0.25
"""The variance that the results of a move are expected to have."""

_SET = np.dtype([("key", "u8"), ("role", "i4"), ("first", "i4"), ("visits", "i8")])
_EDGE = np.dtype(
    [("move", "i4"), ("next", "i4"), ("set", "i4"), ("tries", "i4")]
    + [(name, "f8") for name in ("available", "total", "squares", "regret", "strategy")]
)
_EDGES_PER_SET = 8
LEARNT = 50
"""Visits for each move from which on the mean strategy of a set is used."""
DETOURS = 0.2
"""How often a role that learns regrets chooses at random."""
_POINTER, _INTEGER, _WORD = ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint64


class _Sets(ctypes.Structure):
    _fields_: ClassVar[Any] = [
        *((name, _INTEGER) for name in ("count", "room", "edge_count", "edge_room", "buckets")),
        ("random", _WORD),
        *((name, _POINTER) for name in ("set", "edge", "table")),
    ]


class _Settings(ctypes.Structure):
    _fields_: ClassVar[Any] = [
        ("exploration", ctypes.c_double),
        ("prior", ctypes.c_double),
        ("draws", _INTEGER),
        ("expanded", _INTEGER),
        ("detours", ctypes.c_double),
    ]


class _Machine:
    def __init__(self) -> None:
        library = Library(files(__package__).joinpath("source", "sets.bc").read_bytes())
        self.choose = library.function("ludens_choose", None, *[_POINTER] * 2, *[_INTEGER] * 2, *[_POINTER] * 6)
        self.mix = library.function("ludens_mix", None, *[_POINTER] * 2, *[_INTEGER] * 3, *[_POINTER] * 7)
        self.learn = library.function("ludens_learn", None, _POINTER, _INTEGER, *[_POINTER] * 3)
        self.back_up = library.function("ludens_back_up", None, _POINTER, _INTEGER, *[_POINTER] * 2)
        self.find = library.function("ludens_find", _INTEGER, _POINTER, _INTEGER, _WORD)
        self.clear = library.function("ludens_clear", None, _POINTER)


@cache
def _machine() -> _Machine:
    return _Machine()


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """Where a role has a choice: some lanes, the keys of its information sets there, and its legal moves."""

    lanes: NDArray[np.intp]
    keys: Keys
    starts: NDArray[np.int64]
    """The place of each lane's first move, and the number of all moves (lanes + 1,)."""
    moves: Numbers


@dataclass(frozen=True, slots=True)
class MoveStatistics:
    """How often a move of an information set was chosen, and the mean result with its standard error."""

    move: int
    tries: int
    mean: float
    error: float


class InformationSets:
    """A table of information sets by role and key. When it is full, no more are added."""

    def __init__(self, exploration: float, draws: bool, expanded: int, seed: int, memory: int = MEMORY) -> None:
        """Moves are chosen by upper confidence bounds, or with ``draws`` by values drawn from their distributions."""
        room = max(64, memory // (_SET.itemsize + _EDGES_PER_SET * _EDGE.itemsize + 16))
        buckets = 1 << (2 * room - 1).bit_length()
        self._set, self._edge = np.zeros(room, _SET), np.zeros(room * _EDGES_PER_SET, _EDGE)
        self._table = np.zeros(buckets, np.int32)
        pointers = (array.ctypes.data for array in (self._set, self._edge, self._table))
        self._sets = _Sets(0, room, 0, len(self._edge), buckets, seed, *pointers)
        self._settings = _Settings(exploration, PRIOR, draws, expanded, DETOURS)
        self._machine = _machine()

    def clear_if_half_full(self) -> None:
        """Forget all sets if more than half of the memory is used."""
        if 2 * self._sets.count > self._sets.room or 2 * self._sets.edge_count > self._sets.edge_room:
            self._machine.clear(ctypes.byref(self._sets))

    def choose(self, role: int, choices: Choices) -> tuple[Numbers, Numbers, Flags]:
        """For each lane the place of the move chosen among its moves, its edge, and whether to descend further."""
        count = len(choices.lanes)
        places, edges, goes_on = np.empty(count, np.int32), np.empty(count, np.int32), np.empty(count, np.bool_)
        arrays = choices.keys, choices.starts, choices.moves, places, edges, goes_on
        self._machine.choose(
            ctypes.byref(self._sets),
            ctypes.byref(self._settings),
            role,
            count,
            *(array.ctypes.data for array in arrays),
        )
        return places, edges, goes_on

    def mix(self, role: int, choices: Choices, learns: bool) -> tuple[Numbers, Numbers, Flags, Values]:
        """As `choose`, by regret matching, and how likely each choice was. A role that learns also makes detours; of
        the others the mean strategy is recorded."""
        count = len(choices.lanes)
        places, edges, goes_on = np.empty(count, np.int32), np.empty(count, np.int32), np.empty(count, np.bool_)
        chances = np.empty(count)
        arrays = choices.keys, choices.starts, choices.moves, places, edges, goes_on, chances
        self._machine.mix(
            ctypes.byref(self._sets),
            ctypes.byref(self._settings),
            role,
            learns,
            count,
            *(array.ctypes.data for array in arrays),
        )
        return places, edges, goes_on, chances

    def learn(self, edges: Numbers, chances: Values, values: Values) -> None:
        """Learn regrets from the values of choices, and replace each value by that of the set."""
        self._machine.learn(
            ctypes.byref(self._sets), len(edges), edges.ctypes.data, chances.ctypes.data, values.ctypes.data
        )

    def strategy(self, role: int, key: int) -> dict[int, float]:
        """The mean strategy in a set: how likely each move is; empty if it was visited too rarely."""
        sums = {int(edge["move"]): float(edge["strategy"]) for edge in self._edges_of(role, key)}
        number = self._machine.find(ctypes.byref(self._sets), role, key)
        total = sum(sums.values()) if number >= 0 and self._set[number]["visits"] >= LEARNT * len(sums) else 0.0
        return {move: share / total for move, share in sums.items()} if total else {}

    def _edges_of(self, role: int, key: int) -> Iterator[NDArray[np.void]]:
        number = self._machine.find(ctypes.byref(self._sets), role, key)
        place = int(self._set[number]["first"]) if number >= 0 else -1
        while place >= 0:
            yield self._edge[place]
            place = int(self._edge[place]["next"])

    def is_new(self, role: int, key: int) -> bool:
        """True if nothing was recorded in a set."""
        number = self._machine.find(ctypes.byref(self._sets), role, key)
        return number < 0 or not self._set[number]["visits"]

    def back_up(self, edges: Numbers, results: Values) -> None:
        """Record the results of choices: from 0 to 1, or NaN for none."""
        self._machine.back_up(ctypes.byref(self._sets), len(edges), edges.ctypes.data, results.ctypes.data)

    def statistics(self, role: int, key: int) -> Iterator[MoveStatistics]:
        """The moves tried in a set."""
        for edge in self._edges_of(role, key):
            if edge["tries"]:
                tries, mean = int(edge["tries"]), float(edge["total"] / edge["tries"])
                variance = max(0.0, float(edge["squares"] / tries) - mean * mean) + PRIOR / tries
                yield MoveStatistics(int(edge["move"]), tries, mean, math.sqrt(variance / tries))
