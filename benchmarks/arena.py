"""What the arena costs: ``python -m benchmarks.arena [--matches N] [--repeats N] [--processes N]``.

The same matches at clocks of 10 ms are played by a tournament (schedule, processes, records, store), and by bare loops
of the Referee in as many processes; in turns, since the machine may have other work. What both do once, importing,
loading games and making machine code, is done before anything is measured.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path

from ludens.arena.execution.executors import Processes
from ludens.arena.execution.worker import load_game
from ludens.arena.plan import TournamentPlan, parse_plan
from ludens.arena.played_match import Task
from ludens.arena.store import Store
from ludens.arena.tournament import Tournament
from ludens.core import Clock
from ludens.players import make_player
from ludens.referee import Match, MatchEnded

PLAN = """
games: [tic_tac_toe, connect_four, breakthrough]
players: ["mcts:ponder=off", flat]
clock: 0.01
start_clock: 1
repetitions: {repetitions}
"""
GAMES = 3


@dataclass(frozen=True, slots=True)
class Pass:
    """One time through all matches."""

    matches: int
    turns: int
    seconds: float
    cpu: float

    def per_turn(self) -> tuple[float, float]:
        """Seconds of the clock and of processors, for each turn: matches at a clock are not alike in length."""
        return self.seconds / self.turns, self.cpu / self.turns


class Noting(Processes):
    """The arena's processes, which remember what they were asked for."""

    def __init__(self, processes: int) -> None:
        super().__init__(processes)
        self.tasks: dict[str, Task] = {}

    def submit(self, task: Task) -> None:
        """Submit a match."""
        self.tasks[task.key] = task
        super().submit(task)

    def cpu(self) -> float:
        """Seconds that all processes of the arena have computed, this one included."""
        children = list((self._pool._processes or {}).keys())
        return time.process_time() + sum(_cpu_of(child) for child in children)


def _cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def by_arena(plan: TournamentPlan, executor: Noting) -> Pass:
    """A tournament with a store of its own."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        began, computed = time.monotonic(), executor.cpu()
        *_, last = Tournament(plan, Store(Path(folder) / "arena.db"), executor).run()
        seconds, cpu = time.monotonic() - began, executor.cpu() - computed
    return Pass(len(last.played), sum(match.turns for match in last.played), seconds, cpu)


class Bare:
    """Processes that play matches in a loop, and do nothing else."""

    def __init__(self, processes: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._next = context.Value("i", 0)
        self._ends = []
        for _ in range(processes):
            here, there = context.Pipe()
            context.Process(target=_play_in_a_loop, args=(there, self._next), daemon=True).start()
            self._ends.append(here)

    def play(self, tasks: Sequence[Task]) -> Pass:
        """Each process takes the next match when it has ended one."""
        self._next.value = 0
        began = time.monotonic()
        for end in self._ends:
            end.send(tasks)
        told = [end.recv() for end in self._ends]
        seconds = time.monotonic() - began
        return Pass(len(tasks), sum(turns for turns, _ in told), seconds, sum(cpu for _, cpu in told))


def _play_in_a_loop(end: Connection, following: Synchronized[int]) -> None:
    while True:
        tasks: Sequence[Task] = end.recv()
        began, turns = time.process_time(), 0
        while True:
            with following.get_lock():
                number = following.value
                following.value += 1
            if number >= len(tasks):
                break
            turns += _play(tasks[number])
        end.send((turns, time.process_time() - began))


def _play(task: Task) -> int:
    game = load_game(task.game)
    players = {role: make_player(player) for role, (_, player) in zip(game.roles, task.seats, strict=True)}
    events = Match(game, players, Clock(task.clock, task.start_clock), task.seed).events()
    return next(event.turns for event in events if isinstance(event, MatchEnded))


def _pair(tasks: Sequence[Task], plan: TournamentPlan, bare: Bare, executor: Noting) -> tuple[Pass, Pass]:
    alone, arena = bare.play(tasks), by_arena(plan, executor)
    print(f"bare {alone}\narena {arena}", file=sys.stderr, flush=True)
    return alone, arena


def main() -> None:
    """Measure in turns, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=120, help="of each pass")
    parser.add_argument("--repeats", type=int, default=5, help="passes of each kind")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    plan = parse_plan(PLAN.format(repetitions=max(1, arguments.matches // GAMES)), "bench")
    executor, bare = Noting(arguments.processes), Bare(arguments.processes)
    try:
        by_arena(plan, executor)
        bare.play(list(executor.tasks.values()))
        passes = [
            (bare.play(list(executor.tasks.values())), by_arena(plan, executor)) for _ in range(arguments.repeats)
        ]
    finally:
        executor.close()
    print("| | matches an hour | turns a second | CPU ms a turn |")
    print("|---|---|---|---|")
    for name, column in (("bare", 0), ("arena", 1)):
        own = [pair[column] for pair in passes]
        hourly = statistics.median(3600 * one.matches / one.seconds for one in own)
        turns = statistics.median(one.turns / one.seconds for one in own)
        cpu = statistics.median(1000 * one.cpu / one.turns for one in own)
        print(f"| {name} | {hourly:,.0f} | {turns:.1f} | {cpu:.2f} |")
    ratios = [
        [ours / theirs for ours, theirs in zip(arena.per_turn(), alone.per_turn(), strict=True)]
        for alone, arena in passes
    ]
    for name, column in (("clock", 0), ("CPU", 1)):
        found = sorted(ratio[column] for ratio in ratios)
        print(f"arena / bare, {name}: {statistics.median(found):.3f} ({found[0]:.3f} to {found[-1]:.3f})")


if __name__ == "__main__":
    main()
