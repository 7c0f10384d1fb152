"""Which game a pickled game is where it arrives: the same object if it lives there, else one with the same rules."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from uuid import uuid4
from weakref import WeakKeyDictionary, WeakValueDictionary

from ludens.core.game import Game

_Game = TypeVar("_Game", bound=Game)


class PickledGames(Generic[_Game]):
    """The games that were pickled or unpickled in this process, as long as somebody uses them."""

    def __init__(self) -> None:
        self._tokens: WeakKeyDictionary[_Game, str] = WeakKeyDictionary()
        self._by_token: WeakValueDictionary[str, _Game] = WeakValueDictionary()
        self._by_rules: WeakValueDictionary[Hashable, _Game] = WeakValueDictionary()

    def token(self, game: _Game, rules: Hashable) -> str:
        """A name for a game that is pickled, known to no other game anywhere."""
        if game not in self._tokens:
            self._add(game, rules, uuid4().hex)
        return self._tokens[game]

    def find(self, token: str, rules: Hashable, make: Callable[[], _Game]) -> _Game:
        """The game that was pickled under a token, another with the same rules, or a new one."""
        found = self._by_token.get(token) or self._by_rules.get(rules)
        if found is None:
            found = make()
            self._add(found, rules, token)
        return found

    def _add(self, game: _Game, rules: Hashable, token: str) -> None:
        self._tokens[game] = token
        self._by_token[token] = game
        self._by_rules.setdefault(rules, game)
