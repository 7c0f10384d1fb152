"""The scheduler: the matches of a competition that the results so far determine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from ludens.arena.formats.elimination import knock_out, ladder, rungs
from ludens.arena.formats.fixed import gauntlet, round_robin
from ludens.arena.formats.rounds import Hall, Round
from ludens.arena.formats.standings import Standing, standings
from ludens.arena.formats.swiss import swiss
from ludens.arena.specification import (
    Format,
    Result,
    Results,
    ScheduledMatch,
    Specification,
    SpecificationError,
)

_FORMATS: dict[Format, Callable[[Hall], Round | None]] = {
    Format.ROUND_ROBIN: round_robin,
    Format.SWISS: swiss,
    Format.KNOCK_OUT: knock_out,
    Format.LADDER: ladder,
    Format.GAUNTLET: gauntlet,
}
_BRANCHES = 8
"""Cached continuations of one competition after a round."""


@dataclass(frozen=True)
class Schedule:
    """A competition as far as it is determined."""

    matches: tuple[ScheduledMatch, ...]
    """All matches so far, played or not, in the order of play."""
    due: tuple[ScheduledMatch, ...]
    """Matches without a result. If there are none, the competition is over."""
    rounds: tuple[Round, ...]
    _hall: Hall = field(repr=False, compare=False)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """The standings, best first; by place where the format defines one."""
        return _rank(self._hall, standings(self._hall))


def schedule(specification: Specification, results: Results) -> Schedule:
    """The schedule, a pure function of its arguments: the order of results makes no difference.

    More results add matches at the end and change none. Raises `SpecificationError` for a result without a match.
    """
    decided: _DecidedRounds | None = _initial_rounds(specification)
    while decided is not None:
        hall, decided = decided.hall, decided.after(results)
    hall = replace(hall, results=results)
    _check(hall)
    due = tuple(match for match in hall.matches if match.name not in results)
    return Schedule(tuple(hall.matches), due, tuple(hall.rounds), hall)


class _DecidedRounds:
    """Rounds that are determined, and a cache of the rounds that follow by results.

    The scheduler runs after each of thousands of results, which determine the same rounds again and again; so each
    round is computed once, and a result costs no more than a lookup.
    """

    def __init__(self, hall: Hall, known: int) -> None:
        """``hall`` has ``known`` matches more than the rounds before."""
        self.hall = hall
        self._known = known
        self._after: dict[tuple[Result, ...], _DecidedRounds | None] = {}

    def after(self, results: Results) -> _DecidedRounds | None:
        """These rounds and the next; None if the last round is not complete, or nothing follows."""
        last = self.hall.matches[self._known :]
        if not all(match.name in results for match in last):
            return None
        key = tuple(results[match.name] for match in last)
        if key not in self._after:
            if len(self._after) == _BRANCHES:
                self._after.clear()
            self._after[key] = self._add_round(results)
        return self._after[key]

    def _add_round(self, results: Results) -> _DecidedRounds | None:
        hall = self.hall.copy(results)
        new = _FORMATS[hall.specification.format](hall)
        if new is None:
            return None
        known = len(hall.matches)
        hall.add(new)
        return _DecidedRounds(hall, known)


@lru_cache(maxsize=16)
def _initial_rounds(specification: Specification) -> _DecidedRounds:
    """The rounds before the first match: one, or all where results determine nothing."""
    hall = Hall(specification, {})
    while (new := _FORMATS[specification.format](hall)) is not None:
        hall.add(new)
    return _DecidedRounds(hall, 0)


def _check(hall: Hall) -> None:
    seats = {match.name: len(match.seats) for match in hall.matches}
    for name, result in hall.results.items():
        if name not in seats:
            raise SpecificationError(f"match {name!r} has a result but is not in the schedule")
        if len(result.goals) != seats[name]:
            raise SpecificationError(
                f"the result of match {name} has {len(result.goals)} goals for {seats[name]} seats"
            )


def _rank(hall: Hall, table: tuple[Standing, ...]) -> tuple[Standing, ...]:
    """The table sorted by the round reached in a knock-out, or the rung on a ladder; by score otherwise."""
    if hall.specification.format is Format.LADDER:
        order = {player: place for place, player in enumerate(rungs(hall))}
        return tuple(sorted(table, key=lambda standing: order[standing.player]))
    if hall.specification.format is Format.KNOCK_OUT:
        reached = {player: number for number, each in enumerate(hall.rounds) for player in _players_in(each)}
        last = len(hall.rounds) - 1
        if hall.rounds and hall.is_played:
            reached[hall.winner(last, 0, hall.specification.players)] = len(hall.rounds)
        return tuple(sorted(table, key=lambda standing: -reached.get(standing.player, 0)))
    return table


def _players_in(each: Round) -> list[str]:
    return [*each.byes, *(player for group in each.groups for player in group)]
