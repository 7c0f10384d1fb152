"""Batches for any number of states: searches have few positions at one time and thousands at another."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from ludens.core.batch import Batch, BatchGame, Numbers, PackedBits
from ludens.core.block import LANES

_Rows = TypeVar("_Rows", PackedBits, Numbers)


class BatchPool:
    """Batches of one game, created on demand; their sizes are a power of two of blocks."""

    def __init__(self, game: BatchGame, seed: int = 0) -> None:
        self._game = game
        self._seed = seed
        self._batches: dict[int, Batch] = {}

    def at(self, packed: PackedBits) -> Batch:
        """A batch whose first lanes hold these states, the others the last of them. Later calls reuse it."""
        blocks = 1 << (-(-len(packed) // LANES) - 1).bit_length()
        batch = self._batches.get(blocks)
        if batch is None:
            batch = self._batches[blocks] = Batch(self._game, blocks * LANES, seed=self._seed)
        batch.set_states(pad_rows(packed, batch.size))
        return batch


def pad_rows(rows: _Rows, size: int) -> _Rows:
    """Pad rows to a size by repeating the last one."""
    return np.concatenate([rows, np.broadcast_to(rows[-1:], (size - len(rows), rows.shape[1]))])


def set_bits(packed: PackedBits) -> Numbers:
    """The numbers of the bits that are set, row by row. Most bytes are zero, so only the others are unpacked."""
    width = packed.shape[1]
    where = np.flatnonzero(packed)
    which, bit = np.nonzero(np.unpackbits(packed.reshape(-1)[where][:, None], axis=1, bitorder="little"))
    numbers: Numbers = ((where[which] % max(1, width)) * 8 + bit).astype(np.int32)
    return numbers
