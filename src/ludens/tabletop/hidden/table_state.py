"""A position as views and samplers know it: the table, and what play has revealed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable
from typing import Any

from ludens.core import JointMove, Role, State
from ludens.tabletop.hidden.evidence import Evidence
from ludens.tabletop.hidden.percepts import Turn
from ludens.tabletop.rule_game import Choices, RuleGame
from ludens.tabletop.table import Table


class TableState(State):
    """A table and how it came about."""

    __slots__ = ("_origin", "_turn", "evidence", "game", "kept", "table")

    def __init__(
        self,
        game: RuleGame,
        table: Table,
        evidence: tuple[Evidence, ...] = (),
        turn: Turn | None = None,
        origin: Callable[[], Turn | None] | None = None,
    ) -> None:
        self.game: RuleGame = game
        self.table = table
        """The table. Do not change it."""
        self.evidence = evidence
        """What moves of players have revealed."""
        self.kept: dict[Hashable, Any] | None = None
        """What was found out about this state before: information and beliefs of roles."""
        self._turn = turn
        self._origin = origin

    @property
    def turn(self) -> Turn | None:
        """The last turn; None at the beginning, or if nobody knows. In sampled states it is found when it is asked."""
        if self._origin is not None:
            self._turn, self._origin = self._origin(), None
        return self._turn

    @property
    def history(self) -> list[TableState]:
        """The states from the first that is known to this one."""
        found: list[TableState] = [self]
        while (turn := found[-1].turn) is not None:
            found.append(turn.previous)
        return found[::-1]

    @abstractmethod
    def hidden_reads(self, role: Role) -> int:
        """The elements, as bits, that lie where the rule looked for the role's legal moves and not everybody sees."""

    @abstractmethod
    def actions(self, role: Role) -> Choices:
        """A role's actions by their texts, each with the stage that follows."""

    @abstractmethod
    def play(self, joint_move: JointMove) -> TableState:
        """The state after a joint move whose chance is resolved."""
