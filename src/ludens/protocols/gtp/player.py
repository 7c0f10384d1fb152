"""A GTP program as a player."""

from __future__ import annotations

import contextlib

from ludens.core import Deadline, Decision, Game, GameError, Option, PlayerError, View
from ludens.core.program import Program
from ludens.protocols.gtp.boards import RESIGN, VertexError
from ludens.protocols.gtp.choose_board import board_of
from ludens.protocols.gtp.client import RefusedError, ask
from ludens.protocols.program_player import ANSWER_TIME, ProgramPlayer

GNUGO = "gnugo --mode gtp --chinese-rules --positional-superko --capture-all-dead --never-resign"
"""GNU Go by the rules of our Go: dead stones are captured before passing, and resigning is disabled."""

LONGEST_TOLD = 3600.0
"""Seconds for a move above which no time limit is sent."""


class GtpPlayer(ProgramPlayer):
    """A program that plays Go or Hex by GTP."""

    name = "gtp"
    description = "An external program that speaks GTP, for Go and Hex"
    options = (Option("command", GNUGO, "the program and its arguments"),)
    takes_its_time = True

    def prepare(self, game: Game) -> None:
        """Map the game to GTP."""
        try:
            self._board = board_of(game)
        except GameError as error:
            raise PlayerError(str(error)) from None
        self._told: list[tuple[str, str]] = []

    def greet(self, program: Program) -> None:
        """Set up the board."""
        deadline = Deadline(ANSWER_TIME)
        self._told = []
        ask(program, f"boardsize {self._board.size}", deadline)
        ask(program, "clear_board", deadline)
        if self._board.komi is not None:
            ask(program, f"komi {self._board.komi:g}", deadline)

    def ask(self, program: Program, view: View, deadline: Deadline) -> Decision:
        """Update the program's position, and let it generate a move."""
        self._tell(program)
        colour = self._board.colours[self.role]
        self._tell_time(program, colour, deadline)
        vertex = ask(program, f"genmove {colour}", deadline)
        if vertex.lower() == RESIGN:
            raise PlayerError(f"{program.name!r} resigns, which the rules do not allow; disable resigning")
        self._told.append((colour, vertex.lower()))
        try:
            return Decision(self._board.move(vertex))
        except VertexError:
            return Decision(vertex)  # the Referee refuses it

    def _tell(self, program: Program) -> None:
        """Send the moves that the program does not know yet; after take-backs, all of them."""
        deadline = Deadline(ANSWER_TIME)
        moves = [(self._board.colours[role], self._board.vertex(move).lower()) for role, move in self.history]
        if moves[: len(self._told)] != self._told:
            ask(program, "clear_board", deadline)
            self._told = []
        for colour, vertex in moves[len(self._told) :]:
            ask(program, f"play {colour} {vertex}", deadline)
        self._told = moves

    @staticmethod
    def _tell_time(program: Program, colour: str, deadline: Deadline) -> None:
        """Send the time limit in GTP's whole seconds; programs need not support it."""
        seconds = deadline.remaining()
        if 1 <= seconds <= LONGEST_TOLD:
            with contextlib.suppress(RefusedError):
                ask(program, f"time_settings 0 {int(seconds)} 1", Deadline(ANSWER_TIME))
                ask(program, f"time_left {colour} {int(seconds)} 1", Deadline(ANSWER_TIME))
