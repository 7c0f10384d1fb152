"""Drawing hints on the cards of games."""

from __future__ import annotations

from ludens.core import Game
from ludens.games.card_lookup import card_of
from ludens.games.cards import Hints

__all__ = ["Hints", "hints_for"]


def hints_for(game: Game) -> tuple[Hints, str]:
    """The hints and the ``picture`` on the card of a game; none if it has no readable card."""
    card = card_of(game)
    return (card.drawing, card.picture) if card is not None else (Hints(), "")
