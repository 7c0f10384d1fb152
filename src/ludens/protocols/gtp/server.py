"""Players of ludens as GTP programs, version 2, for a controller that sends moves and asks for moves."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

import ludens
from ludens.core import IllegalMoveError, LudensError, Role
from ludens.protocols.ggtp.chosen_rule import ChosenRule
from ludens.protocols.ggtp.language.wording import table_text
from ludens.protocols.ggtp.rules import with_option
from ludens.protocols.gtp.boards import PASS, RESIGN, board_of
from ludens.protocols.gtp.clock import GtpClock
from ludens.protocols.gtp.handicap import fixed_handicap
from ludens.protocols.lent_player import LentPlayer, Line

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_NUMBER = re.compile(r"\d{1,18}$")
TURNS_FOR_POINT = 4
"""Turns after which a game of Go is counted, for each point of the board; controllers do not have this limit."""
MOST_TURNS = 5000


class GtpError(LudensError):
    """A command failed; the message is the answer after the question mark."""


class GtpServer:
    """Answers the commands of a controller."""

    def __init__(self, rule: ChosenRule, lent: LentPlayer, *, name: str, seconds: float) -> None:
        self._lent = lent
        self._name = name
        self._seconds = seconds
        """For each move, if the controller keeps no time."""
        self._commands: dict[str, Callable[..., str]] = {
            command.removeprefix("_do_"): getattr(self, command) for command in dir(self) if command.startswith("_do_")
        }
        self.finished = False
        """True once the controller has said quit."""
        self._limit_turns = "turns" in rule.values and not rule.values["turns"]
        self._begin(rule)

    def answer(self, line: str) -> str | None:
        """The answer to a line, with the terminating empty line; None for blank lines and comments."""
        words = _CONTROL.sub("", line.replace("\t", " ")).partition("#")[0].split()
        number = words.pop(0) if words and _NUMBER.match(words[0]) else ""
        if not words:
            return None
        name, *arguments = words
        try:
            text, symbol = self._command(name, arguments)(*arguments), "="
        except LudensError as error:
            text, symbol = " ".join(str(error).split()), "?"
        return f"{symbol}{number} {text}".rstrip() + "\n\n"

    def _command(self, name: str, arguments: list[str]) -> Callable[..., str]:
        command = self._commands.get(name)
        if command is None:
            raise GtpError("unknown command")
        try:
            inspect.signature(command).bind(*arguments)
        except TypeError:
            raise GtpError(f"syntax error: {name} takes other arguments") from None
        return command

    def close(self) -> None:
        """Release the player."""
        self._lent.close()

    def _begin(self, rule: ChosenRule) -> None:
        """An empty board."""
        self._board = board_of(rule.game)
        if self._limit_turns:
            turns = min(MOST_TURNS, TURNS_FOR_POINT * self._board.size**2)
            rule = with_option(rule, "turns", str(turns))
            self._board = board_of(rule.game)
        self._rule = rule
        self._clear()

    @property
    def _line(self) -> Line:
        return self._lines[-1]

    def _clear(self) -> None:
        self._lines = [Line((self._board.game.initial_state(),))]
        """The line of play at the start and after each command that changed it, for undo."""
        self._clock = GtpClock(self._seconds)

    # Commands of every program

    def _do_protocol_version(self) -> str:
        return "2"

    def _do_name(self) -> str:
        return self._name

    def _do_version(self) -> str:
        return ludens.__version__

    def _do_known_command(self, name: str) -> str:
        return "true" if name in self._commands else "false"

    def _do_list_commands(self) -> str:
        return "\n".join(self._commands)

    def _do_quit(self) -> str:
        self.finished = True
        return ""

    # The board

    def _do_boardsize(self, text: str) -> str:
        size = _whole(text)
        if "size" not in self._rule.values:
            if size != self._board.size:
                raise GtpError("unacceptable size")
            self._clear()
            return ""
        if not 2 <= size <= 19:
            raise GtpError("unacceptable size")
        self._begin(with_option(self._rule, "size", str(size)))
        return ""

    def _do_clear_board(self) -> str:
        self._clear()
        self._lent.forget()
        return ""

    def _do_komi(self, text: str) -> str:
        komi = _number(text)
        if self._board.komi is None or komi == self._board.komi:
            return ""
        self._rule = with_option(self._rule, "komi", f"{komi:g}")
        self._board = board_of(self._rule.game)
        self._lines = [self._replay(line) for line in self._lines]
        return ""

    def _replay(self, line: Line) -> Line:
        """Replay the moves on the current board."""
        again = Line((self._board.game.initial_state(),))
        for turn in line.turns:
            again = again.play(*next(iter(turn.items())))
        return again

    def _do_fixed_handicap(self, text: str) -> str:
        return self._handicap(fixed_handicap(self._board.size, _whole(text)))

    def _do_place_free_handicap(self, text: str) -> str:
        return self._do_fixed_handicap(text)

    def _do_set_free_handicap(self, *vertices: str) -> str:
        if not 2 <= len(set(map(str.lower, vertices))) == len(vertices) < self._board.size**2:
            raise GtpError("invalid coordinate")
        return self._handicap(vertices)

    def _handicap(self, vertices: tuple[str, ...]) -> str:
        """Black's stones; White passes between them, as the rule knows no other way."""
        if self._line.turns:
            raise GtpError("board not empty")
        if not vertices or self._board.komi is None:
            raise GtpError("invalid number of stones")
        black, white = self._board.colours
        line = self._line
        for number, vertex in enumerate(vertices):
            line = line.play(white, PASS) if number else line
            line = line.play(black, self._board.move(vertex))
        self._lines.append(line)
        return " ".join(vertices)

    # Moves

    def _do_play(self, colour: str, vertex: str) -> str:
        role = self._role(colour)
        move = self._board.move(vertex)
        try:
            self._lines.append(self._line_with_mover(role).play(role, move))
        except IllegalMoveError:
            raise GtpError("illegal move") from None
        return ""

    def _do_genmove(self, colour: str) -> str:
        vertex, line = self._generate_move(colour)
        self._lines.append(line)
        return vertex

    def _do_reg_genmove(self, colour: str) -> str:
        return self._generate_move(colour)[0]

    def _generate_move(self, colour: str) -> tuple[str, Line]:
        role = self._role(colour)
        if self._line.state.is_terminal:  # a finished game of Go may be passed on, one of Hex is lost
            return (RESIGN if self._board.komi is None else PASS), self._line
        line = self._line_with_mover(role)
        move = self._lent.choose(line, role, self._clock.seconds(self._board.colours[role], self._board.size))
        return self._board.vertex(move), line.play(role, move)

    def _line_with_mover(self, role: Role) -> Line:
        """The line with that role to move: GTP lets a colour move twice, our Go after a pass only."""
        line = self._line
        if line.mover in (None, role):
            return line
        other = next(other for other in self._board.colours if other != role)
        if PASS not in line.state.legal_moves(other):
            raise GtpError(f"illegal move: it is the turn of {self._board.colours[other]}")
        line = line.play(other, PASS)
        if line.state.is_terminal:
            raise GtpError("illegal move: two passes have ended the game")
        return line

    def _do_undo(self) -> str:
        if len(self._lines) == 1:
            raise GtpError("cannot undo")
        self._lines.pop()
        return ""

    def _role(self, colour: str) -> Role:
        role = self._board.role(colour)
        if role is None:
            raise GtpError(f"invalid color {colour}")
        return role

    # Time

    def _do_time_settings(self, main: str, byo_yomi: str, stones: str) -> str:
        self._clock = GtpClock(self._seconds, _whole(main), _whole(byo_yomi), _whole(stones))
        return ""

    def _do_time_left(self, colour: str, seconds: str, stones: str) -> str:
        role = self._role(colour)
        self._clock.left[self._board.colours[role]] = (_whole(seconds), _whole(stones))
        return ""

    # Results

    def _do_final_score(self) -> str:
        return self._board.score(self._line.state)

    def _do_showboard(self) -> str:
        return table_text(self._line.state)


def _whole(text: str) -> int:
    if not _NUMBER.match(text):
        raise GtpError(f"syntax error: {text} is not a whole number")
    return int(text)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not abs(number) <= 400:
        raise GtpError(f"syntax error: {text} is not a komi")
    return number
