"""Compute positions of compiled games, any number at once: where they end, their goals, and their legal moves.

Every search on packed positions reads them here: alphabeta, single and neural.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ludens.core import Role
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame, Flags, Numbers, PackedBits
from ludens.core.block import LANES

MOST_LANES = 8 * LANES
"""Positions computed in one call: more need memory without being faster, and the clock is checked in between."""

_Rows = TypeVar("_Rows", PackedBits, Numbers)


@dataclass(frozen=True, slots=True)
class Found:
    """What holds in some positions, one per row."""

    packed: PackedBits
    """The true fluents, eight to the byte."""
    terminal: Flags
    stuck: Flags
    """Those that are not terminal although a role has no move, or chance no weights."""
    goals: Numbers
    """The goals of each role (positions, roles), as in `State.goals`."""
    legal: Sequence[PackedBits]
    """The legal moves of each role, eight to the byte; none where a position is terminal."""

    @property
    def counts(self) -> Numbers:
        """How many moves each role has (positions, roles)."""
        found = np.empty((len(self.packed), len(self.legal)), np.int32)
        for role, own in enumerate(self.legal):
            found[:, role] = np.bitwise_count(own).sum(axis=1)
        return found

    def stack_legal(self) -> PackedBits:
        """The legal moves of all roles side by side, as wide as the widest (positions, roles, bytes)."""
        found = np.zeros((len(self.packed), len(self.legal), max(own.shape[1] for own in self.legal)), np.uint8)
        for role, own in enumerate(self.legal):
            found[:, role, : own.shape[1]] = own
        return found

    @property
    def moves(self) -> list[Numbers]:
        """The numbers of each role's moves, position by position in one long row."""
        return [set_bits(own) for own in self.legal]


class Expander:
    """Positions of one game, on batches that are created on demand; their sizes are a power of two of blocks."""

    def __init__(self, game: BatchGame, movers: Sequence[Role], seed: int = 0) -> None:
        """``movers`` are the roles whose legal moves are read."""
        self._game = game
        self._movers = movers
        self._seed = seed
        self._batches: dict[int, Batch] = {}
        self.pulse: Callable[[], None] = lambda: None
        """Called before every few thousand positions; may raise to stop."""

    def prepare(self) -> None:
        """Create all batches and their code, which the first move would otherwise wait for."""
        initial = self._game.pack([self._game.initial_state()])
        lanes = LANES
        while lanes <= MOST_LANES:
            batch = self.batch(np.repeat(initial, lanes, axis=0))
            batch.advance(np.stack([batch.legal(role).argmax(axis=1) for role in self._movers], axis=1))
            lanes *= 2

    def batch(self, packed: PackedBits) -> Batch:
        """A batch whose first lanes hold these states, the others the last of them. Later calls reuse it."""
        blocks = 1 << (-(-len(packed) // LANES) - 1).bit_length()
        batch = self._batches.get(blocks)
        if batch is None:
            batch = self._batches[blocks] = Batch(self._game, blocks * LANES, seed=self._seed)
        batch.set_states(_pad_rows(packed, batch.size))
        return batch

    def at(self, packed: PackedBits) -> Found:
        """The positions with these packed bits."""
        return self._join([self.read(self.batch(packed[part]), packed[part]) for part in self._chunks(packed)])

    def after(self, packed: PackedBits, joint: Numbers) -> Found:
        """The positions after one joint move in each; chance is drawn unless its moves are given, too."""
        parts = []
        for part in self._chunks(packed):
            batch = self.batch(packed[part])
            batch.advance(_pad_rows(joint[part], batch.size))
            parts.append(self.read(batch, batch.packed_states[: len(joint[part])]))
        return self._join(parts)

    def read(self, batch: Batch, packed: PackedBits) -> Found:
        """What holds in the first lanes of a batch, whose packed bits these are."""
        count = len(packed)
        legal = [batch.packed_legal(role)[:count] for role in self._movers]
        return Found(packed, batch.terminal[:count], batch.stuck[:count], batch.goals[:count], legal)

    def _chunks(self, packed: PackedBits) -> Iterator[slice]:
        for begin in range(0, len(packed), MOST_LANES):
            self.pulse()
            yield slice(begin, begin + MOST_LANES)

    def _join(self, parts: Sequence[Found]) -> Found:
        if len(parts) == 1:
            return parts[0]
        if not parts:
            batch = self.batch(self._game.pack([self._game.initial_state()]))
            return self.read(batch, batch.packed_states[:0])
        return Found(
            np.concatenate([part.packed for part in parts]),
            np.concatenate([part.terminal for part in parts]),
            np.concatenate([part.stuck for part in parts]),
            np.concatenate([part.goals for part in parts]),
            [np.concatenate(own) for own in zip(*(part.legal for part in parts), strict=True)],
        )


def _pad_rows(rows: _Rows, size: int) -> _Rows:
    """Pad rows to a size by repeating the last one."""
    return np.concatenate([rows, np.broadcast_to(rows[-1:], (size - len(rows), rows.shape[1]))])


def set_bits(packed: PackedBits) -> Numbers:
    """The numbers of the bits that are set, row by row. Most bytes are zero, so only the others are unpacked."""
    width = packed.shape[1]
    where = np.flatnonzero(packed)
    which, bit = np.nonzero(np.unpackbits(packed.reshape(-1)[where][:, None], axis=1, bitorder="little"))
    numbers: Numbers = ((where[which] % max(1, width)) * 8 + bit).astype(np.int32)
    return numbers


def first_bits(packed: PackedBits) -> Numbers:
    """The number of the first bit that is set in each row, along the last axis; -1 where none is."""
    place = (packed != 0).argmax(axis=-1)
    byte = np.take_along_axis(packed, place[..., None], axis=-1)[..., 0]
    below = np.bitwise_count(byte ^ (byte - 1)) - 1
    return np.where(byte == 0, -1, 8 * place + below).astype(np.int32)
