"""The card of a game that has been loaded."""

from __future__ import annotations

import os
from pathlib import Path

from ludens.core import Game, GameError
from ludens.games.cards import Card, read_card
from ludens.games.library import GDL, find
from ludens.gdl.game import GdlGame
from ludens.tabletop import TabletopGame


def card_of(game: Game) -> Card | None:
    """The card of a game; None if it has none, or if that cannot be read."""
    try:
        return _card_beside(game) or _card_in_library(game)
    except (GameError, OSError):
        return None


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


def _card_in_library(game: Game) -> Card | None:
    """The card of the game with this name, unless it belongs to other rules that have the same name."""
    if os.sep in game.name:  # an untrusted name must not be used as a path
        return None
    choice = find(game.name)
    rules = choice.rule_sheet().source.text if choice.form == GDL else choice.path.read_text(encoding="utf-8")
    return choice.card if rules == game.rules_text else None
