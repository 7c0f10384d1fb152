"""What the card of a game says about drawing it."""

from __future__ import annotations

import os

from ludens.core import Game, GameError
from ludens.games.cards import Hints
from ludens.games.library import GDL, find

__all__ = ["Hints", "hints_for"]


def hints_for(game: Game) -> tuple[Hints, str]:
    """The hints and the ``picture`` on the card of the game with this name; none if there is no card, or if it belongs
    to other rules with the same name."""
    if os.sep in game.name:  # a name from outside is no path to look for files at
        return Hints(), ""
    try:
        choice = find(game.name)
        if choice.form == GDL and choice.rule_sheet().source.text != game.rules_text:
            return Hints(), ""
        if choice.form != GDL and choice.path.read_text(encoding="utf-8") != game.rules_text:
            return Hints(), ""
    except (GameError, OSError):
        return Hints(), ""
    return choice.card.drawing, choice.card.picture
