"""The games of rules received over the network, shared by the matches that play them."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence

from ludens.compiler.backends import make_game
from ludens.gdl.check import check_rules
from ludens.gdl.game import GdlGame
from ludens.gdl.read import read_rules
from ludens.gdl.rules import RuleSheet
from ludens.gdl.source import GdlError, Level

MOST_SHOWN = 4
"""Games that are kept because their rules were shown in advance."""


class RuleCache:
    """Games by their rules: those of running matches, and the last that were shown in advance.

    They are interpreted at once, and compiled in the background as soon as a player wants that. A game that no match
    plays any more is released, and its compiler stopped; what was compiled stays in the cache on disk.
    """

    def __init__(self, backend: str) -> None:
        self._backend = backend
        self._games: dict[str, GdlGame] = {}
        self._matches: Counter[str] = Counter()
        self._shown: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, rules: Sequence[str]) -> GdlGame:
        """The game of some rules, for a match; call `close` at its end. Raises `GameError` if it cannot be played."""
        text = "\n".join(rules)
        game = self._game(text)
        with self._lock:
            self._matches[text] += 1
            self._shown.pop(text, None)
        return game

    def close(self, game: GdlGame) -> None:
        """A match of this game is over."""
        text = game.rules_text
        with self._lock:
            self._matches[text] -= 1
            self._release(text)

    def show(self, rules: Sequence[str]) -> None:
        """Start to compile a game that may be played soon. Raises `GameError` if it cannot be played."""
        text = "\n".join(rules)
        self._game(text).compiled(0.0)
        with self._lock:
            self._shown[text] = None
            while len(self._shown) > MOST_SHOWN:
                self._release(self._shown.popitem(last=False)[0])

    def clear(self) -> None:
        """Release the games that were shown only."""
        with self._lock:
            shown, self._shown = self._shown, OrderedDict()
            for text in shown:
                self._release(text)

    def _game(self, text: str) -> GdlGame:
        with self._lock:
            found = self._games.get(text)
        if found is not None:
            return found
        # Without the lock: others need not wait for large rules, and it does no harm if two read the same.
        game = make_game(_read_sheet(text), f"rules of {len(text):,} characters", self._backend)
        with self._lock:
            return self._games.setdefault(text, game)

    def _release(self, text: str) -> None:
        if self._matches[text] <= 0 and text not in self._shown:
            del self._matches[text]
            game = self._games.pop(text, None)
            if game is not None:
                game.stop_compiling()


def _read_sheet(text: str) -> RuleSheet:
    sheet = read_rules(text, name="the rules of the match", syntax="kif")
    errors = [problem for problem in check_rules(sheet) if problem.level is Level.ERROR]
    if errors:
        raise GdlError(errors, sheet.source)
    return sheet
