"""How strong many poker hands are at once, in arrays: the numbers of `ludens.tabletop.poker.strength`.

A card is a number from 0 to 51: 13 times its suit, plus its rank (0 for a two, 12 for an ace). Sets of ranks are bits.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludens.tabletop.material.equipment import Element
from ludens.tabletop.poker import STRAIGHTS

Array = NDArray[Any]

RANKS, SUITS = 13, "CDHS"
CARDS = RANKS * len(SUITS)
_HALF = 7
"""Ranks below this are counted in one number, the others in another."""
_ALL = 7
"""Cards of a hand together with the board."""


def card_number(card: Element) -> int:
    """The number of a card of a French deck."""
    return RANKS * SUITS.index(card.attributes["suit"]) + int(card.attributes["rank"]) - 2


def strengths(cards: Array) -> Array:
    """The strength of each hand of five to seven cards (hands, cards)."""
    ranks, suits = cards % RANKS, cards // RANKS
    found = _without_flush(ranks)
    for suit in range(len(SUITS)):
        of_suit = np.bitwise_or.reduce(np.where(suits == suit, 1 << ranks, 0), axis=1)
        found = np.maximum(found, _flush(of_suit))
    return found


@cache
def _rank_tables() -> tuple[Array, Array, Array]:
    """By a set of ranks: the five highest as digits, the highest as a bit, the highest card of a straight or 0."""
    masks = range(1 << RANKS)
    digits = []
    for mask in masks:
        ranks = [rank + 2 for rank in reversed(range(RANKS)) if mask >> rank & 1]
        digits.append(sum(rank << 4 * (4 - place) for place, rank in enumerate(ranks[:5])))
    highest = [1 << mask.bit_length() >> 1 for mask in masks]
    straight = [STRAIGHTS.get(mask << 2, 0) for mask in masks]
    return np.array(digits, np.int32), np.array(highest, np.int32), np.array(straight, np.int32)


def _flush(ranks: Array) -> Array:
    """The strength of the cards of one suit: a flush, a straight flush, or 0."""
    digits, _, straight = _rank_tables()
    plain = np.where(digits[ranks] & 15, 5 << 20 | digits[ranks], 0)
    return np.where(straight[ranks], 8 << 20 | straight[ranks] << 16, plain)


def _without_flush(ranks: Array) -> Array:
    """The strength of each hand (hands, ranks), whatever its suits."""
    digits, highest, straight = _rank_tables()
    once = twice = thrice = four = np.zeros(len(ranks), np.int32)
    for bit in (1 << ranks.astype(np.int32)).T:
        four, thrice, twice, once = four | thrice & bit, thrice | twice & bit, twice | once & bit, once | bit

    def top(of: Array, count: int = 1) -> Array:
        return digits[of] >> 4 * (5 - count)

    trips, pair = highest[thrice], highest[twice]
    other, second = highest[twice & ~trips], highest[twice & ~pair]
    quads = 7 << 20 | top(four) << 16 | top(once & ~four) << 12
    full = 6 << 20 | top(trips) << 16 | top(other) << 12
    run = 4 << 20 | straight[once] << 16
    three = 3 << 20 | top(trips) << 16 | top(once & ~trips, 2) << 8
    two = 2 << 20 | top(pair) << 16 | top(second) << 12 | top(once & ~pair & ~second) << 8
    one = 1 << 20 | top(pair) << 16 | top(once & ~pair, 3) << 4
    kinds = [four > 0, (trips > 0) & (other > 0), straight[once] > 0, trips > 0, second > 0, pair > 0]
    return np.select(kinds, [quads, full, run, three, two, one], digits[once])


class Showdowns:
    """Ranks all hands of two cards on many boards of five, by tables of all sets of seven ranks and of all flushes."""

    def __init__(self) -> None:
        self.hands: Array = np.array([(one, two) for one in range(CARDS) for two in range(one + 1, CARDS)])
        """The two cards of each hand, the lower number first (1326, 2)."""
        self.bits: Array = (np.int64(1) << self.hands).sum(axis=1)
        """The cards of each hand as bits."""
        plain = self._build_places()
        flushes = _flush(np.arange(1 << RANKS))
        classes = np.unique(np.concatenate([plain, flushes]), return_inverse=True)[1].astype(np.int16)
        self.classes = int(classes.max()) + 1
        """How many strengths there are, more than one of seven cards can have."""
        self._plain, self._flushes = classes[: len(plain)], classes[len(plain) :]
        self._low, self._high = _codes(self.hands % RANKS)
        self._of_suit = _bits_of_suits(self.hands)

    def _build_places(self) -> Array:
        """Make tables that lead from the counts of low and of high ranks to a place; returns the strengths there."""
        sets = np.array(list(combinations_with_replacement(range(RANKS), _ALL)), np.int32)
        sets = sets[(sets[:, :-4] != sets[:, 4:]).all(axis=1)]  # no rank five times
        low, high = _codes(sets)
        order = np.lexsort((high, low))
        sets, low, high = sets[order], low[order], high[order]
        # Sets with equal low ranks are neighbours. As all have seven cards, the place of the high ranks among them is
        # the same for all low ranks that they can go with.
        firsts = np.flatnonzero(np.diff(low, prepend=-1))
        # Twice as long as needed, for hands with a card of the board, which have a rank up to six times.
        self._base, self._place = np.zeros(2 * 5**_HALF, np.int32), np.zeros(2 * 5 ** (RANKS - _HALF), np.int32)
        self._base[low[firsts]] = firsts
        self._place[high] = np.arange(len(sets)) - self._base[low]
        return _without_flush(sets)

    def rank(self, boards: Array) -> Array:
        """A number for each hand on each board, higher for the better hand (boards, hands). Where a hand has a card of
        the board, it means nothing."""
        low, high = _codes(boards % RANKS)
        places = self._base[low[:, None] + self._low] + self._place[high[:, None] + self._high]
        found: Array = self._plain[np.minimum(places, len(self._plain) - 1)]
        of_suit = _bits_of_suits(boards)
        for suit in range(len(SUITS)):
            rows = np.flatnonzero((boards // RANKS == suit).sum(axis=1) >= 3)
            if len(rows):
                flushes = self._flushes[of_suit[suit][rows, None] | self._of_suit[suit]]
                found[rows] = np.maximum(found[rows], flushes)
        return found


def _codes(ranks: Array) -> tuple[Array, Array]:
    """The counts of low and of high ranks, as digits of base five."""
    is_low = ranks < _HALF
    low = np.where(is_low, 5 ** np.where(is_low, ranks, 0), 0).sum(axis=1, dtype=np.int32)
    high = np.where(is_low, 0, 5 ** np.where(is_low, 0, ranks - _HALF)).sum(axis=1, dtype=np.int32)
    return low, high


def _bits_of_suits(cards: Array) -> Array:
    """For each suit the ranks of its cards as bits (suits, rows)."""
    bits = 1 << cards % RANKS
    return np.array([np.where(cards // RANKS == suit, bits, 0).sum(axis=1) for suit in range(len(SUITS))])
