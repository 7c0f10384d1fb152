"""Players of ludens as UCI programs, for interfaces that send positions and times."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence

import ludens
from ludens.core import Game, GameError, LudensError, Move, Option, PlayerError, Role, State, Thinking
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.terms import functor
from ludens.players.registry import make_player, without_options
from ludens.protocols.lent_player import LentPlayer, Line
from ludens.protocols.uci.fen import facts_of_fen
from ludens.protocols.uci.info import info_line
from ludens.protocols.uci.limits import Limits
from ludens.protocols.uci.squares import check_chess, moves_by_uci, uci_move

HORIZON = 100
"""Turns after which the rule sheet's turn counter restarts: it declares a draw at 200, interfaces do not."""
LIMIT_OPTIONS = {"depth": "depth", "nodes": "iterations"}
"""Limits of ``go`` that are options of players, if they have them."""
HIDDEN_OPTIONS = frozenset({"ponder"})
"""Options that mean something else to interfaces."""
_SETTING = re.compile(r"name\s+(.+?)(?:\s+value(?:\s+(.*))?)?$")


class UciServer:
    """Answers the lines of an interface; `write` gets a line, one at a time, from any thread."""

    def __init__(
        self, game: Game, player: str, lent: LentPlayer, write: Callable[[str], None], *, seconds: float
    ) -> None:
        self._game: GdlGame = check_chess(game)
        self._lent = lent
        self._write = write
        self._seconds = seconds
        """For each move, if the interface names no limit."""
        self._player = without_options(player)
        made = make_player(player, files=True)
        self._options = {option.name: option for option in made.options if option.name not in HIDDEN_OPTIONS}
        self._values = {name: str(value) for name, value in made.settings.items()}
        self._start = ""
        self._moves: list[str] = []
        self._line = Line((self._game.initial_state(),))
        self._lock = threading.RLock()
        self._idle = threading.Event()
        self._idle.set()
        self._waits = False
        self._best = ""
        self.finished = False
        """True once the interface has said quit."""
        self._update_player(Limits())

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
            self._send(f"info string {' '.join(str(error).split())}")

    def close(self) -> None:
        """Release the player."""
        self._lent.close()

    def _send(self, line: str) -> None:
        with self._lock:
            self._write(line)

    # Set-up

    def _uci(self, words: Sequence[str]) -> None:
        self._send(f"id name ludens {self._player} {ludens.__version__}")
        self._send("id author the authors of ludens")
        for name, option in self._options.items():
            self._send(_declaration(option, self._values[name]))
        self._send("uciok")

    def _isready(self, words: Sequence[str]) -> None:
        if self._idle.is_set() and self._line.mover is not None:
            self._lent.prepare(self._game, self._line.mover)
        self._send("readyok")

    def _setoption(self, words: Sequence[str]) -> None:
        found = _SETTING.match(" ".join(words))
        wanted = found[1].lower() if found else ""
        name = next((name for name in self._options if name.lower() == wanted), None)
        if found is None or name is None:
            raise PlayerError(f"there is no option {wanted!r} (options: {', '.join(self._options) or 'none'})")
        self._values[name] = str(self._options[name].parse(found[2] or ""))

    def _update_player(self, limits: Limits) -> None:
        """Configure the player by the options and the limits."""
        given = {option: str(getattr(limits, limit)) for limit, option in LIMIT_OPTIONS.items()}
        fitting = {name: value for name, value in given.items() if name in self._values and value != "0"}
        settings = ",".join(f"{name}={value}" for name, value in (self._values | fitting).items())
        self._lent.describe(f"{self._player}:{settings}")
        if (limits.depth or limits.nodes) and not fitting:
            self._send(f"info string {self._player} has no such limit; it thinks for {self._seconds:g} s")

    def _ucinewgame(self, words: Sequence[str]) -> None:
        self._finish()
        self._lent.forget()

    # Positions

    def _position(self, words: Sequence[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        start, moves = " ".join(words[:at]), [move.lower() for move in words[at + 1 :]]
        line, known = self._line, len(self._moves)
        if start != self._start or moves[:known] != self._moves:
            line, known = Line((self._first(words[:1], " ".join(words[1:at])),)), 0
        for number, move in enumerate(moves[known:], start=known + 1):
            line = self._play_move(line, move)
            if number % HORIZON == 0:
                line = Line((_with_horizon(line.state),))
        self._line, self._start, self._moves = line, start, moves

    def _first(self, kind: Sequence[str], fen: str) -> GdlState:
        if kind == ["startpos"]:
            return self._game.initial_state()
        if kind == ["fen"]:
            return self._game.state(facts_of_fen(fen))
        raise GameError("position needs startpos or fen FEN, and moves behind it")

    def _play_move(self, line: Line, move: str) -> Line:
        role = line.mover
        legal = moves_by_uci(self._game, role, line.state.legal_moves(role)) if role else {}
        if role is None or move not in legal:
            raise GameError(f"{move[:20]!r} cannot be played in the position")
        return line.play(role, legal[move])

    # Searches

    def _go(self, words: Sequence[str]) -> None:
        self._finish()
        line, role, limits = self._line, self._line.mover, Limits.read(words)
        if role is None:
            self._send("bestmove (none)")
            return
        self._update_player(limits)
        self._idle.clear()
        self._waits, self._best = limits.waits, ""
        self._lent.ask(
            line,
            role,
            limits.seconds(role, self._seconds) if self._has_limit(limits) else self._seconds,
            lambda move, thinking: self._on_answer(role, move, thinking),
            lambda thinking: self._send(info_line(self._game, role, thinking)),
            lambda problem: self._send(f"info string {' '.join(problem.split())}"),
        )

    def _has_limit(self, limits: Limits) -> bool:
        """True if the limits contain one that the player respects."""
        kept = any(getattr(limits, limit) and option in self._values for limit, option in LIMIT_OPTIONS.items())
        return kept or limits.waits or bool(limits.movetime or limits.wtime or limits.btime)

    def _on_answer(self, role: Role, move: Move, thinking: Thinking) -> None:
        with self._lock:
            self._write(info_line(self._game, role, thinking))
            self._best = f"bestmove {uci_move(self._game, role, move)}"
            if not self._waits:
                self._send_best()

    def _send_best(self) -> None:
        self._write(self._best)
        self._best = ""
        self._idle.set()

    def _stop(self, words: Sequence[str]) -> None:
        with self._lock:
            self._waits = False
            if self._best:
                self._send_best()
        self._lent.stop()

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
    "ponderhit": UciServer._stop,
    "quit": UciServer._quit,
    "debug": lambda server, words: None,
    "register": lambda server, words: None,
}


def _declaration(option: Option, value: str) -> str:
    """An option as UCI declares it."""
    if isinstance(option.default, bool):
        return f"option name {option.name} type check default {value.lower()}"
    if option.choices:
        values = " ".join(f"var {choice}" for choice in option.choices)
        return f"option name {option.name} type combo default {value} {values}"
    if isinstance(option.default, int) and option.minimum is not None and option.maximum is not None:
        limits = f"min {option.minimum:.0f} max {option.maximum:.0f}"
        return f"option name {option.name} type spin default {value} {limits}"
    return f"option name {option.name} type string default {value or '<empty>'}"


def _with_horizon(state: State) -> GdlState:
    """The position with the count of turns at its beginning."""
    assert isinstance(state, GdlState)
    facts = {fact for fact in state.facts if functor(fact) != "step"}
    return state.game.state({*facts, ("step", "0")})
