"""Late moves at a short clock: ``python -m benchmarks.clock`` lets a player play itself and counts them."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass, field

import ludens
from ludens.core import Clock, Deadline, Decision, Player, View
from ludens.players import player_classes
from ludens.referee import Match, PlayerFailed, TurnPlayed
from ludens.referee.latency import measured_latency

GAMES = ("connect_four", "breakthrough", "othello", "rock_paper_scissors")


@dataclass(slots=True)
class Tally:
    """What the moves of one game came to."""

    moves: int = 0
    late: int = 0
    unexplained: int = 0
    """Late by more than the thread waited for a processor at the end of its move."""
    longest: float = 0.0
    waits: dict[str, float] = field(default_factory=dict)
    """How long each role's last move waited for a processor, from its last look at the clock in time to its answer."""


class WatchedDeadline(Deadline):
    """Notes how long the thread had waited for a processor (as Linux counts it) when it last saw time remain.

    Only waiting after that look can make a move late; waiting before it costs thinking, and happens to all moves.
    """

    def __init__(self, deadline: Deadline) -> None:
        super().__init__(deadline.remaining())
        self._file = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        self._seen = self._waited()

    def remaining(self) -> float:
        """Seconds left."""
        waited = self._waited()
        left = super().remaining()
        if left > 0:
            self._seen = waited
        return left

    def waited_at_the_end(self) -> float:
        """Seconds without a processor since the last look in time; ends the watch."""
        waited = self._waited() - self._seen
        os.close(self._file)
        return waited

    def _waited(self) -> float:
        return int(os.pread(self._file, 100, 0).split()[1]) / 1e9


def watched(kind: type[Player], tally: Tally) -> Player:
    """A player that notes how long each of its moves waits for a processor at its end."""

    class Watched(kind):  # type: ignore[misc,valid-type]
        def choose(self, view: View, deadline: Deadline) -> Decision:
            watch = WatchedDeadline(deadline)
            decision: Decision = super().choose(view, watch)
            tally.waits[view.role] = watch.waited_at_the_end()
            return decision

    player: Player = Watched()
    return player


def late_moves(name: str, moves: int, clock: Clock, kind: type[Player]) -> Tally:
    """Play matches of a game until enough moves were made."""
    game = ludens.load(name)
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
                    tally.unexplained += tally.waits.get(role, 0.0) < over
            elif isinstance(event, PlayerFailed) and event.kind == "late":
                tally.late += 1
                wait = tally.waits.get(event.role, 0.0)
                print(f"  match {seed}, turn {event.turn}: {event.message}; waited {wait * 1e3:.1f} ms", flush=True)
    return tally


def main() -> None:
    """Play, and print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=2_500, help="moves in each of the four games")
    parser.add_argument("--clock", type=float, default=0.05, help="seconds for each move")
    parser.add_argument("--player", default="flat")
    options = parser.parse_args()
    latency = measured_latency()
    print(f"latency of this process: {latency.alone * 1e3:.1f} ms, contended {latency.contended * 1e3:.1f} ms")
    for name in GAMES:
        tally = late_moves(name, options.moves, Clock(options.clock, 20.0), player_classes()[options.player])
        print(
            f"{name:22} {tally.moves:6} moves, {tally.late} late, "
            f"{tally.unexplained} of them not explained by waiting, longest {tally.longest * 1e3:.1f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
