"""The scheduler: which matches a competition consists of, as far as the results so far decide it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ludens.arena.formats.elimination import knock_out, ladder, rungs
from ludens.arena.formats.fixed import gauntlet, round_robin
from ludens.arena.formats.swiss import swiss
from ludens.arena.rounds import Hall, Round
from ludens.arena.specification import Format, Results, ScheduledMatch, Specification, SpecificationError
from ludens.arena.standings import Standing, standings

_FORMATS: dict[Format, Callable[[Hall], Round | None]] = {
    Format.ROUND_ROBIN: round_robin,
    Format.SWISS: swiss,
    Format.KNOCK_OUT: knock_out,
    Format.LADDER: ladder,
    Format.GAUNTLET: gauntlet,
}


@dataclass(frozen=True, slots=True)
class Schedule:
    """A competition as far as it is decided."""

    matches: tuple[ScheduledMatch, ...]
    """All that is known, played or not, in the order in which they should be played."""
    due: tuple[ScheduledMatch, ...]
    """Those without a result. With none the competition is over."""
    rounds: tuple[Round, ...]
    standings: tuple[Standing, ...]
    """The best first; by the place that the format gives where it gives one."""


def schedule(specification: Specification, results: Results) -> Schedule:
    """The schedule, a function of its arguments alone: the order of results, and when they came, make no difference.

    More results add matches at the end and change none. Raises `SpecificationError` for a result of no match.
    """
    hall = Hall(specification, results)
    fill(hall)
    due = tuple(match for match in hall.matches if match.name not in results)
    return Schedule(tuple(hall.matches), due, tuple(hall.rounds), _placed(hall, standings(hall)))


def fill(hall: Hall) -> None:
    """Add all rounds that the results decide. Whoever keeps the hall pays for each round once, not for all each time.

    Raises `SpecificationError` for a result of no match.
    """
    following = _FORMATS[hall.specification.format]
    while (new := following(hall)) is not None:
        hall.add(new)
    _check(hall)


def _check(hall: Hall) -> None:
    seats = {match.name: len(match.seats) for match in hall.matches}
    for name, result in hall.results.items():
        if name not in seats:
            raise SpecificationError(f"there is a result of match {name!r}, which is not in the schedule")
        if len(result.goals) != seats[name]:
            raise SpecificationError(
                f"the result of match {name} has {len(result.goals)} goals for {seats[name]} seats"
            )


def _placed(hall: Hall, table: tuple[Standing, ...]) -> tuple[Standing, ...]:
    """The table by the round that one came to in a knock-out, or the rung on a ladder; by scores otherwise."""
    if hall.specification.format is Format.LADDER:
        order = {player: place for place, player in enumerate(rungs(hall))}
        return tuple(sorted(table, key=lambda standing: order[standing.player]))
    if hall.specification.format is Format.KNOCK_OUT:
        reached = {player: number for number, each in enumerate(hall.rounds) for player in _present(each)}
        last = len(hall.rounds) - 1
        if hall.rounds and hall.is_played:
            reached[hall.winner(last, 0, hall.specification.players)] = len(hall.rounds)
        return tuple(sorted(table, key=lambda standing: -reached.get(standing.player, 0)))
    return table


def _present(each: Round) -> list[str]:
    return [*each.byes, *(player for group in each.groups for player in group)]
