"""Rounds of a competition: encounters with their seats, matches and results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ludens.arena.specification import MOST_MATCHES, Results, ScheduledMatch, Specification, SpecificationError

Group = tuple[str, ...]
"""Players who meet, in an order unrelated to their seats."""


@dataclass(frozen=True, slots=True)
class Round:
    """The encounters played at one time."""

    groups: tuple[Group, ...]
    byes: tuple[str, ...] = ()
    """Players without an opponent."""
    is_seated: bool = False
    """True if each group is in seat order; otherwise seats are balanced."""


@dataclass(slots=True)
class Hall:
    """The rounds so far, with seats and results, as formats read them."""

    specification: Specification
    results: Results
    rounds: list[Round] = field(default_factory=list)
    matches: list[ScheduledMatch] = field(default_factory=list)
    _seated: dict[str, list[int]] = field(default_factory=dict)
    _first: list[list[int]] = field(default_factory=list)
    """For each round the index of each encounter's first match."""

    def copy(self, results: Results) -> Hall:
        """A copy with other results, to which rounds can be added."""
        seated = {player: list(counts) for player, counts in self._seated.items()}
        return Hall(self.specification, results, list(self.rounds), list(self.matches), seated, list(self._first))

    def add(self, new: Round) -> None:
        """Add a round and seat its groups: each player gets each seat equally often, as far as possible."""
        self.rounds.append(new)
        self._first.append([])
        for number, group in enumerate(new.groups, start=1):
            self._first[-1].append(len(self.matches))
            self.matches += self._encounter(number, group, new.is_seated)
        if len(self.matches) > MOST_MATCHES:
            raise SpecificationError(f"the competition has more than {MOST_MATCHES:,} matches")

    def _encounter(self, number: int, group: Group, is_seated: bool) -> Iterable[ScheduledMatch]:
        match = 0
        for game in self.specification.games:
            seats = group if is_seated else self._fairest(group)
            for _ in range(self.specification.repetitions):
                match += 1
                for seat, player in enumerate(seats):
                    self._counts(player)[seat] += 1
                yield ScheduledMatch(f"{len(self.rounds)}.{number}.{match}", len(self.rounds), number, game, seats)
                seats = (*seats[1:], seats[0])

    def _fairest(self, group: Group) -> Group:
        """The rotation of a group that best balances the seats so far; the first of several."""
        rotations = [group[shift:] + group[:shift] for shift in range(len(group))]
        return min(rotations, key=lambda seats: sum(self._counts(player)[seat] for seat, player in enumerate(seats)))

    def _counts(self, player: str) -> list[int]:
        return self._seated.setdefault(player, [0] * self.specification.seats)

    def _matches_of(self, round_number: int, encounter: int) -> Sequence[ScheduledMatch]:
        """The matches of an encounter; both counted from 0."""
        first = self._first[round_number][encounter]
        return self.matches[first : first + len(self.specification.games) * self.specification.repetitions]

    @property
    def is_played(self) -> bool:
        """True if all matches have results."""
        return all(match.name in self.results for match in self.matches)

    def scores(self, round_number: int, encounter: int) -> dict[str, float]:
        """The score of each player of an encounter so far."""
        totals = dict.fromkeys(self.rounds[round_number].groups[encounter], 0.0)
        for match in self._matches_of(round_number, encounter):
            if match.name in self.results:
                for player, score in zip(match.seats, self.results[match.name].scores(), strict=True):
                    totals[player] += score
        return totals

    def winner(self, round_number: int, encounter: int, seeding: Sequence[str]) -> str:
        """The winner of an encounter; among equals, the highest seed."""
        scores = self.scores(round_number, encounter)
        return min(scores, key=lambda player: (-scores[player], seeding.index(player)))
