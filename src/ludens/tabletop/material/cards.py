"""The usual packs of cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ludens.tabletop.material.equipment import HIDDEN, Assortment, Element

SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANKS = "23456789TJQKA"


def french_deck(
    name: str = "deck", ranks: Sequence[str] = RANKS, suits: Iterable[str] = SUITS, **attributes: Any
) -> Assortment:
    """Cards named ``3S`` or ``TH``, with ``rank`` (2 to 14, the ace highest), ``suit`` (a letter) and ``colour``, the
    lowest first.

    The deck lies face down unless another visibility is given.
    """
    cards = [
        Element(f"{rank}{suit}", rank=RANKS.index(rank) + 2, suit=suit, colour="red" if suit in "DH" else "black")
        for rank in ranks
        for suit in suits
    ]
    return Assortment(name, cards, **{"visibility": HIDDEN, **attributes})
