"""How strong players use the kinds of moves that they have."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ludens.core import Move
from ludens.core.interval import Interval, corrected, wilson
from ludens.design.move_words import kind_of, things_in
from ludens.design.strong_play import StrongMatch

LEAST_CHOICES, LEAST_MATCHES = 20, 8
"""The least evidence for a statement about a kind of move."""
_CONFIDENCE = 1e-3
"""How unlikely it must be that random players would never have used a kind either."""


@dataclass(frozen=True, slots=True)
class Usage:
    """How often a kind of move was chosen when there were others."""

    name: str
    available: int
    """Choices in which it and another kind were possible, and the match was not lost whatever the role did."""
    chosen: int
    matches: int
    """Matches in which there was such a choice."""
    log_random: float
    """The natural logarithm of the probability that uniform choices would never have taken it."""
    share: Interval
    """How often it was taken; the interval holds for all kinds together."""
    compared: int
    """How many kinds there were."""

    @property
    def has_evidence(self) -> bool:
        """Whether there were enough choices."""
        return self.available >= LEAST_CHOICES and self.matches >= LEAST_MATCHES

    @property
    def is_never_used(self) -> bool:
        """Never chosen, although random players would have."""
        enough = self.log_random < math.log(_CONFIDENCE / self.compared)
        return self.has_evidence and self.chosen == 0 and enough

    @property
    def is_dominant(self) -> bool:
        """Chosen nearly always."""
        return self.has_evidence and self.share.low > 0.8


def usage_of_kinds(matches: Iterable[StrongMatch]) -> list[Usage]:
    """The use of each kind of move, most often available first."""
    return _usage(matches, lambda move: (kind_of(move),))


def usage_of_things(matches: Iterable[StrongMatch]) -> list[Usage]:
    """The use of each thing that moves name: pieces, cards, squares."""
    return _usage(matches, lambda move: (thing.text for thing in things_in(move)))


def _usage(matches: Iterable[StrongMatch], names: Callable[[Move], Iterable[str]]) -> list[Usage]:
    available: Counter[str] = Counter()
    chosen: Counter[str] = Counter()
    seen: dict[str, set[int]] = defaultdict(set)
    logs: dict[str, float] = defaultdict(float)
    for number, match in enumerate(matches):
        for choice in match.choices:
            if choice.is_lost:
                continue
            having = Counter(name for move in choice.legal for name in set(names(move)))
            taken = set(names(choice.move))
            for name, count in having.items():
                if count == choice.moves:
                    continue  # no choice without it
                available[name] += 1
                chosen[name] += name in taken
                seen[name].add(number)
                logs[name] += math.log1p(-count / choice.moves)
    z = corrected(len(available))
    return [
        Usage(name, count, chosen[name], len(seen[name]), logs[name], wilson(chosen[name], count, z), len(available))
        for name, count in available.most_common()
    ]


def never_legal(kinds: Sequence[str], legal: Iterable[Move]) -> Iterator[str]:
    """The kinds of which no move was ever legal."""
    found = set(map(kind_of, legal))
    yield from (kind for kind in kinds if kind not in found)
