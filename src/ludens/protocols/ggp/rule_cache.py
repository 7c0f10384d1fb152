"""A cache of games from rules received over the network: compiled once, with a time limit."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future

from ludens.compiler.backends import make_game
from ludens.gdl.check import check_rules
from ludens.gdl.game import GdlGame
from ludens.gdl.interpreter.game import InterpretedGame
from ludens.gdl.read import read_rules
from ludens.gdl.rules import RuleSheet
from ludens.gdl.source import GdlError, Level

MOST_GAMES = 8
"""Games that are kept."""
_COMPILING = 2
"""Games that are compiled at the same time."""


class RuleCache:
    """An LRU cache of games by their rules."""

    def __init__(self, backend: str) -> None:
        self._backend = backend
        self._games: OrderedDict[str, Future[GdlGame]] = OrderedDict()
        self._lock = threading.Lock()
        self._compilers = threading.Semaphore(_COMPILING)

    def game(self, rules: Sequence[str], seconds: float) -> GdlGame:
        """The game of some rules: compiled if that is done within some seconds, interpreted otherwise.

        Raises `GameError` if the rules cannot be played.
        """
        text = "\n".join(rules)
        prepared = self._find_or_compile(text)
        if prepared is None:
            return _interpret(_read_sheet(text))
        try:
            return prepared.result(max(0.0, seconds))
        except TimeoutError:
            return _interpret(_read_sheet(text))

    def prepare(self, rules: Sequence[str]) -> None:
        """Start compiling a game in the background."""
        self._find_or_compile("\n".join(rules))

    def _find_or_compile(self, text: str) -> Future[GdlGame] | None:
        """The future of the game; None if too many are being compiled."""
        with self._lock:
            found = self._games.get(text)
            if found is not None and not (found.done() and found.exception() is not None):
                self._games.move_to_end(text)
                return found
            for old in [key for key, game in self._games.items() if game.done()]:
                if len(self._games) < MOST_GAMES:
                    break
                del self._games[old]
            if len(self._games) >= MOST_GAMES:
                return None
            found = self._games[text] = Future()
        threading.Thread(target=self._compile, args=(text, found), name="compiler", daemon=True).start()
        return found

    def _compile(self, text: str, promise: Future[GdlGame]) -> None:
        with self._compilers:
            try:
                promise.set_result(make_game(_read_sheet(text), _name(text), self._backend))
            except BaseException as error:  # passed to the waiting thread
                promise.set_exception(error)


def _read_sheet(text: str) -> RuleSheet:
    sheet = read_rules(text, name="the rules of the match", syntax="kif")
    errors = [problem for problem in check_rules(sheet) if problem.level is Level.ERROR]
    if errors:
        raise GdlError(errors, sheet.source)
    return sheet


def _interpret(sheet: RuleSheet) -> GdlGame:
    return InterpretedGame(sheet, _name(sheet.source.text))


def _name(text: str) -> str:
    return f"rules of {len(text):,} characters"
