"""What can be set about a tree search, and what a search tells about its root: the same for both kinds of search."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

from ludens.core import Move, State

WIDEST = 1.5
"""Where several roles choose at once, the exploration term is drawn each time: up to so many times what is set.

Up to 2 was better at goofspiel, oshi-zumo and tron, and worse at bidding tic-tac-toe; up to 1 the other way round.
"""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How to search; the player's options, checked."""

    exploration: float
    """The weight of UCT's exploration term, for values from 0 to 1."""
    rave: float
    """Tries after which a move's own average counts as much as its average anywhere below; 0 does without."""
    grave: int
    """Visits that a node needs to be asked for those averages; one with fewer asks the nearest above it (GRAVE)."""
    mast: bool
    """Whether untried moves are tried in the order of their average over the whole search."""
    cutoff: int
    """Joint moves after which a playout is given up."""
    lanes: int
    """Playouts for each leaf; 0 lets the search decide."""
    leaves: int
    """Leaves evaluated at once; 0 lets the search decide."""
    memory: int
    """Megabytes that the tree may take."""


@dataclass(frozen=True, slots=True)
class RootMove:
    """What a search knows of one own move at its root."""

    move: Move
    visits: int
    mean: float
    """The average for the own role, 0 to 100; exact if it is proven."""
    low: int
    """What the own role is sure to get."""
    high: int
    """What the own role can get at most."""

    @property
    def proven(self) -> bool:
        """True if the value is exact."""
        return self.low == self.high


class Search(ABC):
    """A tree that grows from the current position, and is kept from move to move."""

    playouts: int = 0
    """Playouts so far."""
    iterations: int = 0
    """Leaves evaluated so far."""

    @abstractmethod
    def set_root(self, state: State, seconds: float = math.inf) -> None:
        """Search from this position from now on; what is known below it stays, if that takes no longer than told."""

    @abstractmethod
    def run(self, seconds: float, iterations: int) -> None:
        """Search for about so long, or for so many leaves if that takes less time; return early once settled."""

    @property
    @abstractmethod
    def is_settled(self) -> bool:
        """True if the value of the root is proven for the own role."""

    @property
    @abstractmethod
    def longest_step(self) -> float:
        """Seconds that `run` may take longer than it was told, as measured lately."""

    @property
    def tidying(self) -> float:
        """Seconds that go by before `run` gets on, since room has to be made."""
        return 0.0

    @property
    @abstractmethod
    def nodes(self) -> int:
        """The size of the tree."""

    @property
    @abstractmethod
    def is_joint(self) -> bool:
        """True if another role has a choice at the root too."""

    @abstractmethod
    def root_moves(self) -> list[RootMove]:
        """The own role's moves at the root, in the order of the rules."""

    @abstractmethod
    def line(self, move: Move) -> tuple[Move, ...]:
        """What is expected to be played after an own move, that move first."""
