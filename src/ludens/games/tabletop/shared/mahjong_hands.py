"""Hands of Mah-Jong: completeness, decomposition into sets, and value.

Kinds of tiles are numbered: bamboos 0 to 8, characters 9 to 17, dots 18 to 26, winds east, south, west, north 27 to 30,
dragons red, green, white 31 to 33. Concealed tiles are a list of 34 counts; open ones are melds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SUITS = ("b", "c", "d")
WINDS = ("east", "south", "west", "north")
DRAGONS = ("red", "green", "white")
KINDS = (*(f"{suit}{number}" for suit in SUITS for number in range(1, 10)), *WINDS, *DRAGONS)
NUMBER = {name: number for number, name in enumerate(KINDS)}
FIRST_WIND, FIRST_DRAGON = 27, 31
TERMINALS = (0, 8, 9, 17, 18, 26)
ORPHANS = (*TERMINALS, *range(FIRST_WIND, 34))
CHOW, PUNG, KONG = "chow", "pung", "kong"
SETS = 4
LIMIT = 8
"""The maximum value of a hand in faan."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A set: a chow is named by its lowest tile."""

    sort: str
    kind: int
    is_open: bool = True
    """False if it was not made with a discarded tile."""


@dataclass(frozen=True, slots=True)
class Win:
    """How a hand was completed."""

    seat: str
    """The wind of the winner."""
    prevailing: str
    """The wind of the round."""
    self_drawn: bool = False
    replacement: bool = False
    """True if the last tile was a replacement after a kong."""
    robbed: bool = False
    """True if it robbed a kong."""
    last_tile: bool = False
    """True if the wall was empty."""


def counts_of(kinds: Sequence[int]) -> list[int]:
    """The number of tiles of each kind."""
    counts = [0] * len(KINDS)
    for kind in kinds:
        counts[kind] += 1
    return counts


def is_suited(kind: int) -> bool:
    """True for bamboos, characters and dots."""
    return kind < FIRST_WIND


def splits(concealed: Sequence[int], sets: int) -> Iterator[tuple[int, list[Meld]]]:
    """All decompositions of concealed tiles into a pair and a number of sets."""
    if sum(concealed) != 3 * sets + 2:
        return
    counts = list(concealed)  # modified during the search, and left modified if the caller stops early
    for pair, count in enumerate(counts):
        if count >= 2:
            counts[pair] -= 2
            for melds in _sets(counts, 0):
                yield pair, melds
            counts[pair] += 2


def _sets(counts: list[int], start: int) -> Iterator[list[Meld]]:
    kind = next((kind for kind in range(start, len(counts)) if counts[kind]), None)
    if kind is None:
        yield []
        return
    if counts[kind] >= 3:
        counts[kind] -= 3
        for rest in _sets(counts, kind):
            yield [Meld(PUNG, kind, False), *rest]
        counts[kind] += 3
    if is_suited(kind) and kind % 9 < 7 and counts[kind + 1] and counts[kind + 2]:
        for tile in (kind, kind + 1, kind + 2):
            counts[tile] -= 1
        for rest in _sets(counts, kind):
            yield [Meld(CHOW, kind, False), *rest]
        for tile in (kind, kind + 1, kind + 2):
            counts[tile] += 1


def is_seven_pairs(counts: Sequence[int]) -> bool:
    """True for seven different pairs."""
    return sum(count == 2 for count in counts) == 7


def is_thirteen_orphans(counts: Sequence[int]) -> bool:
    """True for one of each terminal and honour, and one of these twice."""
    return sum(counts) == 14 and all(counts[kind] for kind in ORPHANS) and sum(counts[kind] for kind in ORPHANS) == 14


def is_complete(counts: Sequence[int], melds: Sequence[Meld]) -> bool:
    """True if concealed tiles and melds are a winning hand."""
    if not melds and (is_seven_pairs(counts) or is_thirteen_orphans(counts)):
        return True
    # A suit or honour with one or four tiles too many is detected without a search.
    for first in (0, 9, 18):
        if sum(counts[first : first + 9]) % 3 == 1:
            return False
    if any(count % 3 == 1 for count in counts[FIRST_WIND:]):
        return False
    return next(splits(counts, SETS - len(melds)), None) is not None


def readiness(counts: Sequence[int], melds: Sequence[Meld]) -> int:
    """A rough measure of progress: two for each set, one for each pair and for two tiles of a chow."""
    left = list(counts)
    sets = len(melds)
    for kind in range(len(left)):
        if left[kind] >= 3:
            left[kind] -= 3
            sets += 1
        while is_suited(kind) and kind % 9 < 7 and left[kind] and left[kind + 1] and left[kind + 2]:
            for tile in (kind, kind + 1, kind + 2):
                left[tile] -= 1
            sets += 1
    parts = sum(count == 2 for count in left)
    for kind in range(FIRST_WIND):
        for other in (kind + 1, kind + 2):
            if kind // 9 == other // 9 and left[kind] == 1 and left[other] == 1:
                left[kind] = left[other] = 0
                parts += 1
    return 2 * sets + min(parts, SETS + 1 - sets)


def faan(counts: Sequence[int], melds: Sequence[Meld], win: Win) -> int:
    """The value of the best decomposition of a hand."""
    kinds = [kind for kind, count in enumerate(counts) if count] + [meld.kind for meld in melds]
    common = _circumstances(melds, win) + _purity(kinds)
    values = []
    if not melds and is_thirteen_orphans(counts):
        return LIMIT
    if not melds and is_seven_pairs(counts):
        values.append(common + 4)
    for pair, concealed in splits(counts, SETS - len(melds)):
        values.append(common + _sets_worth(pair, [*concealed, *melds], win))
    return min(max(values), LIMIT)


def _circumstances(melds: Sequence[Meld], win: Win) -> int:
    concealed = not any(meld.is_open for meld in melds)
    return sum((win.self_drawn, win.replacement, win.robbed, win.last_tile, concealed))


def _purity(kinds: Sequence[int]) -> int:
    """Six for one suit alone, three for one suit and honours, and for honours alone the limit."""
    suits = {kind // 9 for kind in kinds if is_suited(kind)}
    has_honours = any(not is_suited(kind) for kind in kinds)
    if not suits:
        return LIMIT
    return 0 if len(suits) > 1 else 3 if has_honours else 6


def _sets_worth(pair: int, melds: Sequence[Meld], win: Win) -> int:
    pungs = [meld.kind for meld in melds if meld.sort != CHOW]
    worth = 3 if len(pungs) == SETS else 1 if not pungs and is_suited(pair) else 0
    worth += sum(kind >= FIRST_DRAGON for kind in pungs)
    worth += sum(KINDS[kind] == wind for kind in pungs for wind in (win.seat, win.prevailing))
    dragons, winds = (sum(first <= kind < last for kind in pungs) for first, last in ((31, 34), (27, 31)))
    if dragons == 3 or winds == 4 or (winds == 3 and FIRST_WIND <= pair < FIRST_DRAGON):
        return LIMIT
    return worth + (3 if dragons == 2 and pair >= FIRST_DRAGON else 0)
