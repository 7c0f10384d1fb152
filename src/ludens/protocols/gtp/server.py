"""Players of ludens as GTP programs, version 2, for a controller that sends moves and asks for moves."""

from __future__ import annotations

import inspect
import queue
import re
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import ludens
from ludens.core import IllegalMoveError, LudensError, Move, Role, Thinking
from ludens.protocols.ggtp.chosen_rule import ChosenRule
from ludens.protocols.ggtp.language.wording import table_text
from ludens.protocols.ggtp.rules import with_option
from ludens.protocols.gtp.analysis import analysis_line, read_analysis
from ludens.protocols.gtp.boards import PASS, RESIGN
from ludens.protocols.gtp.choose_board import board_of
from ludens.protocols.gtp.clock import GtpClock, clock_of_kgs
from ludens.protocols.gtp.go_board import GoBoard
from ludens.protocols.gtp.handicap import fixed_handicap
from ludens.protocols.gtp.sgf import GameRecord, read_sgf
from ludens.protocols.lent_player import LentPlayer, Line

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_NUMBER = re.compile(r"\d{1,18}$")
TURNS_FOR_POINT = 4
"""Turns after which a game of Go is counted, for each point of the board; controllers do not have this limit."""
MOST_TURNS = 5000
MOST_KOMI = 400
ENDLESS = 86_400.0
"""Seconds of an analysis that the next command ends."""
ANALYSES = (
    "string/Final Score/final_score",
    "plist/Final Status List Alive/final_status_list alive",
    "plist/Final Status List Dead/final_status_list dead",
    "plist/Final Status List Seki/final_status_list seki",
    "string/CPU Time/cputime",
)
"""What GoGui shows in its menu of analyses."""


_EXTENSIONS = {
    "_do_kgs_genmove_cleanup": "kgs-genmove_cleanup",
    "_do_kgs_time_settings": "kgs-time_settings",
    "_do_gogui_analyze_commands": "gogui-analyze_commands",
    "_do_gogui_play_sequence": "gogui-play_sequence",
    "_do_lz_analyze": "lz-analyze",
    "_do_lz_genmove_analyze": "lz-genmove_analyze",
}
"""Extensions of GTP, whose names begin with those of the programs that they come from."""


class GtpError(LudensError):
    """A command failed; the message is the answer after the question mark."""


