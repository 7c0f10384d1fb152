"""Tic-Tac-Toe: the paper's example, and the shortest complete rule."""

from __future__ import annotations

from ludens.games.tabletop.shared.line_twin import line_twin
from ludens.tabletop import Action, Area, Assortment, Element, FinishPlay, Move, Rule, Stage, Table, Twin, alternate


class TicTacToe(Rule):
    """Three of a player's marks in a row win."""

    name = "Tic-Tac-Toe"
    players = ("Cross", "Circle")

    def equipment(self, table: Table) -> None:
        """A board of nine cells, and marks for both."""
        table.add(Area.grid("board", columns="ABC", rows="123"))
        table.add(Assortment("marks", [Element("X", player="Cross"), Element("O", player="Circle")], endless=True))

    def turns(self) -> list[Stage]:
        """Cross and Circle take turns."""
        return alternate(self.players, self.mark)

    def mark(self, table: Table) -> list[Action]:
        """Mark an empty cell."""
        mark = table.element(player=table.current_player)
        return [Move(mark, to=cell) for cell in table.positions(empty=True)]

    def twin(self) -> Twin | None:
        """The m,n,k-game."""
        return line_twin(self, 3, 3, 3)

    def result(self, table: Table) -> FinishPlay | None:
        """A line wins; a full board is a draw."""
        if table.has_new_line(3, player=table.current_player):
            return FinishPlay(winners=[table.current_player], reason=f"{table.current_player} has three in a row")
        if not table.positions(empty=True):
            return FinishPlay(draw=True, reason="the board is full")
        return None
