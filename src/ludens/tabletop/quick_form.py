"""Quick forms: positions of a page as plain values, in which histories are searched much faster than on tables.

In games with secret places, worlds are found by playing turns again that a player did not see. A page that offers a
quick form (`Rule.quick_form`) lets the search play them on thousands of positions. Every world that is returned was
played again on tables, so a mistake in the quick form costs worlds but does not make wrong ones.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ludens.core import Move, Role
from ludens.tabletop.table import Table


@dataclass(frozen=True, slots=True)
class QuickTurn:
    """What a player knows about a turn of the match."""

    role: Role
    """The player that observed it."""
    mover: Role
    """The player that acted."""
    move: Move | None
    """The move, if it was the observer's own."""
    percepts: tuple[str, ...]
    """What the observer perceived."""
    is_over: bool
    """True if the play was over afterwards."""


class QuickForm(ABC):
    """Positions of a page as hashable values. One player acts in each turn, and nothing is left to chance."""

    FITTING: ClassVar[float] = 30.0
    """The weight of positions in which a turn would fit."""

    @abstractmethod
    def first(self, table: Table) -> Hashable:
        """The position of a table."""

    @abstractmethod
    def replies(self, position: Hashable, turn: QuickTurn) -> tuple[Sequence[Move], int]:
        """The moves of the player to act after which the observer would have perceived the same, and the number of all
        its moves."""

    @abstractmethod
    def play(self, position: Hashable, move: Move, turn: QuickTurn) -> Hashable | None:
        """The position after a move; None if the move is not allowed, or the observer would have perceived something
        else."""

    def nearness(self, position: Hashable, turn: QuickTurn) -> float:
        """A weight above 0 that is larger the more of a later turn is true in a position already.

        It guides the search for a history when no particle has survived the turn. Forms may refine it.
        """
        if turn.move is None:
            fits = bool(self.replies(position, turn)[0])
        else:
            fits = self.play(position, turn.move, turn) is not None
        return self.FITTING if fits else 1.0

    # The same in many positions: forms in machine code override these

    def replies_in(self, positions: Sequence[Hashable], turn: QuickTurn) -> Sequence[tuple[Sequence[Move], int]]:
        """`replies` in each position."""
        return [self.replies(position, turn) for position in positions]

    def play_in(
        self, positions: Sequence[Hashable], moves: Sequence[Move], turn: QuickTurn
    ) -> Sequence[Hashable | None]:
        """`play` in each position, with a move for each."""
        return [self.play(position, move, turn) for position, move in zip(positions, moves, strict=True)]

    def nearness_in(self, positions: Sequence[Hashable], turn: QuickTurn) -> Sequence[float]:
        """`nearness` of each position."""
        return [self.nearness(position, turn) for position in positions]
