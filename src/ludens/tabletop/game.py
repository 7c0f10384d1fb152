"""Games in Python: makes a Game of a rule."""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

from ludens.core import NativePlayouts, OptionValue, Role, Worlds
from ludens.core.pickled_games import PickledGames
from ludens.tabletop.hidden.sampled_tables import Tables
from ludens.tabletop.rule import rule_class
from ludens.tabletop.rule_game import RuleGame
from ludens.tabletop.state import TabletopState

KEPT_TABLES = 256
"""Sampled tables per player; each is repaired on demand, so many cost little."""
_TWINS = "ludens.compiler.twins.making"
"""The module that compiles twins, and so stands above. It is imported when playouts in machine code are asked for."""
_games: PickledGames[TabletopGame] = PickledGames()


class TabletopGame(RuleGame):
    """A game whose rules are a `Rule`."""

    def initial_state(self) -> TabletopState:
        """The state in which every match begins."""
        return TabletopState(self, self.first)

    def worlds(self, role: Role, rng: Random) -> Worlds:
        """Sampled tables that are repaired from turn to turn."""
        return Tables(KEPT_TABLES, rng)

    def native_playouts(self, seed: int, seconds: float = math.inf) -> NativePlayouts | None:
        """Those of the rule's twin."""
        if self.twin is None:
            return None
        made: NativePlayouts | None = importlib.import_module(_TWINS).make_playouts(self, seed, seconds)
        return made

    def __reduce__(self) -> tuple[object, ...]:
        key = (type(self.rule), tuple(self.rule.settings.items()), self.name, self.source)
        kind = type(self.rule)
        return restore_game, (self.source, kind.__module__, kind.__name__, *key[1:3], _games.token(self, key))


def restore_game(
    source: Path | None, module: str, rule: str, settings: Sequence[tuple[str, OptionValue]], name: str, token: str
) -> TabletopGame:
    """Unpickle a game."""
    if source is not None:
        kind = rule_class(source)
    else:
        __import__(module)
        kind = getattr(sys.modules[module], rule)
    key = (kind, tuple(settings), name, source)
    return _games.find(token, key, lambda: TabletopGame(kind(**dict(settings)), name, source))
