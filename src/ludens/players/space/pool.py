"""Batches for any number of states: searches have few positions at one time, and thousands at another."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from ludens.core.batch import LANES, Batch, BatchGame, Numbers, PackedBits

_Rows = TypeVar("_Rows", PackedBits, Numbers)


class BatchPool:
    """Batches of one game whose sizes are powers of two of blocks, made when they are first needed."""

    def __init__(self, game: BatchGame, seed: int = 0) -> None:
        self._game = game
        self._seed = seed
        self._batches: dict[int, Batch] = {}

    def at(self, packed: PackedBits) -> Batch:
        """A batch whose first lanes have these states; the others have the last of them. It is used again later."""
        blocks = 1 << (-(-len(packed) // LANES) - 1).bit_length()
        batch = self._batches.get(blocks)
        if batch is None:
            batch = self._batches[blocks] = Batch(self._game, blocks * LANES, seed=self._seed)
        batch.set_states(filled(packed, batch.size))
        return batch


def filled(rows: _Rows, size: int) -> _Rows:
    """So many rows, the last one repeated."""
    return np.concatenate([rows, np.broadcast_to(rows[-1:], (size - len(rows), rows.shape[1]))])


def set_bits(packed: PackedBits) -> Numbers:
    """The numbers of the bits that are set, row after row. Most bytes are zero, so only the others are unpacked."""
    width = packed.shape[1]
    where = np.flatnonzero(packed)
    which, bit = np.nonzero(np.unpackbits(packed.reshape(-1)[where][:, None], axis=1, bitorder="little"))
    numbers: Numbers = ((where[which] % max(1, width)) * 8 + bit).astype(np.int32)
    return numbers
