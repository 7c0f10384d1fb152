"""States and moves as text."""

from __future__ import annotations

from collections.abc import Iterator

from ludens.core import Game, GameError, Move, Role, State
from ludens.drawing.fluents.reader import GdlReader
from ludens.drawing.model import Board
from ludens.drawing.notation import plain_text, writer_of
from ludens.drawing.readers import reader_of
from ludens.drawing.sight import visible_facts
from ludens.gdl.board import BoardPainter, Labels
from ludens.gdl.game import GdlGame, GdlState
from ludens.tabletop.hidden.view import TableView


class Painter:
    """Draws states of any game as text, with the names of squares that moves are written with, or with those of the
    rules (``as_in_rules``)."""

    def __init__(self, game: Game, *, as_in_rules: bool = False) -> None:
        self._game = game
        self._board: BoardPainter | None = None
        if isinstance(game, GdlGame):
            self._board = BoardPainter(game, {} if as_in_rules else dict(_labels(game)))

    def draw(self, state: State, role: Role | None = None) -> str:
        """The state as text; if a role is named and its view can be drawn, only what it sees."""
        if self._board and isinstance(state, GdlState):
            return self._board.draw(state)
        view = state.view(role) if role is not None else None
        return str(view if isinstance(view, TableView) else state)

    def move_text(self, before: State, role: Role, move: Move, after: State | None = None) -> str:
        """A move as people write it."""
        if role not in self._game.roles:  # chance
            return plain_text(move)
        return writer_of(self._game).text(before, role, move, after)


def _labels(game: GdlGame) -> Iterator[tuple[str, Labels]]:
    """The names of columns and rows in the drawing of a game, by the fluent of each board."""
    try:
        reader = reader_of(game)
        if not isinstance(reader, GdlReader):
            return
        boards = reader.picture(visible_facts(game.initial_state()), None).panels
    except GameError:
        return
    for board in boards:
        if isinstance(board, Board) and board.is_named and board.shape == "squares":
            yield board.key, ((), _ranges(board))
        elif isinstance(board, Board) and board.columns:
            yield board.key, (tuple(name for _, name in sorted(board.columns)), ())


def _ranges(board: Board) -> tuple[str, ...]:
    """The numbers of the squares in each row, from the bottom up: ``4-1``."""
    rows = sorted({place.y for place in board.places})
    in_row = [sorted((place.x, place.name) for place in board.places if place.y == row) for row in rows]
    return tuple(f"{names[0][1]}-{names[-1][1]}" for names in in_row)
