"""The card of a game that has been loaded."""

from __future__ import annotations

import os
from pathlib import Path
from weakref import WeakKeyDictionary

from ludens.core import Game, GameError
from ludens.games.cards import Card, read_card
from ludens.games.library import GDL, find
from ludens.games.set_up import differ_in_start_only, origin_of
from ludens.gdl.game import GdlGame
from ludens.tabletop import TabletopGame

_found: WeakKeyDictionary[Game, Card | None] = WeakKeyDictionary()
"""The cards of games that are loaded: finding one reads its rules again."""


def card_of(game: Game) -> Card | None:
    """The card of a game; None if it has none, or if that cannot be read."""
    if game not in _found:
        try:
            _found[game] = _card_beside(game) or _card_of_origin(game) or _card_in_library(game)
        except (GameError, OSError):
            _found[game] = None
    return _found[game]


def _card_beside(game: Game) -> Card | None:
    """The card next to the file with the rules."""
    match game:
        case GdlGame():
            rules = Path(game.sheet.source.name)
        case TabletopGame(source=Path() as rules):
            pass
        case _:
            return None
    if not rules.is_file():
        return None
    card = rules.with_suffix(".toml")
    return read_card(card) if card.is_file() else None


def _card_of_origin(game: Game) -> Card | None:
    """The card of the game of the library that a set-up position belongs to."""
    origin = origin_of(game.rules_text) if isinstance(game, GdlGame) else ""
    if not isinstance(game, GdlGame) or not origin:
        return None
    choice = find(f"{origin}@{GDL}")
    is_safe = not choice.parameters or ",".join(choice.parameters) in choice.card.choices  # others may be expensive
    is_same = choice.in_library and is_safe and differ_in_start_only(choice.rule_sheet(), game.sheet)
    return choice.card if is_same else None


def _card_in_library(game: Game) -> Card | None:
    """The card of the game with this name, unless it belongs to other rules that have the same name."""
    if os.sep in game.name:  # an untrusted name must not be used as a path
        return None
    choice = find(game.name)
    return choice.card if choice.has_rules(game.rules_text) else None
