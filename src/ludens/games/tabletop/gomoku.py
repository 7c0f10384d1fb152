"""Go-Moku: the paper's second game, with its option."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ludens.games.tabletop.shared.line_twin import line_twin
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Each,
    Element,
    FinishPlay,
    Move,
    Option,
    Rule,
    Stage,
    Table,
    Twin,
    alternate,
)

EXACTLY, AT_LEAST = "exactly five", "at least five"


class GoMoku(Rule):
    """Five stones of one colour in a row win."""

    name = "Go-Moku"
    players = ("Black", "White")
    options = (
        Option("size", 15, "points along a side of the board", 5, 25),
        Option("line", AT_LEAST, "what wins", choices=(AT_LEAST, EXACTLY)),
    )

    def equipment(self, table: Table) -> None:
        """A square board, and stones for both."""
        size = self.settings["size"]
        table.add(Area.grid("board", columns=size, rows=size))
        table.add(Assortment("stones", [Element("X", player="Black"), Element("O", player="White")], endless=True))

    def turns(self) -> list[Stage]:
        """Black and White take turns."""
        return alternate(self.players, self.place)

    def place(self, table: Table) -> Sequence[Action]:
        """Place a stone on a free point."""
        stone = table.element(player=table.current_player)
        return Each(table.positions(empty=True), partial(Move, stone))

    def twin(self) -> Twin | None:
        """The m,n,k-game, which has no lines of exactly five."""
        size = self.settings["size"]
        return None if self.settings["line"] == EXACTLY else line_twin(self, size, size, 5)

    def result(self, table: Table) -> FinishPlay | None:
        """Five in a row win; a full board is a draw."""
        exactly = self.settings["line"] == EXACTLY
        if table.has_new_line(5, exactly=exactly, player=table.current_player):
            return FinishPlay(winners=[table.current_player], reason=f"{table.current_player} has five in a row")
        if not table.has_empty():
            return FinishPlay(draw=True, reason="the board is full")
        return None
