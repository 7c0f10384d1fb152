"""What the card of a game says about drawing it."""

from __future__ import annotations

import os
from pathlib import Path

from ludens.core import Game, GameError
from ludens.games.cards import Card, Hints, read_card
from ludens.games.library import GDL, find
from ludens.gdl.game import GdlGame
from ludens.tabletop import TabletopGame

__all__ = ["Hints", "hints_for"]


def hints_for(game: Game) -> tuple[Hints, str]:
    """The hints and the ``picture`` on the card of a game; none if it has no card, or if that cannot be read."""
    try:
        card = _card_beside(game) or _card_in_library(game)
    except (GameError, OSError):
        card = None
    return (card.drawing, card.picture) if card is not None else (Hints(), "")


def _card_beside(game: Game) -> Card | None:
    """The card that lies beside the file from which the rules were read."""
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
    if os.sep in game.name:  # a name from outside is no path to look for files at
        return None
    choice = find(game.name)
    rules = choice.rule_sheet().source.text if choice.form == GDL else choice.path.read_text(encoding="utf-8")
    return choice.card if rules == game.rules_text else None
