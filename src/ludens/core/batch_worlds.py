"""What a player may believe, as lanes: states that fit what it knows, and numbers for what each role knows in each."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.core.batch import Batch
from ludens.core.batch_game import Flags, Numbers, PackedBits
from ludens.core.game import Worlds

Keys = NDArray[np.uint64]
"""A number for each role and state (lanes, roles): equal for all states that the role cannot distinguish."""


@dataclass(frozen=True, slots=True, eq=False)
class Particles:
    """Some complete states, and what each role knows in each."""

    states: PackedBits
    keys: Keys

    def take(self, which: NDArray[np.intp] | Flags) -> Particles:
        """Some of them."""
        return Particles(self.states[which], self.keys[which])

    def __len__(self) -> int:
        return len(self.states)


class BatchWorlds(Worlds):
    """A belief state as lanes, for searches that follow many states at once."""

    @abstractmethod
    def particles(self, count: int) -> Particles:
        """``count`` of the states, each about equally often."""

    @abstractmethod
    def keys_after(self, keys: Keys, batch: Batch, moves: Numbers) -> Keys:
        """The roles' knowledge after a turn: from the knowledge before it, their moves, and the batch after it."""
