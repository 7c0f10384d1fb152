"""What a batch writes into arrays, and what a backend implements to do so (`ludens.core.step_arrays`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ludens.core.game import Role

Array = NDArray[Any]
Form = Literal["flags", "floats", "packed"]
"""A byte for each bit, 0 or 1; a number of four bytes; or eight bits to the byte, the lowest first."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a step was not made: lane and role of an illegal move, or, without role, a lane that is stuck."""

    lane: int
    role: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """The arrays of a step. Lanes come first, or steps and then lanes."""

    observations: Mapping[str, Array]
    final_observations: Mapping[str, Array]
    masks: Mapping[Role, Array]
    rewards: NDArray[np.float32]
    terminal: NDArray[np.bool_]
    moves: NDArray[np.int32]
    illegal: NDArray[np.bool_]

    def map(self, change: Callable[[Array], Array]) -> Memory:
        """The same with every array changed."""

        def each(arrays: Mapping[str, Array]) -> dict[str, Array]:
            return {name: change(array) for name, array in arrays.items()}

        return Memory(
            each(self.observations),
            each(self.final_observations),
            each(self.masks),
            *map(change, (self.rewards, self.terminal, self.moves, self.illegal)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class ArrayPlan:
    """Which fluents and moves are written, and in which form."""

    fluents: Mapping[str, NDArray[np.int64]]
    """For each observation the number of a fluent at every place, -1 where nothing is."""
    observation_form: Form
    mask_form: Form
    memory: Memory


class ArrayWriter(ABC):
    """What a backend implements to write the lanes of one batch into the arrays of one plan."""

    @abstractmethod
    def write(self) -> None:
        """Write what holds now; rewards are those of lanes that are over. ``moves`` and ``illegal`` stay."""

    @abstractmethod
    def step(self, moves: NDArray[np.int32] | None, restart: bool, at_once: bool, replace: bool) -> Fault | None:
        """Make a joint move in every lane and write everything, `StepArrays.step` says how. After a fault the lanes are
        as they were, but not the arrays."""
