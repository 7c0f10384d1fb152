"""Players of ludens as UCI programs, for interfaces that send positions and times."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import ludens
from ludens.core import Game, GameError, LudensError, Move, Role, State, Thinking
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.terms import functor
from ludens.protocols.lent_player import LentPlayer, Line
from ludens.protocols.uci.fen import facts_of_fen
from ludens.protocols.uci.info import info_lines, line_in_uci
from ludens.protocols.uci.limits import ENDLESS, Limits
from ludens.protocols.uci.options import UciOptions
from ludens.protocols.uci.squares import check_chess, moves_by_uci, uci_move

_FORGETTING = 0.9
"""The decay per move of what answers took too long."""
PREPARING = 60.0
"""Seconds that a player may take to prepare on compiled rules, unless the start clock is longer: no clock runs."""
AT_ONCE = 1.0
"""The same for rules that are not compiled in time."""
NO_MOVE = "bestmove (none)"


class UciServer:
    """Answers the lines of an interface; `write` gets a line, one at a time, from any thread.

    Rules are loaded and both colours' players prepared in a thread of their own, so that ``uci`` is answered at once
    and ``readyok`` when the next ``go`` can search.
    """

    def __init__(
        self,
        load: Callable[[], Game],
        player: str,
        lent: LentPlayer,
        write: Callable[[str], None],
        *,
        seconds: float,
        compiling: float = 0.0,
    ) -> None:
        self._load = load
        self._lent = lent
        self._write = write
        self._seconds = seconds
        """For each move, if the interface names no limit."""
        self._compiling = compiling
        """Seconds that ``readyok`` waits for the compiled rules, and then for the players, if that is longer."""
        self._options = UciOptions(player)
        self._lock = threading.RLock()
        self._loaded = threading.Event()
        self._prepared = threading.Event()
        self._loading_error = ""
        self._asked_whether_ready = 0
        self._idle = threading.Event()
        self._idle.set()
        self._limits = Limits()
        self._waits = False
        self._best = ""
        self._is_silent = False
        """True while a player, which has to reach some depth or number of nodes, has not reported on its search."""
        self._asked = 0.0
        self._overhead = 0.0
        self._start = "startpos"
        self._moves: list[str] = []
        self._line: Line | None = None
        """The line of play that ``position`` gave; None if it was refused."""
        self._has_left = False
        self._is_loaded = False
        self.finished = False
        """True once the interface has said quit."""
        self._lent.describe(self._options.player_text(Limits()))
        threading.Thread(target=self._prepare, name="uci", daemon=True).start()

    def do(self, line: str) -> None:
        """Execute a line; unknown words before a command are skipped, as UCI requires."""
        words = line.split()
        while words and words[0] not in _COMMANDS:
            words.pop(0)
        if not words:
            return
        try:
            _COMMANDS[words[0]](self, words[1:])
        except LudensError as error:
            self._inform(str(error))

    def leave(self) -> None:
        """The interface has gone: nothing waits for the rules or the players any more. From any thread."""
        self._has_left = True
        self._loaded.set()
        self._prepared.set()

    def close(self) -> None:
        """Release the player."""
        self._lent.close()

    def _send(self, line: str) -> None:
        with self._lock:
            self._write(line)

    def _inform(self, problem: str) -> None:
        self._send(f"info string {' '.join(problem.split())}")

    # Getting ready

    def _prepare(self) -> None:
        """Load the rules, wait for their compiled form, and prepare both players."""
        try:
            rules = check_chess(self._load())
            fast = rules.compiled(self._compiling)
            self._game = fast
            self._line = Line((self._game.initial_state(),))
            self._is_loaded = True
            self._loaded.set()
            seconds = max(PREPARING, self._compiling) if fast is not rules else AT_ONCE
            self._lent.prepare(self._game, self._game.roles, seconds)
        except LudensError as error:
            self._loading_error = str(error)
            self._inform(self._loading_error)
        finally:
            self._loaded.set()
            with self._lock:
                self._prepared.set()
                for _ in range(self._asked_whether_ready):
                    self._write("readyok")
                self._asked_whether_ready = 0

    def _rules(self) -> GdlGame:
        """The rules, once they are loaded. Raises `GameError`."""
        self._loaded.wait()
        if not self._is_loaded:
            raise GameError(self._loading_error or "the rules are not loaded")
        return self._game

    def _uci(self, words: Sequence[str]) -> None:
        self._send(f"id name ludens {self._options.player} {ludens.__version__}")
        self._send("id author the authors of ludens")
        for declaration in self._options.declarations():
            self._send(declaration)
        self._send("uciok")

    def _isready(self, words: Sequence[str]) -> None:
        if self._prepared.is_set() and self._is_loaded and self._idle.is_set() and not self._has_left:
            self._lent.describe(self._options.player_text(Limits()))
            self._lent.prepare(self._game, self._game.roles)
        with self._lock:
            if self._prepared.is_set():
                self._write("readyok")
            else:
                self._asked_whether_ready += 1

    def _setoption(self, words: Sequence[str]) -> None:
        self._options.set(words)

    def _ucinewgame(self, words: Sequence[str]) -> None:
        """Players keep what they have prepared: trees hold positions, which a new game has again or not."""
        self._finish()

    # Positions

    def _position(self, words: Sequence[str]) -> None:
        game = self._rules()
        at = words.index("moves") if "moves" in words else len(words)
        start, moves = " ".join(words[:at]), [move.lower() for move in words[at + 1 :]]
        line, known = self._line, len(self._moves)
        self._line = None
        if line is None or start != self._start or moves[:known] != self._moves:
            line, known = Line((self._first(game, words[:1], " ".join(words[1:at])),)), 0
        for move in moves[known:]:
            line = self._play_move(game, line, move)
        self._line, self._start, self._moves = line, start, moves

    def _first(self, game: GdlGame, kind: Sequence[str], fen: str) -> GdlState:
        if kind == ["startpos"]:
            return game.initial_state()
        if kind == ["fen"]:
            return game.state(facts_of_fen(fen))
        raise GameError("position needs startpos or fen FEN, and moves behind it")

    def _play_move(self, game: GdlGame, line: Line, move: str) -> Line:
        line = _play_on(line)
        role = line.mover
        legal = moves_by_uci(game, role, line.state.legal_moves(role)) if role else {}
        if role is None or move not in legal:
            raise GameError(f"{move[:20]!r} cannot be played in the position")
        return line.play(role, legal[move])

    # Searches

    def _go(self, words: Sequence[str]) -> None:
        self._finish()
        self._asked = time.monotonic()
        limits = self._limits = Limits.read(words)
        self._prepared.wait()
        if self._has_left:
            return
        line = None if self._line is None else _play_on(self._line)
        role = None if line is None else line.mover
        if line is None or role is None:
            self._send(NO_MOVE)
            return
        only = self._moves_to_search(line.state, role, limits)
        self._lent.describe(self._options.player_text(limits))
        self._idle.clear()
        self._waits, self._best = limits.infinite or limits.ponder, ""
        self._lent.ask(
            line,
            role,
            ENDLESS if limits.ponder else limits.seconds(role, self._seconds, self._overhead),
            lambda move, thinking: self._on_answer(line.state, role, move, thinking),
            lambda thinking: self._on_report(line.state, thinking),
            self._inform,
            only,
        )
        self._is_silent = limits.has_goal and not limits.ponder and not self._options.keeps(limits)
        if self._is_silent:
            self._lent.stop_in(self._seconds)

    def _moves_to_search(self, state: State, role: Role, limits: Limits) -> list[Move]:
        legal = moves_by_uci(self._game, role, state.legal_moves(role))
        wanted = [legal[move] for move in limits.searchmoves if move in legal]
        if limits.searchmoves and not wanted:
            self._inform(f"none of the moves {' '.join(limits.searchmoves)} is legal here; all are searched")
        is_forced_analysis = len(legal) == 1 and not limits.has_clock
        return list(legal.values()) if is_forced_analysis else wanted  # players play an only move without a search

    def _on_report(self, state: State, thinking: Thinking) -> None:
        with self._lock:
            for line in info_lines(state, thinking, self._options.lines):
                self._write(line)
        if self._limits.is_reached(thinking) and not self._limits.ponder:
            self._lent.stop()
        elif self._is_silent:
            self._is_silent = False
            self._lent.stop_in(ENDLESS)

    def _on_answer(self, state: State, role: Role, move: Move, thinking: Thinking) -> None:
        if not thinking.line:
            thinking = replace(thinking, line=(move,), depth=max(1, thinking.depth))
        with self._lock:
            for line in info_lines(state, thinking, self._options.lines):
                self._write(line)
            expected = line_in_uci(state, thinking.line)
            best = uci_move(self._game, role, move)
            reply = f" ponder {expected[1]}" if len(expected) > 1 and expected[0] == best else ""
            self._best = f"bestmove {best}{reply}"
            if not self._waits:
                self._send_best(role)

    def _send_best(self, role: Role | None = None) -> None:
        self._write(self._best)
        self._best = ""
        if role is not None and self._limits.has_clock and not self._limits.ponder:
            planned = self._limits.seconds(role, self._seconds, self._overhead)
            over = time.monotonic() - self._asked - planned
            self._overhead = max(over, _FORGETTING * self._overhead, 0.0)
        self._idle.set()

    def _stop(self, words: Sequence[str]) -> None:
        with self._lock:
            self._waits = False
            if self._best:
                self._send_best()
        self._lent.stop()

    def _ponderhit(self, words: Sequence[str]) -> None:
        """The expected move was played: from now on the limits of ``go ponder`` hold."""
        with self._lock:
            if not self._limits.ponder or self._idle.is_set():
                return
            limits = self._limits = replace(self._limits, ponder=False)
            self._asked = time.monotonic()
            self._waits = limits.infinite
            if self._best and not self._waits:
                self._send_best()
                return
            role = self._line.mover if self._line is not None else None
        if role is not None and not limits.infinite:
            self._lent.stop_in(limits.seconds(role, self._seconds, self._overhead))

    def _finish(self) -> None:
        """Stop a running search, as interfaces should before they change the position."""
        self._stop(())
        self._idle.wait()

    def _quit(self, words: Sequence[str]) -> None:
        self.finished = True


_COMMANDS: dict[str, Callable[[UciServer, Sequence[str]], None]] = {
    "uci": UciServer._uci,
    "isready": UciServer._isready,
    "setoption": UciServer._setoption,
    "ucinewgame": UciServer._ucinewgame,
    "position": UciServer._position,
    "go": UciServer._go,
    "stop": UciServer._stop,
    "ponderhit": UciServer._ponderhit,
    "quit": UciServer._quit,
    "debug": lambda server, words: None,
    "register": lambda server, words: None,
}


def _play_on(line: Line) -> Line:
    """The line, or a new one from its end if the game is drawn but can go on: interfaces need not claim a draw."""
    state = line.state
    if not state.is_terminal or not isinstance(state, GdlState):
        return line
    facts = {fact for fact in state.facts if functor(fact) != "quiet"}
    return Line((state.game.state({*facts, ("quiet", "0")}),))
