"""Blocks for machine code on any batch: functions in Python that machine code calls back.

So the native tree search works on every `BatchGame`, at the pace of its batches.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame, PackedBits
from ludens.core.block import (
    GOAL_ROWS,
    LANES,
    ROW_WORDS,
    BlockCode,
    BlockFunction,
    BlockFunctions,
    BlockLayout,
    BlockPhases,
    Words,
    row_array,
)

_FIRST_FLUENT = 0


class CallbackBlockCode(BlockCode):
    """Computes blocks by a batch of `LANES` states."""

    first_fluent = _FIRST_FLUENT

    def __init__(self, game: BatchGame, seed: int) -> None:
        counts = [len(moves) for moves in game.move_texts]
        players = len(game.roles)
        self.layout = BlockLayout(
            fluent_rows=8 * game.packed_width,
            first_moves=tuple(accumulate(counts[:-1], initial=0)),
            move_rows=sum(counts),
            first_goal=GOAL_ROWS,
            first_legal=GOAL_ROWS * (1 + players),
        )
        self.rng = row_array(1)
        self.phases = BlockPhases(np.zeros(0, np.int64), np.zeros((1, 0), np.uint64))
        self._game = game
        self._batch = Batch(game, LANES, seed=seed)
        self._last = row_array(self.layout.fluent_rows)
        self._values = row_array(1)
        self._callbacks = [
            _callback(6, self._position),
            _callback(12, self._advance),
            _callback(9, self._play_out),
        ]

    def begin_at(self, state: Words) -> None:
        """All states are of one phase."""

    def functions(self) -> BlockFunctions:
        """The addresses of the callbacks."""
        position, advance, play_out = (
            ctypes.cast(function, ctypes.c_void_p).value or 0 for function in self._callbacks
        )
        return BlockFunctions(
            BlockFunction(position, 0, self._values),
            BlockFunction(advance, 0, self._values),
            BlockFunction(play_out, 0, self._last),
        )

    def _position(self, *arguments: int) -> int:
        fluents, position = arguments[3], arguments[4]
        layout, batch = self.layout, self._batch
        batch.set_states(self._states(fluents))
        rows = _rows_at(position, layout.position_rows)
        rows[:] = 0
        rows[0], rows[1] = _row(batch.terminal), _row(batch.stuck)
        self._put_goals(rows, batch.goals)
        for role, first in zip(self._game.move_roles, layout.first_moves, strict=True):
            legal = batch.legal(role)
            rows[layout.first_legal + first :][: legal.shape[1]] = _rows(legal)
        return 0

    def _advance(self, *arguments: int) -> int:
        fluents, following, idle, moves, roles, lanes = (arguments[n] for n in (3, 4, 6, 8, 10, 11))
        batch = self._batch
        states = self._states(fluents)
        given = np.ctypeslib.as_array((ctypes.c_int32 * (lanes * roles)).from_address(moves)).reshape(lanes, roles)
        plays = np.zeros(LANES, np.bool_)
        plays[:lanes] = ~_flags(_rows_at(idle, 1)[0])[:lanes]
        first = int(np.argmax(plays))
        joint = np.repeat(given[first : first + 1], LANES, axis=0)
        joint[:lanes][plays[:lanes]] = given[plays[:lanes]]
        whole = states.copy()
        whole[~plays] = states[first]  # lanes that do not play repeat one that does, and are put back below
        if plays.any():
            batch.set_states(whole)
            batch.advance(joint)
            states[plays] = batch.packed_states[plays]
        _rows_at(following, self.layout.fluent_rows)[:] = _rows(self._bits(states))
        return 0

    def _play_out(self, *arguments: int) -> int:
        fluents, begins, most_moves, results = (arguments[n] for n in (4, 5, 6, 7))
        layout, batch = self.layout, self._batch
        begin = _flags(_rows_at(begins, 1)[0])
        states = self._states(fluents)
        if not begin.all():
            states[~begin] = states[int(np.argmax(begin))]
        batch.set_states(states)
        ended, made = np.zeros(LANES, np.bool_), 0
        goals = np.zeros((LANES, len(self._game.roles)), np.int32)
        given_up = np.zeros(LANES, np.bool_)
        for _ in range(most_moves + 1):
            fresh = batch.terminal & ~ended
            goals[fresh] = batch.goals[fresh]
            ended |= fresh
            given_up |= batch.stuck
            if (ended | given_up).all() or made >= most_moves * LANES:
                break
            batch.restart(given_up)  # nothing can be played there, and what is played now does not count
            batch.advance(batch.random_moves())
            made += LANES
        rows = _rows_at(results, layout.first_legal)
        rows[:] = 0
        ended &= begin & ~given_up
        rows[0] = _row(ended)
        self._put_goals(rows, np.where(ended[:, None], goals, 0))
        self._last[:] = _rows(self._bits(batch.packed_states))
        return made

    def _put_goals(self, rows: Words, goals: NDArray[np.int32]) -> None:
        bits = np.unpackbits(goals.astype(np.uint8), axis=1, bitorder="little").astype(np.bool_)
        rows[self.layout.first_goal :][: bits.shape[1]] = _rows(bits)

    def _states(self, address: int) -> PackedBits:
        """The states of a block, packed."""
        rows = _rows_at(address, self.layout.fluent_rows)
        bits = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little").T
        return np.packbits(bits, axis=1, bitorder="little")

    def _bits(self, states: PackedBits) -> NDArray[np.bool_]:
        return np.unpackbits(states, axis=1, bitorder="little").view(np.bool_)


def _callback(parameters: int, function: Callable[..., int]) -> ctypes._CFunctionType:
    kind: Any = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * parameters)
    callback: ctypes._CFunctionType = kind(function)
    return callback


def _rows_at(address: int, rows: int) -> Words:
    memory = (ctypes.c_uint64 * (rows * ROW_WORDS)).from_address(address)
    return np.ctypeslib.as_array(memory).reshape(rows, ROW_WORDS)


def _rows(bits: NDArray[np.bool_]) -> Words:
    """Bits of lanes (lanes, bits) as rows (bits, `ROW_WORDS`)."""
    return np.packbits(np.ascontiguousarray(bits.T), axis=1, bitorder="little").view(np.uint64)


def _row(flags: NDArray[np.bool_]) -> Words:
    return np.packbits(flags, bitorder="little").view(np.uint64)


def _flags(row: Words) -> NDArray[np.bool_]:
    return np.unpackbits(np.ascontiguousarray(row).view(np.uint8), bitorder="little").view(np.bool_)
