"""Deals that a test decides, in the words of the moves that chance makes."""

from __future__ import annotations

from collections.abc import Sequence

import ludens
from ludens.core import State
from ludens.tabletop import TabletopState

SUITS, RANKS = "CDHS", "23456789TJQKA"


def deal_text(hands: Sequence[Sequence[str]], rest: Sequence[str] = (), name: str = "deal") -> str:
    """The move that deals these hands card by card, with ``rest`` left in the deck, the top last."""
    given = [hand[number] for number in range(len(hands[0])) for hand in hands]
    return f"{name} = " + " ".join(f'"{card}"' for card in (*rest, *reversed(given)))


def filled(hands: Sequence[str], each: int = 13) -> list[list[str]]:
    """Hands written by suits, as ``AK.2..J3`` (spades first, as in Bridge), or empty to get what is left."""
    found = [
        [rank + suit for suit, ranks in zip("SHDC", hand.split("."), strict=False) for rank in ranks] for hand in hands
    ]
    used = {card for hand in found for card in hand}
    left = [rank + suit for suit in SUITS for rank in RANKS if rank + suit not in used]
    for hand in found:
        while len(hand) < each:
            hand.append(left.pop(0))
    return found


def dealt(game: str, hands: Sequence[str], dealer: str = "North") -> State:
    """The state after a deal of a whole French deck."""
    return ludens.load(game).initial_state().play({dealer: deal_text(filled(hands))})


def play(state: State, *moves: str) -> State:
    """The state after moves of whoever is to move."""
    for move in moves:
        role = next(role for role in state.game.roles if state.legal_moves(role))
        state = state.play({role: move})
    return state


def hand_of(state: State, player: str) -> set[str]:
    """The names of the cards in a hand."""
    assert isinstance(state, TabletopState)
    return {card.name for card in state.table[state.table.hand(player)]}
