"""Values of Skat games: matadors, multipliers, and the bids that follow from them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

GRAND, NULL = "grand", "null"
BASE = {"D": 9, "H": 10, "S": 11, "C": 12, GRAND: 24}
"""The base value of suits and grand."""
NULL_VALUE = {(False, False): 23, (True, False): 35, (False, True): 46, (True, True): 59}
"""The value of null, by whether it is played from the hand and with open cards."""
JACKS = ("JC", "JS", "JH", "JD")
TRUMP_RANKS = "ATKQ987"
CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
SCHNEIDER, SCHWARZ, OPEN = 1, 2, 3
"""Announcements; each includes those before it."""
MOST_MULTIPLIER = {"suit": 18, GRAND: 11}
BIDS = tuple(
    sorted(
        {BASE[suit] * times for suit in "DHSC" for times in range(2, MOST_MULTIPLIER["suit"] + 1)}
        | {BASE[GRAND] * times for times in range(2, MOST_MULTIPLIER[GRAND] + 1)}
        | set(NULL_VALUE.values())
    )
)
"""All values that a game can have."""
HALF, NINETY, ALL = 61, 90, 120


def card_points(names: Collection[str]) -> int:
    """Points of cards."""
    return sum(CARD_POINTS.get(name[0], 0) for name in names)


def matadors(game: str, cards: Collection[str]) -> int:
    """How many of the highest trumps in a row declarer has, or lacks, from its twelve cards by name."""
    trumps = [*JACKS, *(rank + game for rank in TRUMP_RANKS if game in ("C", "S", "H", "D"))]
    has_first = trumps[0] in cards
    for number, trump in enumerate(trumps):
        if (trump in cards) != has_first:
            return number
    return len(trumps)


@dataclass(frozen=True, slots=True)
class Announcement:
    """Declarer's game."""

    game: str
    """A suit, `GRAND` or `NULL`."""
    hand: bool
    """True if declarer did not take the skat."""
    announced: int
    """0, `SCHNEIDER`, `SCHWARZ` or `OPEN`."""

    def null_score(self, took_trick: bool) -> int:
        """The score of null."""
        value = NULL_VALUE[self.hand, self.announced == OPEN]
        return -2 * value if took_trick else value

    def score(self, bid: int, cards: Collection[str], points: int, tricks: int, all_tricks: int) -> int:
        """Declarer's score for a suit game or grand, from its twelve cards, its card points and its tricks."""
        side = max(points, ALL - points)
        reached = SCHWARZ if tricks in (0, all_tricks) else SCHNEIDER if side >= NINETY else 0
        levels = max(reached, min(self.announced, SCHWARZ)) + self.announced
        value = BASE[self.game] * (matadors(self.game, cards) + 1 + self.hand + levels)
        needed = (HALF, NINETY)[min(self.announced, SCHNEIDER)]
        is_won = points >= needed and (self.announced < SCHWARZ or tricks == all_tricks)
        if value < bid:
            base = BASE[self.game]
            return -2 * (-(-bid // base) * base)
        return value if is_won else -2 * value
