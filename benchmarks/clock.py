"""Late moves at a short clock: ``python -m benchmarks.clock`` lets a player play itself and counts them."""

from __future__ import annotations

import argparse
import resource
import time
from dataclasses import dataclass, field
from pathlib import Path

import ludens
from ludens.core import Clock, Deadline, Decision, Player, View
from ludens.players import player_classes
from ludens.referee import Match, PlayerFailed, TurnPlayed
from ludens.referee.latency import measure_latency

GAMES = ("connect_four", "breakthrough", "othello", "rock_paper_scissors")


@dataclass(slots=True)
class Tally:
    """What the moves of one game came to."""

    moves: int = 0
    late: int = 0
    unexplained: int = 0
    """Late by more than the machine had taken the processor away at the end of the move, or its host during it."""
    longest: float = 0.0
    taken: dict[str, float] = field(default_factory=dict)
    """How long each role's last move was kept from computing, from its last look at the clock in time to its answer."""
    stolen: dict[str, float] = field(default_factory=dict)
    """Seconds that the host took from any processor in each role's last move: another thread may hold what it needs."""


class WatchedDeadline(Deadline):
    """Notes, whenever time remains, how long the thread has been kept from computing.

    That is the difference between the clock and the thread's processor time: others ran, or the host of a virtual
    machine took the processor away. A thread that gives the processor up itself (it waits for a lock) has a voluntary
    switch, and then nothing is said to have been taken. What was taken before the last look in time cost thinking only.
    """

    def __init__(self, deadline: Deadline) -> None:
        super().__init__(deadline.remaining())
        self._seen = _kept_from_computing()

    def remaining(self) -> float:
        """Seconds left."""
        seen = _kept_from_computing()
        left = super().remaining()
        if left > 0:
            self._seen = seen
        return left

    def taken_at_the_end(self) -> float:
        """Seconds that the thread was kept from computing since the last look in time."""
        seconds, switches = _kept_from_computing()
        return seconds - self._seen[0] if switches == self._seen[1] else 0.0


def _kept_from_computing() -> tuple[float, int]:
    switches = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
    return time.monotonic() - time.thread_time(), switches


def stolen_ticks() -> int:
    """Hundredths of a second that the host of this virtual machine has given to others, over all processors."""
    return int(Path("/proc/stat").read_text().split("\n", 1)[0].split()[8])


def watched(kind: type[Player], tally: Tally) -> Player:
    """A player that notes how long each of its moves was kept from computing at its end."""

    class Watched(kind):  # type: ignore[misc,valid-type]
        def choose(self, view: View, deadline: Deadline) -> Decision:
            watch, stolen = WatchedDeadline(deadline), stolen_ticks()
            decision: Decision = super().choose(view, watch)
            tally.taken[view.role] = watch.taken_at_the_end()
            tally.stolen[view.role] = (stolen_ticks() - stolen) / 100
            return decision

    player: Player = Watched()
    return player


def late_moves(name: str, moves: int, clock: Clock, kind: type[Player]) -> Tally:
    """Play matches of a game until enough moves were made."""
    game = ludens.load(name, wait=True)
    tally = Tally()
    seed = 0
    while tally.moves < moves:
        seed += 1
        for event in Match(game, {role: watched(kind, tally) for role in game.roles}, clock, seed).events():
            if isinstance(event, TurnPlayed):
                tally.moves += len(event.seconds)
                tally.longest = max([tally.longest, *event.seconds.values()])
                late = {found.role for found in event.failures if found.kind == "late"}
                for role in late:
                    over = event.seconds.get(role, 0.0) - clock.play
                    tally.unexplained += max(tally.taken.get(role, 0.0), tally.stolen.get(role, 0.0)) < over
            elif isinstance(event, PlayerFailed) and event.kind == "late":
                tally.late += 1
                taken, stolen = (found.get(event.role, 0.0) * 1e3 for found in (tally.taken, tally.stolen))
                print(
                    f"  match {seed}, turn {event.turn}: {event.message}; kept waiting {taken:.1f} ms, "
                    f"host took {stolen:.0f} ms",
                    flush=True,
                )
    return tally


def main() -> None:
    """Play, and print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=2_500, help="moves in each of the four games")
    parser.add_argument("--clock", type=float, default=0.05, help="seconds for each move")
    parser.add_argument("--player", default="flat")
    options = parser.parse_args()
    latency = measure_latency()
    print(f"latency of this process: {latency.alone * 1e3:.1f} ms, contended {latency.contended * 1e3:.1f} ms")
    for name in GAMES:
        began, stolen = time.monotonic(), stolen_ticks()
        tally = late_moves(name, options.moves, Clock(options.clock, 20.0), player_classes()[options.player])
        print(
            f"{name:22} {tally.moves:6} moves, {tally.late} late, "
            f"{tally.unexplained} of them not explained by the machine, longest {tally.longest * 1e3:.1f} ms; "
            f"host took {stolen_ticks() - stolen} of {(time.monotonic() - began) * 100:.0f} hundredths of a second",
            flush=True,
        )


if __name__ == "__main__":
    main()
