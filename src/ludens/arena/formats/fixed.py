"""Formats in which all encounters are known in advance: round robin and gauntlet."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from math import comb

from ludens.arena.formats.rounds import Group, Hall, Round
from ludens.arena.specification import MOST_MATCHES, SpecificationError


def round_robin(hall: Hall) -> Round | None:
    """Every group of the size of a match meets once."""
    return _next(hall, _all_groups(hall.specification.players, hall.specification.seats))


def gauntlet(hall: Hall) -> Round | None:
    """The first player meets all others, or all groups of others."""
    return _next(hall, _groups_of_first(hall.specification.players, hall.specification.seats))


def _next(hall: Hall, rounds: tuple[Round, ...]) -> Round | None:
    return rounds[len(hall.rounds)] if len(hall.rounds) < len(rounds) else None


@lru_cache(maxsize=16)
def _all_groups(players: Group, seats: int) -> tuple[Round, ...]:
    if seats == 2:
        return tuple(_circle(players))
    _check(comb(len(players), seats))
    return _pack_rounds(players, combinations(players, seats))


@lru_cache(maxsize=16)
def _groups_of_first(players: Group, seats: int) -> tuple[Round, ...]:
    first, *others = players
    _check(comb(len(others), seats - 1))
    return _pack_rounds((), ((first, *group) for group in combinations(others, seats - 1)))


def _check(groups: int) -> None:
    if groups > MOST_MATCHES:
        raise SpecificationError(f"{groups:,} groups of players would meet, more than {MOST_MATCHES:,}")


def _circle(players: Group) -> Iterable[Round]:
    """The circle method: one player stays, the others rotate, and opposite players meet.

    The fixed player changes seats from round to round, the others from place to place, to balance seats.
    """
    table: list[str | None] = [*([None] if len(players) % 2 else []), *players]
    half = len(table) // 2
    for number in range(len(table) - 1):
        pairs = list(zip(table[:half], reversed(table[half:]), strict=True))
        seated = [pair[::-1] if (place or number) % 2 else pair for place, pair in enumerate(pairs)]
        groups = tuple((one, other) for one, other in seated if one is not None and other is not None)
        byes = tuple(player for pair in pairs if None in pair for player in pair if player is not None)
        yield Round(groups, byes, is_seated=True)
        table = [table[0], table[-1], *table[1:-1]]


def _pack_rounds(players: Group, groups: Iterable[Group]) -> tuple[Round, ...]:
    """Groups in rounds, each greedily put into the first round in which all its players are free."""
    rounds: list[list[Group]] = []
    busy: list[set[str]] = []
    for group in groups:
        place = next((number for number, taken in enumerate(busy) if taken.isdisjoint(group)), len(rounds))
        if place == len(rounds):
            rounds.append([])
            busy.append(set())
        rounds[place].append(group)
        busy[place].update(group)
    return tuple(
        Round(tuple(each), tuple(player for player in players if player not in taken))
        for each, taken in zip(rounds, busy, strict=True)
    )
