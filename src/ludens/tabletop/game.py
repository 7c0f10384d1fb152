"""Games in Python: makes a Game of a rule."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from ludens.core import OptionValue, Role, Worlds
from ludens.tabletop.hidden.sampled_tables import Tables
from ludens.tabletop.rule import rule_class
from ludens.tabletop.rule_game import RuleGame
from ludens.tabletop.state import TabletopState

KEPT_TABLES = 256
"""Sampled tables per player; each is repaired on demand, so many cost little."""
_games: dict[tuple[Any, ...], TabletopGame] = {}
"""Games by what they were made from, so that an unpickled state belongs to the game it was pickled from."""


class TabletopGame(RuleGame):
    """A game whose rules are a `Rule`."""

    def initial_state(self) -> TabletopState:
        """The state in which every match begins."""
        return TabletopState(self, self.first)

    def worlds(self, role: Role, rng: Random) -> Worlds:
        """Sampled tables that are repaired from turn to turn."""
        return Tables(KEPT_TABLES, rng)

    def __reduce__(self) -> tuple[object, ...]:
        key = (type(self.rule), tuple(self.rule.settings.items()), self.name, self.source)
        _games.setdefault(key, self)
        return restore_game, (self.source, type(self.rule).__module__, type(self.rule).__name__, *key[1:3])


def restore_game(
    source: Path | None, module: str, rule: str, settings: Sequence[tuple[str, OptionValue]], name: str
) -> TabletopGame:
    """Unpickle a game."""
    if source is not None:
        kind = rule_class(source)
    else:
        __import__(module)
        kind = getattr(sys.modules[module], rule)
    key = (kind, tuple(settings), name, source)
    if key not in _games:
        _games[key] = TabletopGame(kind(**dict(settings)), name, source)
    return _games[key]
