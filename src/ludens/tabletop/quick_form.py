"""Quick forms: positions of a page as plain values, in which histories are searched much faster than on tables.

In games with secret places, worlds are found by playing turns again that a player did not see. A page that offers a
quick form (`Rule.quick_form`) lets the search play them on thousands of positions. Every world that is returned was
played again on tables, so a mistake in the quick form costs worlds but does not make wrong ones.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

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