class GtpServer:
    """Answers the commands of a controller."""

    def __init__(
        self,
        rule: ChosenRule,
        lent: LentPlayer,
        *,
        name: str,
        seconds: float,
        write: Callable[[str], None] = lambda text: None,
        resign_below: float = 0.0,
    ) -> None:
        """``write`` gets the lines of analyses, which go on until the next command, from any thread."""
        self._lent = lent
        self._write = write
        self._resign_below = resign_below
        self._writing = threading.Lock()
        self._analysis: queue.SimpleQueue[None] | None = None
        """Gets an item when the running analysis has ended."""
        self._number = ""
        self._ends_itself = False
        """True if the running analysis ends with a move."""
        self._name = name
        self._seconds = seconds
        """For each move, if the controller keeps no time."""
        self._commands: dict[str, Callable[..., str]] = {
            _EXTENSIONS.get(name, name.removeprefix("_do_")): getattr(self, name)
            for name in dir(self)
            if name.startswith("_do_")
        }
        self.finished = False
        """True once the controller has said quit."""
        self._clock = GtpClock(seconds)
        self._limit_turns = "turns" in rule.values and not rule.values["turns"]
        self._begin(rule)

    def answer(self, line: str) -> str | None:
        """The answer to a line, with the terminating empty line; None for blank lines, comments and analyses."""
        words = _CONTROL.sub("", line.replace("\t", " ")).partition("#")[0].split()
        number = words.pop(0) if words and _NUMBER.match(words[0]) else ""
        if not words:
            return None
        self._end_analysis()
        name, *arguments = words
        self._number = number
        try:
            text, symbol = self._command(name, arguments)(*arguments), "="
        except LudensError as error:
            text, symbol = " ".join(str(error).split()), "?"
        if self._analysis is not None:
            return None  # it has answered, and goes on
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
        self._end_analysis()
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
        self._resigned = ""
        self._clock = self._clock.restarted()

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
        if size == self._board.size:
            self._clear()  # the player keeps what it has prepared
        elif "size" in self._rule.values and 2 <= size <= 19:
            self._begin(with_option(self._rule, "size", str(size)))
        else:
            raise GtpError("unacceptable size")
        return ""

    def _do_clear_board(self) -> str:
        self._clear()
        return ""

    def _do_komi(self, text: str) -> str:
        komi = _number(text)
        if self._board.komi is None or komi == self._board.komi:
            return ""
        self._rule = with_option(self._rule, "komi", f"{komi:g}")
        self._board = board_of(self._rule.game)
        self._lines = [self._go.with_rule_of(line) for line in self._lines]
        return ""

    @property
    def _go(self) -> GoBoard:
        """The board, if it is one of Go."""
        if not isinstance(self._board, GoBoard):
            raise GtpError("this command is for Go")
        return self._board

    def _do_fixed_handicap(self, text: str) -> str:
        return self._handicap(fixed_handicap(self._board.size, _whole(text)))

    def _do_place_free_handicap(self, text: str) -> str:
        return self._do_fixed_handicap(text)

    def _do_set_free_handicap(self, *vertices: str) -> str:
        if not 2 <= len(set(map(str.lower, vertices))) == len(vertices) < self._board.size**2:
            raise GtpError("invalid coordinate")
        return self._handicap(vertices)

    def _handicap(self, vertices: tuple[str, ...]) -> str:
        """Black's stones, after which White moves."""
        if not vertices:
            raise GtpError("invalid number of stones")
        if self._go.has_stones(self._line.state):
            raise GtpError("board not empty")
        black, white = self._board.colours
        self._lines.append(Line((self._go.set_up([(black, vertex) for vertex in vertices], white),)))
        return " ".join(vertices)

    # Moves

    def _do_play(self, colour: str, vertex: str) -> str:
        role = self._role(colour)
        if vertex.lower() == RESIGN:
            self._resigned = self._board.colours[role]
            self._lines.append(self._line)
            return ""
        move = self._board.move(vertex)
        try:
            self._lines.append(self._board.play(self._line_with_mover(role), role, move))
        except IllegalMoveError:
            raise GtpError("illegal move") from None
        return ""

    def _do_genmove(self, colour: str) -> str:
        vertex, line = self._generate_move(colour)
        self._lines.append(line)
        return vertex

    def _do_reg_genmove(self, colour: str) -> str:
        return self._generate_move(colour)[0]

    def _do_kgs_genmove_cleanup(self, colour: str) -> str:
        """A move that takes dead stones of the other, and a pass once there are none."""
        role = self._role(colour)
        line = self._line_with_mover(role)
        dead = [liberties for owner, _, liberties in self._go.dead_chains(line.state) if owner != role]
        near = {point for liberties in dead for point in liberties}
        wanted = [move for move in line.state.legal_moves(role) if self._board.vertex(move) in near]
        vertex, line = self._generate_move(colour, wanted) if wanted else (PASS, line.play(role, PASS))
        self._lines.append(line)
        return vertex

    def _generate_move(self, colour: str, only: Sequence[Move] = ()) -> tuple[str, Line]:
        role = self._role(colour)
        if self._line.state.is_terminal and not isinstance(self._board, GoBoard):
            return RESIGN, self._line  # a finished game of Hex is lost
        line = self._line_with_mover(role)
        colour = self._board.colours[role]
        seconds, began = self._clock.seconds(colour, self._board.size), time.monotonic()
        found: queue.SimpleQueue[tuple[Move, Thinking]] = queue.SimpleQueue()
        self._lent.ask(line, role, seconds, lambda *answer: found.put(answer), lambda _: None, only=only)
        move, thinking = found.get()
        self._clock.spend(colour, time.monotonic() - began)
        if thinking.value is not None and thinking.value < self._resign_below:
            self._resigned = self._board.colours[role]
            return RESIGN, line
        return self._board.vertex(move), line.play(role, move)

    def _line_with_mover(self, role: Role) -> Line:
        """The line with that role to move: GTP lets a colour move twice, and games go on after any passes."""
        line, mover = self._line, self._board.mover(self._line)
        if mover == role:
            return line
        if isinstance(self._board, GoBoard):
            return Line((self._board.play_on(line.state, role),))
        if mover is not None:
            raise GtpError(f"illegal move: it is the turn of {self._board.colours[mover]}")
        return line

    def _do_gogui_play_sequence(self, *words: str) -> str:
        """Moves: colour and point in turn; all or none are played."""
        if len(words) % 2:
            raise GtpError("syntax error: a colour and a point for each move")
        before = len(self._lines)
        try:
            for colour, vertex in zip(words[::2], words[1::2], strict=True):
                self._do_play(colour, vertex)
        except LudensError:
            del self._lines[before:]
            raise
        return ""

    def _do_loadsgf(self, name: str, number: str = "") -> str:
        """A position of a game record: at the end, or before a move."""
        try:
            record = read_sgf(Path(name).read_text(encoding="utf-8", errors="replace"))
        except OSError as error:
            raise GtpError(f"cannot load file: {error.strerror}") from None
        self._go  # noqa: B018 - refuses Hex
        last = len(record.moves) if not number else max(0, _whole(number) - 1)
        before = self._rule, self._board, self._lines, self._resigned
        try:
            self._set_up(record, last)
        except LudensError:
            self._rule, self._board, self._lines, self._resigned = before
            raise
        return ""

    def _set_up(self, record: GameRecord, last: int) -> None:
        """The position of a game record after some moves."""
        self._do_boardsize(str(record.size))
        if record.komi is not None and abs(record.komi) <= MOST_KOMI:
            self._do_komi(f"{record.komi:g}")
        roles = {colour: role for role, colour in self._board.colours.items()}
        first = record.first or (record.moves[0][0] if record.moves else "")
        if record.stones:
            placed = [(roles[colour], vertex) for colour, vertex in record.stones]
            mover = roles[first or ("white" if all(colour == "black" for colour, _ in record.stones) else "black")]
            self._lines = [Line((self._go.set_up(placed, mover),))]
        for colour, vertex in record.moves[:last]:
            self._do_play(colour, vertex)

    def _do_undo(self) -> str:
        if len(self._lines) == 1:
            raise GtpError("cannot undo")
        self._lines.pop()
        self._resigned = ""
        return ""

    def _role(self, colour: str) -> Role:
        role = self._board.role(colour)
        if role is None:
            raise GtpError(f"invalid color {colour}")
        return role

    # Analyses

    def _do_gogui_analyze_commands(self) -> str:
        return "\n".join(ANALYSES)

    def _do_lz_analyze(self, *words: str) -> str:
        """Lines about the best moves, until the next command."""
        colour, interval = read_analysis(words)
        default = self._line.mover or next(iter(self._board.colours))
        role = self._role(colour) if colour else default
        return self._analyse(role, interval, ENDLESS, lambda move, line: None)

    def _do_lz_genmove_analyze(self, *words: str) -> str:
        """Lines about the best moves while a move is searched, then the move, which is played."""
        named, interval = read_analysis(words)
        role = self._role(named or "?")
        colour = self._board.colours[role]
        seconds, began = self._clock.seconds(colour, self._board.size), time.monotonic()

        def play(move: Move, line: Line) -> None:
            self._clock.spend(colour, time.monotonic() - began)
            self._lines.append(line.play(role, move))
            self._put(f"play {self._board.vertex(move)}\n\n")

        return self._analyse(role, interval, seconds, play, ends_itself=True)

    def _analyse(
        self,
        role: Role,
        interval: float,
        seconds: float,
        done: Callable[[Move, Line], None],
        *,
        ends_itself: bool = False,
    ) -> str:
        line = self._line_with_mover(role)
        ended: queue.SimpleQueue[None] = queue.SimpleQueue()
        last = time.monotonic() - interval

        def report(thinking: Thinking) -> None:
            nonlocal last
            if thinking.moves and time.monotonic() - last >= interval:
                last = time.monotonic()
                self._put(analysis_line(self._board, line.state, thinking) + "\n")

        def end(move: Move, thinking: Thinking) -> None:
            done(move, line)
            ended.put(None)

        self._analysis, self._ends_itself = ended, ends_itself
        self._put(f"={self._number}\n")
        self._lent.ask(line, role, seconds, end, report)
        return ""

    def _end_analysis(self) -> None:
        """End a running analysis; one that plays a move ends by itself."""
        ended, self._analysis = self._analysis, None
        if ended is None:
            return
        if not self._ends_itself:
            self._lent.stop()
        ended.get()
        if not self._ends_itself:
            self._put("\n")

    def _put(self, text: str) -> None:
        with self._writing:
            self._write(text)

    # Time

    def _do_time_settings(self, main: str, byo_yomi: str, stones: str) -> str:
        self._clock = GtpClock(self._seconds, _whole(main), _whole(byo_yomi), _whole(stones))
        return ""

    def _do_time_left(self, colour: str, seconds: str, stones: str) -> str:
        role = self._role(colour)
        self._clock.set_left(self._board.colours[role], _whole(seconds), _whole(stones))
        return ""

    def _do_kgs_time_settings(self, system: str, *numbers: str) -> str:
        self._clock = clock_of_kgs(self._seconds, system, [_whole(number) for number in numbers])
        return ""

    def _do_cputime(self) -> str:
        return f"{time.process_time():.3f}"

    # Results

    def _do_final_score(self) -> str:
        if self._resigned:
            return "W+R" if self._resigned == "black" else "B+R"
        return self._board.score(self._line.state)

    def _do_final_status_list(self, status: str) -> str:
        """The stones of a status, a chain on a line: playouts judge which live; none is in seki."""
        if status not in ("alive", "dead", "seki"):
            raise GtpError("syntax error: the status is alive, dead or seki")
        dead = [stones for _, stones, _ in self._go.dead_chains(self._line.state)]
        every = [stones for _, stones, _ in self._go.chains(self._line.state)]
        found = {"dead": dead, "alive": [chain for chain in every if chain not in dead], "seki": []}[status]
        return "\n".join(map(" ".join, found))

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
    if not abs(number) <= MOST_KOMI:
        raise GtpError(f"syntax error: {text} is not a komi")
    return number
