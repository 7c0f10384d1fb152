"""The positions of a game as a search sees them: numbered moves, and all children of many positions at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludens.core import Game, Move, Role, State
from ludens.core.batch import PackedBits

Key: TypeAlias = Hashable
"""A position: equal keys are the same state."""
Flags = NDArray[np.bool_]
Numbers = NDArray[np.int32]
Values = NDArray[np.float64]

IDLE = -1
"""The number of no move, of a role that does not take part in a joint move."""


@dataclass(frozen=True, slots=True)
class JointMoves:
    """All joint moves of some positions, in one long row.

    Those of one position stand side by side, the last role's moves changing fastest. Each leads to one child, or to
    several where chance resolves it.
    """

    counts: Numbers
    """How many moves each role can choose from (positions, roles)."""
    first: NDArray[np.int64]
    """Where the joint moves of each position begin, and where the last ones end (positions + 1)."""
    moves: Numbers
    """The number of each role's move (joint moves, roles), `IDLE` for a role that does not move."""
    first_child: NDArray[np.int64] | None = None
    """Where the children of each joint move begin, and the last ones end; None if each has exactly one."""
    probabilities: Values | None = None
    """How likely each child is after its joint move; None if each joint move has one."""

    def expected(self, values: Values) -> Values:
        """The value of each joint move, given a value, or a row of them, for each child."""
        if self.first_child is None or self.probabilities is None:
            return values
        weights = self.probabilities if values.ndim == 1 else self.probabilities[:, None]
        found: Values = np.add.reduceat(values * weights, self.first_child[:-1], axis=0)
        return found


@dataclass(frozen=True, slots=True)
class Expansion:
    """The joint moves of some positions and the children that they lead to, in the same order."""

    joint: JointMoves
    """What can be played."""
    keys: Sequence[Key]
    """The children."""
    terminal: Flags
    """Which children are over, or have nobody who could move."""
    goals: Numbers
    """What each role gets in each child (children, roles), as `State.goals` has it."""
    mobility: Numbers
    """How many moves each role has in each child (children, roles)."""
    packed: PackedBits | None = None
    """Which fluents are true in each child, eight to the byte; None where positions are not made of bits."""
    stuck: Flags | None = None
    """Which children count as over only because a role that should move cannot; None if the space does not tell."""


class Space(ABC):
    """A game whose positions can be expanded."""

    leaves_at_once: int = 1
    """How many positions take about as long together as a few of them one by one."""

    def __init__(self, game: Game) -> None:
        self.game = game
        """The game."""
        self.roles = game.roles
        """Its roles; everything goes by their numbers."""
        self.pulse: Callable[[], None] = lambda: None
        """Called every few milliseconds while positions are expanded; may raise to stop that."""

    def prepare(self) -> None:  # noqa: B027 - most spaces have nothing to make
        """Do what is done only once now, so that it costs no time later."""

    @abstractmethod
    def key(self, state: State) -> Key:
        """The key of a state."""

    @abstractmethod
    def expand(self, keys: Sequence[Key]) -> Expansion:
        """All children of some positions that are not over."""

    @abstractmethod
    def move(self, role: int, number: int) -> Move:
        """The move of a role that a number stands for."""

    def joint_move(self, numbers: Sequence[int]) -> dict[Role, Move]:
        """The joint move that a row of numbers stands for."""
        return {self.roles[role]: self.move(role, int(number)) for role, number in enumerate(numbers) if number != IDLE}
