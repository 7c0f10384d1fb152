"""Swiss: in each round, players with similar scores who have not met yet are paired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import ceil, log2

from ludens.arena.formats.matching import has_perfect_matching
from ludens.arena.formats.rounds import Group, Hall, Round
from ludens.arena.formats.standings import standings


def swiss(hall: Hall) -> Round | None:
    """The next round, once all matches before it are played."""
    specification = hall.specification
    rounds = specification.rounds or max(1, ceil(log2(len(specification.players))))
    if len(hall.rounds) >= rounds or not hall.is_played:
        return None
    ranked = [standing.player for standing in standings(hall)]
    byes = _byes(hall, ranked, len(ranked) % specification.seats)
    playing = [player for player in ranked if player not in byes]
    met = _count_meetings(hall)
    if specification.seats == 2:
        return Round(_pairs(tuple(playing), frozenset(met.items())), tuple(byes))
    return Round(tuple(_groups(playing, met, specification.seats)), tuple(byes))


def _count_meetings(hall: Hall) -> Counter[frozenset[str]]:
    """How often each pair has met."""
    return Counter(frozenset(pair) for each in hall.rounds for group in each.groups for pair in combinations(group, 2))


def _byes(hall: Hall, ranked: Sequence[str], count: int) -> list[str]:
    """The players with the fewest byes, lowest-ranked first."""
    had = Counter(player for each in hall.rounds for player in each.byes)
    return sorted(ranked, key=lambda player: (had[player], -ranked.index(player)))[:count]


@lru_cache(maxsize=64)
def _pairs(ranked: Group, meetings: frozenset[tuple[frozenset[str], int]]) -> tuple[Group, ...]:
    """The highest-ranked player meets the nearest one whom it has not met, as long as the rest can be paired.

    If rematches cannot be avoided, all players may meet once more. The latest results are cached: a scheduler called
    after each result computes the same rounds again and again.
    """
    met = dict(meetings)
    most, allowed = 0, _allowed_opponents(ranked, met, 0)
    while not _can_be_paired(range(len(ranked)), allowed):
        most += 1
        allowed = _allowed_opponents(ranked, met, most)
    left = list(range(len(ranked)))
    pairs: list[Group] = []
    while left:
        first, *others = left
        for other in others:
            rest = [player for player in others if player != other]
            if other in allowed[first] and _can_be_paired(rest, allowed):
                pairs.append((ranked[first], ranked[other]))
                left = rest
                break
    return tuple(pairs)


def _allowed_opponents(ranked: Group, met: Mapping[frozenset[str], int], most: int) -> list[set[int]]:
    """For each rank the opponents whom it has met at most a number of times."""
    places = range(len(ranked))
    return [
        {other for other in places if other != one and met.get(frozenset((ranked[one], ranked[other])), 0) <= most}
        for one in places
    ]


def _can_be_paired(places: Sequence[int], allowed: Sequence[set[int]]) -> bool:
    number = {place: index for index, place in enumerate(places)}
    return has_perfect_matching([[number[other] for other in places if other in allowed[place]] for place in places])


def _groups(ranked: Sequence[str], met: Counter[frozenset[str]], seats: int) -> list[Group]:
    """The highest-ranked player with those whom the group has met least, one by one; among equals, the nearest."""
    left = list(ranked)
    groups = []
    while left:
        group = [left.pop(0)]
        while len(group) < seats:
            best = min(left, key=lambda player: sum(met[frozenset((player, other))] for other in group))
            left.remove(best)
            group.append(best)
        groups.append(tuple(group))
    return groups
