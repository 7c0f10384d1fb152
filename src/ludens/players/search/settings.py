"""Settings and interface shared by both tree searches."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import ClassVar

from ludens.core import Deadline, Move, State


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The settings of a search, from the player's options."""

    exploration: float
    """The weight of UCT's exploration term, for values from 0 to 1."""
    rave: float
    """Leaves at which a move's own average counts as much as its RAVE average; 0: without RAVE."""
    grave: int
    """Visits that a node needs for its own RAVE averages; with fewer it uses its nearest such ancestor's (GRAVE)."""
    mast: bool
    """Whether untried moves are ordered by their average over the whole search (MAST)."""
    cutoff: int
    """Joint moves after which a playout is cut off."""
    lanes: int
    """Playouts per leaf; 0: chosen by the search."""
    leaves: int
    """Leaves evaluated at once; 0: chosen by the search."""
    memory: int
    """Memory for the tree, in megabytes."""
    lookahead: bool = False
    """Whether all children of new nodes are computed at once: wins in one move are seen, and moves are estimated."""
    minimax: float = 0.0
    """With estimates of moves: their share in the choice of moves, backed up by minimax; the rest are means."""


ESTIMATED_EXPLORATION, MINIMAX = 0.5, 0.3
"""With estimates of moves: the share of the usual exploration, and of minimax values in choices."""


RAVE_EXPLORATION = 0.15
"""With RAVE: the share of the usual exploration. Averages say where to search first, and more would not let them."""
RAVE_ON_STATES = 100.0
"""The setting of RAVE where it is the default: for leaves of a few playouts."""


def with_rave(settings: SearchSettings) -> SearchSettings:
    """The same settings with the exploration that RAVE needs."""
    return replace(settings, exploration=RAVE_EXPLORATION * settings.exploration) if settings.rave else settings


def with_estimates(settings: SearchSettings) -> SearchSettings:
    """The same settings with estimates of moves by the evaluation."""
    exploration = ESTIMATED_EXPLORATION * settings.exploration
    return replace(settings, lookahead=True, minimax=MINIMAX, exploration=exploration)


@dataclass(frozen=True, slots=True)
class RootMove:
    """Statistics and bounds of one own move at the root."""

    move: Move
    visits: int
    mean: float
    """The average for the own role, 0 to 100; exact if it is proven."""
    low: float
    """The goal that the own role is sure to get."""
    high: float
    """The most that the own role can get."""
    share: float | None = None
    """Where several roles choose: the probability with which to make the move."""

    CLOSE: ClassVar[float] = 1 / 32
    """Bounds this close are a proof."""

    @property
    def proven(self) -> bool:
        """True if the value is exact, up to rounding of means."""
        return self.high - self.low <= self.CLOSE


class Search(ABC):
    """A tree search from the current position; the tree is kept from move to move."""

    playouts: int = 0
    """Playouts so far."""
    iterations: int = 0
    """Leaves evaluated so far."""

    @abstractmethod
    def set_root(self, state: State, seconds: float = math.inf, only: Collection[Move] | None = None) -> None:
        """Search from this position from now on; the subtree below it is kept if ``seconds`` suffice.

        With ``only``, the own role chooses among these moves at the root.
        """

    @abstractmethod
    def run(self, seconds: float, iterations: int) -> None:
        """Search for about ``seconds``, or ``iterations`` leaves if that is faster; return early once settled."""

    def give_up_at(self, deadline: Deadline) -> None:  # noqa: B027 - most searches take short steps
        """Give up whatever takes longer at this deadline, as a playout of interpreted rules may."""

    @property
    @abstractmethod
    def is_settled(self) -> bool:
        """True if the value of the root is proven for the own role."""

    @property
    @abstractmethod
    def longest_step(self) -> float:
        """Seconds by which `run` may exceed its time limit, by recent measurements."""

    @property
    def seconds_to_make_room(self) -> float:
        """Seconds that `run` needs first to make room in a full tree."""
        return 0.0

    @property
    @abstractmethod
    def nodes(self) -> int:
        """The number of nodes in the tree."""

    @property
    def deepest(self) -> int:
        """The longest descent since the root was set, in joint moves."""
        return 0

    @property
    def fill(self) -> float:
        """The share of the room for nodes that is taken."""
        return 0.0

    def plies_to_end(self, move: Move) -> int | None:
        """Joint moves until the game ends after an own move whose value is proven; None if that is not known."""
        return None

    @abstractmethod
    def root_moves(self) -> list[RootMove]:
        """The own role's moves at the root, in the order of the rules."""

    @abstractmethod
    def line(self, move: Move) -> tuple[Move, ...]:
        """The expected line after an own move, that move first."""
