"""Late moves at a short clock: ``python -m benchmarks.clock`` lets a player play itself and counts them."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path

import ludens
from ludens.core import Clock, Deadline, Decision, Player, View
from ludens.players import player_classes
from ludens.referee import Match, PlayerFailed, TurnPlayed
from ludens.referee.latency import measured_latency

GAMES = ("connect_four", "breakthrough", "othello", "rock_paper_scissors")


def processor_wait() -> float:
    """Seconds that the calling thread was ready to run and had no processor, as Linux counts them."""
    return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9


@dataclass(slots=True)
class Tally:
    """What the moves of one game came to."""

    moves: int = 0
    late: int = 0
    own_fault: int = 0
    """Late though the thread waited for a processor less long than it was late."""
    longest: float = 0.0
    waits: dict[str, float] = field(default_factory=dict)
    """How long each role's last move waited for a processor."""


def watched(kind: type[Player], tally: Tally) -> Player:
    """A player that notes how long each of its moves waits for a processor."""

    class Watched(kind):  # type: ignore[misc,valid-type]
        def choose(self, view: View, deadline: Deadline) -> Decision:
            before = processor_wait()
            decision: Decision = super().choose(view, deadline)
            tally.waits[view.role] = processor_wait() - before
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
                    tally.own_fault += tally.waits.get(role, 0.0) < over
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
            f"{tally.own_fault} of them not for want of a processor, longest {tally.longest * 1e3:.1f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
