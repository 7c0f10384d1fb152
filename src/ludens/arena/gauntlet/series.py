"""Plays a gauntlet: matches of two sides, each on a core of its own, several at once where there are cores."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from random import Random

import ludens
from ludens.arena.gauntlet.checkouts import PREFIX, sources_of
from ludens.arena.gauntlet.plan import GauntletPlan, Time
from ludens.arena.gauntlet.results import GauntletMatch
from ludens.arena.gauntlet.sides import Side, SidePlayer
from ludens.arena.plan import GameEntry, PlanError
from ludens.arena.results.sprt import Verdict
from ludens.core import Clock, Game, JointMove, Player, random_joint_move
from ludens.gdl.game import GdlGame
from ludens.gdl.write import write_kif
from ludens.players import make_player
from ludens.referee import Match, MatchEnded

DEFAULT_PLAYER = "auto"
"""The player of a checkout that names none."""
_GTP, _UCI = "gtp:", "uci:"
_PATIENCE, _SLOWEST = 60.0, 100.0
"""With CPU clocks, wall seconds that a move may take: this many, and this many for each CPU second. GTP cannot limit a
move, so its programs have as much; UCI can, so its programs have the clock as seconds."""

MakeOutsider = Callable[[str, Game, Clock, int], Player | None]
"""Makes the player behind a URL, ``gtp:`` or ``uci:``, for a game, a clock and a seed; None for other texts."""


@dataclass(frozen=True, slots=True)
class Description:
    """A player of ludens and the sources that it is from."""

    sources: Path
    player: str


@dataclass(slots=True)
class _Table:
    """Where one match at a time is played: two cores, and the processes of the sides, by their sources."""

    cores: tuple[int | None, int | None]
    sides: dict[tuple[Path, int], Side] = field(default_factory=dict)

    def side(self, sources: Path, seat: int, *, by_cpu: bool) -> Side:
        if (sources, seat) not in self.sides:
            self.sides[sources, seat] = Side(sources, self.cores[seat], by_cpu=by_cpu)
        return self.sides[sources, seat]


class Series:
    """The matches of a gauntlet."""

    def __init__(self, plan: GauntletPlan, tables: int, outsiders: MakeOutsider) -> None:
        """With ``tables`` matches at once. Raises `PlanError` for players and games that cannot be played."""
        self._plan = plan
        self._outsiders = outsiders
        self._descriptions = {text: self._describe(text) for text in (plan.candidate, *plan.opponents)}
        if plan.time is Time.CPU and any("://" in text for text, found in self._descriptions.items() if found is None):
            raise PlanError("'time: cpu' is not for players behind a URL, whose clocks are sent to them")
        self._folder = tempfile.TemporaryDirectory(prefix="ludens-gauntlet-")
        try:
            self._games = {entry.game: self._load(entry.game) for entry in plan.games}
        except BaseException:
            self._folder.cleanup()
            raise
        cores: list[int | None] = [*_cores()]
        self._tables = [_Table(_pair(cores, number)) for number in range(tables)]

    @property
    def planned(self) -> int:
        """Matches in all, if no test ends earlier."""
        return len(self._plan.opponents) * len(self._plan.games) * self._plan.matches

    def run(self, played: Sequence[GauntletMatch] = ()) -> Iterator[GauntletMatch]:
        """Play the matches that are not among those played, and yield each."""
        free: SimpleQueue[_Table] = SimpleQueue()
        for table in self._tables:
            free.put(table)
        for opponent in self._plan.opponents:
            yield from self._meet(opponent, [match for match in played if match.opponent == opponent], free)

    def close(self) -> None:
        """End all processes."""
        for table in self._tables:
            for side in table.sides.values():
                side.close()
        self._folder.cleanup()

    def verdict(self, opponent: str, played: Sequence[GauntletMatch]) -> Verdict | None:
        """What the sequential test says of an opponent, if there is one."""
        test = self._plan.test(opponent)
        return None if test is None else test.verdict([m.score for m in played if m.opponent == opponent])

    def _meet(self, opponent: str, played: list[GauntletMatch], free: SimpleQueue[_Table]) -> Iterator[GauntletMatch]:
        """Pairs of matches go through all games, so that a test that ends early has seen them all alike."""
        keys = {match.key for match in played}
        waiting = [
            (entry, 2 * pair + seat)
            for pair in range(self._plan.matches // 2)
            for entry in self._plan.games
            for seat in (0, 1)
            if (opponent, entry.game, 2 * pair + seat) not in keys
        ]
        running: set[Future[GauntletMatch]] = set()
        with ThreadPoolExecutor(len(self._tables)) as pool:
            while waiting or running:
                if self.verdict(opponent, played) not in (None, Verdict.UNDECIDED):
                    waiting.clear()
                while waiting and len(running) < len(self._tables):
                    running.add(pool.submit(self._play, opponent, *waiting.pop(0), free))
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    played.append(future.result())
                    yield played[-1]

    def _play(self, opponent: str, entry: GameEntry, number: int, free: SimpleQueue[_Table]) -> GauntletMatch:
        table = free.get()
        try:
            return self._play_at(table, opponent, entry, number)
        finally:
            free.put(table)

    def _play_at(self, table: _Table, opponent: str, entry: GameEntry, number: int) -> GauntletMatch:
        plan, (game, path) = self._plan, self._games[entry.game]
        clocks = Clock(plan.odds * entry.clock, entry.start_clock), Clock(entry.clock, entry.start_clock)
        rng = Random(f"{plan.seed} {opponent} {entry.game} {number // 2}")
        earlier = random_opening(game, plan.opening, rng)
        seed = rng.getrandbits(31)
        texts = (plan.candidate, opponent)
        players = [
            self._player(table, text, seat, game, path, clock, seed)
            for seat, (text, clock) in enumerate(zip(texts, clocks, strict=True))
        ]
        own, other = game.roles if number % 2 == 0 else game.roles[::-1]
        seats = {own: players[0], other: players[1]}
        limits = {role: self._limit(text, clock) for role, text, clock in zip((own, other), texts, clocks, strict=True)}
        match = Match(game, seats, limits, seed, ponder=False, earlier=earlier)
        began = time.monotonic()
        end = next(event for event in match.events() if isinstance(event, MatchEnded))
        goals = end.goals[own], end.goals[other]
        return GauntletMatch(
            opponent=opponent,
            game=entry.game,
            number=number,
            score=0.5 if goals[0] == goals[1] else float(goals[0] > goals[1]),
            goals=goals,
            errors=(end.failures.get(own, 0), end.failures.get(other, 0)),
            cpu_seconds=(_cpu_seconds(players[0]), _cpu_seconds(players[1])),
            longest=(_longest(players[0]), _longest(players[1])),
            turns=end.turns,
            seconds=time.monotonic() - began,
        )

    def _limit(self, text: str, clock: Clock) -> Clock:
        """What the Referee allows a player: with CPU clocks, which sides keep themselves, much more."""
        if self._plan.time is Time.WALL or text.startswith(_UCI):
            return clock
        return Clock(*(_PATIENCE + _SLOWEST * seconds for seconds in (clock.play, clock.start)))

    def _player(self, table: _Table, text: str, seat: int, game: Game, path: str, clock: Clock, seed: int) -> Player:
        found = self._descriptions[text]
        if found is not None:
            side = table.side(found.sources, seat, by_cpu=self._plan.time is Time.CPU)
            return SidePlayer(side, found.player, path, clock)
        player = self._outsiders(text, game, clock, seed)
        assert player is not None, "descriptions are of ludens or of outsiders"
        return player

    def _describe(self, text: str) -> Description | None:
        """A player of ludens; None for programs of others. Raises `LudensError` for what is neither."""
        if text.startswith(PREFIX):
            revision, _, player = text.removeprefix(PREFIX).partition(":")
            return Description(sources_of(revision, Path(self._plan.repository)), player or DEFAULT_PLAYER)
        if "://" in text or text.startswith((_GTP, _UCI)):
            return None
        make_player(text, files=True)
        return Description(Path(ludens.__file__).parents[1], text)

    def _load(self, name: str) -> tuple[Game, str]:
        """A game, and what sides load it by: the same rules for all versions of ludens."""
        game = ludens.load(name)
        if len(game.roles) != 2 or game.hidden:
            raise PlanError(f"a gauntlet needs games for two with open information; {name} is not one")
        if not isinstance(game, GdlGame):
            return game, name
        path = Path(self._folder.name) / f"{len(list(Path(self._folder.name).iterdir()))}_{Path(game.name).stem}.kif"
        path.write_text(write_kif(game.sheet.rules), encoding="utf-8")
        return game, str(path)


def random_opening(game: Game, length: int, rng: Random) -> list[JointMove]:
    """Random joint moves from the initial position; fewer if the game would end by them."""
    found: list[JointMove] = []
    state = game.initial_state()
    for _ in range(length):
        joint_move = state.resolve(random_joint_move(state, rng), rng)
        state = state.play(joint_move)
        if state.is_terminal:
            break
        found.append(joint_move)
    return found


def _cpu_seconds(player: Player) -> float:
    return player.cpu_seconds if isinstance(player, SidePlayer) else 0.0


def _longest(player: Player) -> float:
    return player.longest if isinstance(player, SidePlayer) else 0.0


def _cores() -> list[int]:
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def _pair(cores: Sequence[int | None], number: int) -> tuple[int | None, int | None]:
    """The cores of a table; sides share one where there are too few, since only one of them thinks at a time."""
    if not cores:
        return None, None
    return cores[2 * number % len(cores)], cores[(2 * number + 1) % len(cores)]
