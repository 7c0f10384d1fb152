"""Formats in which the winners advance: knock-out and ladder."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.arena.formats.rounds import Hall, Round


def knock_out(hall: Hall) -> Round | None:
    """The winners of the previous round meet; in the first round the top seeds have byes.

    A drawn encounter goes to the higher seed.
    """
    if not hall.is_played:
        return None
    bracket: Sequence[str | None] = _first_bracket(hall.specification.players)
    for number in range(len(hall.rounds)):
        bracket = _survivors(hall, number, bracket)
    if len(bracket) == 1:
        return None
    pairs = list(zip(bracket[::2], bracket[1::2], strict=True))
    groups = tuple((one, other) for one, other in pairs if one is not None and other is not None)
    return Round(groups, tuple(one or other or "" for one, other in pairs if one is None or other is None))


def _first_bracket(players: Sequence[str]) -> list[str | None]:
    """Players in bracket order, where the top two seeds can only meet in the final; None for empty places."""
    order = [0]
    while len(order) < len(players):
        size = 2 * len(order)
        order = [place for seed in order for place in (seed, size - 1 - seed)]
    return [players[seed] if seed < len(players) else None for seed in order]


def _survivors(hall: Hall, number: int, bracket: Sequence[str | None]) -> list[str | None]:
    seeding = hall.specification.players
    groups = {group: encounter for encounter, group in enumerate(hall.rounds[number].groups)}
    survivors: list[str | None] = []
    for one, other in zip(bracket[::2], bracket[1::2], strict=True):
        if one is None or other is None:
            survivors.append(one or other)
        else:
            survivors.append(hall.winner(number, groups[one, other], seeding))
    return survivors


def ladder(hall: Hall) -> Round | None:
    """Neighbours meet, from the first in odd rounds and from the second in even ones; the winner moves up."""
    specification = hall.specification
    if len(hall.rounds) >= (specification.rounds or len(specification.players)) or not hall.is_played:
        return None
    order = rungs(hall)
    first = len(hall.rounds) % 2
    pairs = [(order[place], order[place + 1]) for place in range(first, len(order) - 1, 2)]
    meeting = {player for pair in pairs for player in pair}
    return Round(tuple(pairs), tuple(player for player in order if player not in meeting))


def rungs(hall: Hall) -> list[str]:
    """The order of players on the ladder after the rounds so far, highest first."""
    order = list(hall.specification.players)
    for number, each in enumerate(hall.rounds):
        for encounter, (upper, lower) in enumerate(each.groups):
            if hall.winner(number, encounter, (upper, lower)) == lower:
                place = order.index(upper)
                order[place : place + 2] = lower, upper
    return order
