"""GTP's notation for our games: Go and Hex on points such as ``D4``, played by black and white."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from ludens.core import BEST_GOAL, Game, GameError, LudensError, Move, Role, State
from ludens.gdl.game import GdlGame
from ludens.gdl.terms import arguments
from ludens.protocols.lent_player import Line

BLACK, WHITE = "black", "white"
PASS, RESIGN = "pass", "resign"
HEX_LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""Columns of a Hex board, which has an i, other than a Go board."""


class VertexError(LudensError):
    """A text is not a point of the board."""


class GtpBoard(ABC):
    """One game as GTP sees it."""

    def __init__(self, game: Game, size: int) -> None:
        self.game = game
        self.size = size
        """Points along a side."""
        self.colours: Mapping[Role, str] = dict(zip(game.roles, (BLACK, WHITE), strict=True))
        """The colour of each role; the first is black."""

    def role(self, colour: str) -> Role | None:
        """The role of a colour, in full or by its first letter; None if it is unknown."""
        return next((role for role, name in self.colours.items() if colour.lower() in (name, name[0])), None)

    @property
    @abstractmethod
    def komi(self) -> float | None:
        """The komi; None if the game has none."""

    @abstractmethod
    def vertex(self, move: Move) -> str:
        """A move as GTP writes it."""

    @abstractmethod
    def move(self, vertex: str) -> Move:
        """A move as the game writes it. Raises `VertexError`."""

    def mover(self, line: Line) -> Role | None:
        """Who is to move at the end of a line; None if the game is over."""
        return line.mover

    def play(self, line: Line, role: Role, move: Move) -> Line:
        """The line with one more move of the role that is to move. Raises `IllegalMoveError`."""
        return line.play(role, move)

    @abstractmethod
    def score(self, state: State) -> str:
        """The result in the current position: ``B+3.5``, ``W+``, ``0``. Raises `GameError` if it is not decided."""


class HexBoard(GtpBoard):
    """Hex, where black joins top and bottom: columns of GTP are rows of the sheet, whose first role joins the sides."""

    def __init__(self, game: GdlGame) -> None:
        moves = game.initial_state().legal_moves(game.roles[0])
        super().__init__(game, max(int(str(arguments(move.term)[0])) for move in moves))

    @property
    def komi(self) -> None:
        """None: Hex has no komi."""
        return None

    def vertex(self, move: Move) -> str:
        """A cell: column letter and row number."""
        assert isinstance(self.game, GdlGame)
        row, column = arguments(self.game.read(move))
        return f"{HEX_LETTERS[int(str(column)) - 1]}{row}"

    def move(self, vertex: str) -> Move:
        """A cell."""
        column, row = vertex[:1].lower(), vertex[1:]
        if column not in HEX_LETTERS[: self.size] or not row.isdecimal() or not 1 <= int(row) <= self.size:
            raise VertexError(f"{vertex} is not a cell of a board of size {self.size}")
        return f"(place {int(row)} {HEX_LETTERS.index(column) + 1})"

    def score(self, state: State) -> str:
        """The winner; there is no score."""
        if not state.is_terminal:
            raise GameError("nobody has won yet")
        black, _ = self.game.roles
        return "B+" if state.goals[black] == BEST_GOAL else "W+"
