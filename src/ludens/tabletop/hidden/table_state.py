"""A position as views and samplers know it: the table, and what play has revealed."""

from __future__ import annotations

from abc import abstractmethod

from ludens.core import JointMove, Role, State
from ludens.tabletop.hidden.evidence import Evidence
from ludens.tabletop.hidden.percepts import Turn
from ludens.tabletop.rule_game import Choices, RuleGame
from ludens.tabletop.table import Table


class TableState(State):
    """A table and how it came about."""

    __slots__ = ("evidence", "game", "table", "turn")

    def __init__(
        self, game: RuleGame, table: Table, evidence: tuple[Evidence, ...] = (), turn: Turn | None = None
    ) -> None:
        self.game: RuleGame = game
        self.table = table
        """The table. Do not change it."""
        self.evidence = evidence
        """What moves of players have revealed."""
        self.turn = turn
        """The last turn."""

    @abstractmethod
    def actions(self, role: Role) -> Choices:
        """A role's actions by their texts, each with the stage that follows."""

    @abstractmethod
    def play(self, joint_move: JointMove) -> TableState:
        """The state after a joint move whose chance is resolved."""
