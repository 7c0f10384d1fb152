"""Runs a tournament from the first match to the last, and resumes it after interruptions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import ludens
from ludens.arena.execution.executors import Executor
from ludens.arena.plan import TournamentPlan
from ludens.arena.played_match import PlayedMatch, Task, duel_score
from ludens.arena.results.sprt import Verdict
from ludens.arena.schedule import schedule
from ludens.arena.specification import Result, ScheduledMatch, Specification
from ludens.arena.store import Store


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a tournament."""

    played: Sequence[PlayedMatch]
    """All matches so far, those of earlier runs included."""
    planned: int
    """The total number of matches, as far as results determine it."""
    verdict: Verdict | None
    """The verdict of the sequential test, if there is one."""


class Tournament:
    """Plays the matches of its plan that are not in the store. It can be stopped at any moment and resumed.

    Games for different numbers of players are separate competitions, side by side.
    """

    def __init__(self, plan: TournamentPlan, store: Store, executor: Executor) -> None:
        self._plan = plan
        self._store = store
        self._executor = executor
        self._players = {entry.name: entry.player for entry in plan.players}
        self._clocks = {entry.game: (entry.clock, entry.start_clock) for entry in plan.games}
        self._number = store.begin(plan.name, plan.as_text())
        self._played = {played.key: played for played in store.matches(self._number)}
        self._agendas = [
            _Agenda(seats, competition, self._played)
            for seats, competition in competitions(plan, lambda game: len(ludens.load(game).roles)).items()
        ]
        self._running: set[str] = set()
        self._duels: list[float] = []
        """The scores of the first player of the sequential test against the second."""
        for played in self._played.values():
            self._count(played)

    def run(self) -> Iterator[Progress]:
        """Play the remaining matches, and yield the progress after each."""
        yield self._progress()
        while self._verdict() in (None, Verdict.UNDECIDED):
            self._submit()
            if not self._running:
                return
            for played in self._executor.wait_for_results():
                self._running.discard(played.key)
                self._store.save(self._number, played)
                self._played[played.key] = played
                self._count(played)
                yield self._progress()

    def _submit(self) -> None:
        """Submit matches up to the executor's capacity."""
        room = self._executor.capacity - len(self._running)
        for agenda in self._agendas:
            for match in agenda.take(room):
                key = _key(agenda.seats, match)
                self._executor.submit(self._task(key, match, agenda.competition))
                self._running.add(key)
                room -= 1

    def _task(self, key: str, match: ScheduledMatch, competition: Specification) -> Task:
        seats = tuple((name, self._players[name]) for name in match.seats)
        return Task(key, match.game, seats, *self._clocks[match.game], match.seed(competition))

    def _progress(self) -> Progress:
        planned = sum(agenda.planned for agenda in self._agendas)
        return Progress(tuple(self._played.values()), planned, self._verdict())

    def _count(self, played: PlayedMatch) -> None:
        test = self._plan.sprt
        if test is not None and set(played.players) == {test.first, test.second}:
            self._duels.append(duel_score(played, test.first, test.second))

    def _verdict(self) -> Verdict | None:
        test = self._plan.sprt
        return None if test is None else test.verdict(self._duels)


class _Agenda:
    """The matches of one competition that are not submitted yet.

    More results add matches to a schedule and change none, so the scheduler is called again only when no match is left.
    """

    def __init__(self, seats: int, competition: Specification, played: Mapping[str, PlayedMatch]) -> None:
        self.seats = seats
        self.competition = competition
        self.planned = 0
        """The total number of matches, as far as results determine it."""
        self._played = played
        self._waiting: deque[ScheduledMatch] = deque()
        self._ask()

    def _ask(self) -> None:
        results = _results(self.seats, self._played.values())
        plan = schedule(self.competition, results)
        self._waiting.extend(match for match in plan.matches[self.planned :] if match.name not in results)
        self.planned = len(plan.matches)

    def take(self, most: int) -> list[ScheduledMatch]:
        """The next matches to play, at most ``most``."""
        if most > 0 and not self._waiting:
            self._ask()
        return [self._waiting.popleft() for _ in range(min(most, len(self._waiting)))]


def _key(seats: int, match: ScheduledMatch) -> str:
    return f"{seats}/{match.name}"


def _results(seats: int, matches: Iterable[PlayedMatch]) -> dict[str, Result]:
    prefix = f"{seats}/"
    return {
        played.key.removeprefix(prefix): Result(tuple(map(float, played.goals)))
        for played in matches
        if played.key.startswith(prefix)
    }


def planned_matches(competitions: Mapping[int, Specification], matches: Sequence[PlayedMatch]) -> int:
    """The total number of matches, as far as the results so far determine it."""
    return sum(len(schedule(spec, _results(seats, matches)).matches) for seats, spec in competitions.items())


def competitions(plan: TournamentPlan, seats_of: Callable[[str], int]) -> dict[int, Specification]:
    """One competition for each number of players; ``seats_of`` returns that of a game."""
    games: dict[int, list[str]] = {}
    for entry in plan.games:
        games.setdefault(seats_of(entry.game), []).append(entry.game)
    return {
        seats: Specification(
            tuple(entry.name for entry in plan.players),
            tuple(names),
            plan.format,
            seats,
            plan.rounds,
            plan.repetitions,
            plan.seed,
        )
        for seats, names in games.items()
    }
