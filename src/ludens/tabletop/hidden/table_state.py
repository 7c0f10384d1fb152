"""A position as views and samplers know it: the table, and how it came about."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from typing import Any

from ludens.core import JointMove, Role, State
from ludens.tabletop.hidden.percepts import LazyTurn, Turn
from ludens.tabletop.material.equipment import Dice, Place
from ludens.tabletop.rule_game import Choices, RuleGame
from ludens.tabletop.table import Table


class TableState(State):
    """A table and how it came about."""

    __slots__ = ("_last", "game", "kept", "table")

    def __init__(self, game: RuleGame, table: Table, last: Turn | LazyTurn | None = None) -> None:
        self.game: RuleGame = game
        self.table = table
        """The table. Do not change it."""
        self.kept: dict[Hashable, Any] = {}
        """What was computed about this state before: information and beliefs of roles, evidence."""
        self._last = last

    @property
    def turn(self) -> Turn | None:
        """The last turn; None at the beginning, or if nobody knows."""
        return self._last.resolve() if isinstance(self._last, LazyTurn) else self._last

    @property
    def previous(self) -> TableState | None:
        """The state before the last turn, if it is known."""
        return self._before(self.turn)

    @property
    def recorded_previous(self) -> TableState | None:
        """The same, but None in a sampled state, whose history has to be searched."""
        return None if isinstance(self._last, LazyTurn) else self._before(self._last)

    def _before(self, turn: Turn | None) -> TableState | None:
        if turn is None:
            return None
        state = type(self)(self.game, turn.before, turn.earlier)
        state.kept = turn.kept
        return state

    @property
    def history(self) -> list[TableState]:
        """The states from the first that is known to this one."""
        found: list[TableState] = [self]
        while (previous := found[-1].previous) is not None:
            found.append(previous)
        return found[::-1]

    @property
    def has_history(self) -> bool:
        """True if it is known how the state came about, from the beginning of the match."""
        return self.history[0].table is self.game.first

    @abstractmethod
    def places_read(self, role: Role) -> tuple[Place, ...]:
        """The places that not everybody sees where the rule looks to list the role's actions; without secret ones."""

    @abstractmethod
    def turn_reads(self) -> tuple[int, frozenset[Dice]]:
        """The elements, as bits, and the dice, not open to all, that the rule looked at while it did the last turn."""

    @abstractmethod
    def actions(self, role: Role) -> Choices:
        """A role's actions by their texts, each with the stage that follows."""

    @abstractmethod
    def play(self, joint_move: JointMove) -> TableState:
        """The state after a joint move whose chance is resolved."""
