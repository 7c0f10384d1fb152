"""The interface of a game for searches: numbered moves, and all children of many positions at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludens.core import Game, Move, Role, State
from ludens.core.batch_game import PackedBits

Key: TypeAlias = Hashable
"""A position: equal keys are the same state."""
Flags = NDArray[np.bool_]
Numbers = NDArray[np.int32]
Values = NDArray[np.float64]

IDLE = -1
"""Stands for no move, where a role does not take part in a joint move."""


@dataclass(frozen=True, slots=True)
class JointMoves:
    """All joint moves of several positions, in one long row.

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
    """Where the children of each joint move begin, and where the last ones end; None if each has exactly one."""
    probabilities: Values | None = None
    """The probability of each child after its joint move; None if each joint move has one child."""

    def expected_values(self, values: Values) -> Values:
        """The expected value of each joint move, given a value, or a row of values, for each child."""
        if self.first_child is None or self.probabilities is None:
            return values
        weights = self.probabilities if values.ndim == 1 else self.probabilities[:, None]
        found: Values = np.add.reduceat(values * weights, self.first_child[:-1], axis=0)
        return found


@dataclass(frozen=True, slots=True)
class Expansion:
    """The joint moves of several positions and the children that they lead to, in the same order."""

    joint: JointMoves
    """The joint moves."""
    keys: Sequence[Key]
    """The children."""
    terminal: Flags
    """Which children are terminal, or leave nobody a move."""
    goals: Numbers
    """The goals of each role in each child (children, roles), as in `State.goals`."""
    mobility: Numbers
    """How many moves each role has in each child (children, roles)."""
    packed: PackedBits | None = None
    """The true fluents of each child, packed eight to the byte; None if positions are not bits."""
    stuck: Flags | None = None
    """Which children count as terminal only because a role that must move cannot; None if unknown."""


class Space(ABC):
    """A game whose positions can be expanded."""

    leaves_at_once: int = 1
    """The batch size at which expanding many positions takes about as long as a few one by one."""

    def __init__(self, game: Game) -> None:
        self.game = game
        """The game."""
        self.roles = game.roles
        """Its roles; everything else refers to them by number."""
        self.pulse: Callable[[], None] = lambda: None
        """Called every few milliseconds while positions are expanded; may raise to stop."""

    def prepare(self) -> None:  # noqa: B027 - most spaces have nothing to make
        """Do one-time work now."""

    @abstractmethod
    def key(self, state: State) -> Key:
        """The key of a state."""

    @abstractmethod
    def expand(self, keys: Sequence[Key]) -> Expansion:
        """All children of nonterminal positions."""

    @abstractmethod
    def move(self, role: int, number: int) -> Move:
        """The move of a role with a number."""

    def joint_move(self, numbers: Sequence[int]) -> dict[Role, Move]:
        """The joint move with a row of numbers."""
        return {self.roles[role]: self.move(role, int(number)) for role, number in enumerate(numbers) if number != IDLE}
