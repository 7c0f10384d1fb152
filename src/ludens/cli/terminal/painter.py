"""States as text."""

from __future__ import annotations

from ludens.core import Game, Role, State
from ludens.gdl.board import BoardPainter
from ludens.gdl.game import GdlGame, GdlState
from ludens.tabletop.hidden.view import TableView


class Painter:
    """Draws states of any game as text."""

    def __init__(self, game: Game) -> None:
        self._board = BoardPainter(game) if isinstance(game, GdlGame) else None

    def draw(self, state: State, role: Role | None = None) -> str:
        """The state as text; if a role is named and its view can be drawn, only what it sees."""
        if self._board and isinstance(state, GdlState):
            return self._board.draw(state)
        view = state.view(role) if role is not None else None
        return str(view if isinstance(view, TableView) else state)
