"""What the card of a game says about drawing it."""

from __future__ import annotations

import os

from ludens.core import Game, GameError
from ludens.games.cards import Hints
from ludens.games.library import find

__all__ = ["Hints", "hints_for"]


def hints_for(game: Game) -> tuple[Hints, str]:
    """The hints and the ``picture`` on the card of the game with this name; none if there is no card."""
    if os.sep in game.name:  # a name from outside is no path to look for files at
        return Hints(), ""
    try:
        card = find(game.name).card
    except GameError:
        return Hints(), ""
    return card.drawing, card.picture
