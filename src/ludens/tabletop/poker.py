"""How strong poker hands are: one number for the best five of five to seven cards, or for three."""

from __future__ import annotations

from collections.abc import Iterable

from ludens.tabletop.material.equipment import Element

CATEGORIES = (
    "high card",
    "pair",
    "two pairs",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
_WHEEL = 1 << 14 | 0b111100
"""A, 2, 3, 4 and 5: the ace counts low."""


def _straights() -> dict[int, int]:
    """The highest card of the best straight in each set of ranks that contains one."""
    runs = {5: _WHEEL} | {high: 0b11111 << (high - 4) for high in range(6, 15)}
    found = {}
    for mask in range(0, 1 << 15, 4):
        best = max((high for high, run in runs.items() if mask & run == run), default=0)
        if best:
            found[mask] = best
    return found


STRAIGHTS = _straights()
"""The highest card of the best straight in each set of ranks (bits 2 to 14) that contains one."""


def strength(cards: Iterable[Element]) -> int:
    """A number that is higher for the better hand: of the best five cards, or of all if there are fewer.

    Cards need ``rank`` (2 to 14) and ``suit``. Straights and flushes need five cards.
    """
    counts = [0] * 15
    suits: dict[str, int] = {}
    mask = 0
    for card in cards:
        attributes = card.attributes
        rank = attributes["rank"]
        counts[rank] += 1
        mask |= 1 << rank
        suit = attributes["suit"]
        suits[suit] = suits.get(suit, 0) | 1 << rank
    for ranks in suits.values():
        if ranks.bit_count() >= 5:
            straight = STRAIGHTS.get(ranks)
            if straight:
                return _number(8, [straight])
            flush = _number(5, _highest(ranks, 5))
            break
    else:
        flush = 0
    groups = sorted([(count, rank) for rank, count in enumerate(counts) if count], reverse=True)
    return max(flush, _by_groups(groups, mask))


def _by_groups(groups: list[tuple[int, int]], mask: int) -> int:
    most, first = groups[0]
    second = groups[1] if len(groups) > 1 else (0, 0)
    if most == 4:
        return _number(7, [first, *_highest(mask & ~(1 << first), 1)])
    if most == 3 and second[0] >= 2:
        return _number(6, [first, second[1]])
    straight = STRAIGHTS.get(mask)
    if straight:
        return _number(4, [straight])
    if most == 3:
        return _number(3, [first, *_highest(mask & ~(1 << first), 2)])
    if most == 2 and second[0] == 2:
        pairs = 1 << first | 1 << second[1]
        return _number(2, [first, second[1], *_highest(mask & ~pairs, 1)])
    if most == 2:
        return _number(1, [first, *_highest(mask & ~(1 << first), 3)])
    return _number(0, _highest(mask, 5))


def _highest(mask: int, count: int) -> list[int]:
    found: list[int] = []
    while mask and len(found) < count:
        rank = mask.bit_length() - 1
        found.append(rank)
        mask &= ~(1 << rank)
    return found


def _number(category: int, ranks: list[int]) -> int:
    number = category
    for place in range(5):
        number = number << 4 | (ranks[place] if place < len(ranks) else 0)
    return number


def category(number: int) -> str:
    """What a hand of this strength is called."""
    return CATEGORIES[number >> 20]


_RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")


def hand_name(number: int) -> str:
    """A hand of this strength in words: ``pair of kings``, ``full house, tens over fours``."""
    first, second = (_RANKS[rank - 2] if (rank := number >> shift & 15) else "" for shift in (16, 12))
    name = category(number)
    match name:
        case "pair":
            return f"pair of {_plural(first)}"
        case "two pairs":
            return f"two pairs, {_plural(first)} and {_plural(second)}"
        case "three of a kind" | "four of a kind":
            return f"{name.split()[0]} {_plural(first)}"
        case "full house":
            return f"full house, {_plural(first)} over {_plural(second)}"
        case "high card":
            return f"{first} high"
        case _:
            return f"{name}, {first} high"


def _plural(rank: str) -> str:
    return f"{rank}es" if rank.endswith("x") else f"{rank}s"
