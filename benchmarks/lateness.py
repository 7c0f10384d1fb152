"""By how much does a player overrun its clock? ``python -m benchmarks.lateness go:9 amazons --moves 20 --clock 1``.

A player has the first role of matches against other players. Clocks count the CPU seconds of this process with all its
threads, so that other programs matter little; ``--wall`` counts seconds. A move's overrun is the time that the player
took, less the deadline that it was given: a Referee asks for moves a margin of 15 ms earlier. `benchmarks.clock` counts
late moves at short clocks by the wall clock.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from dataclasses import asdict, dataclass, field

if __name__ == "__main__" and "--wall" not in sys.argv:
    time.monotonic = time.process_time  # before ludens reads it

import ludens
from ludens.core import Clock, Deadline, Decision, Game, Player, Role, View
from ludens.players import make_player
from ludens.referee import Match, PlayerFailed

LIMITS = (0.0, 0.01, 0.05)
"""Seconds of an overrun above which moves are counted."""
_PATIENCE = Clock(600.0, 600.0)
"""The clock of the matches, which waits for the player's own."""


@dataclass(slots=True)
class Overruns:
    """What the moves of a player in one game came to."""

    game: str
    player: str
    """Which player chose the moves; `auto` names another one."""
    start: float = -math.inf
    """Seconds by which the longest start overran its clock; negative if it was early."""
    over: list[float] = field(default_factory=list)
    """The same for each move in which there was a choice."""
    published: list[float] = field(default_factory=list)
    """Seconds after which each of these moves was preceded by a legal one; infinite if it was not."""
    failures: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        if not self.over:
            return f"{self.game[-28:]:28} no choice was made"
        counts = ", ".join(f"{sum(each > limit for each in self.over)} > {limit * 1e3:g} ms" for limit in LIMITS)
        return (
            f"{self.game[-28:]:28} {self.player:13} {len(self.over):3} moves, overruns {counts}; longest "
            f"{max(self.over) * 1e3:+.1f} ms, median {statistics.median(self.over) * 1e3:+.1f}; start "
            f"{self.start * 1e3:+.0f} ms; a first move within {max(self.published) * 1e3:.1f} ms; "
            f"{len(self.failures)} failures"
        )


def watch(player: Player, found: Overruns, own: Clock) -> Player:
    """The player with its own clock, which notes how long its answers take."""
    start, choose = player.start, player.choose

    def start_watched(game: Game, role: Role, seed: int, clock: Clock) -> None:
        began = time.monotonic()
        start(game, role, seed, own)
        found.start = max(found.start, time.monotonic() - began - own.start)

    def choose_watched(view: View, deadline: Deadline) -> Decision:
        channel = player.channel
        publish, began = channel.publish, time.monotonic()
        published = math.inf

        def publish_watched(decision: Decision) -> None:
            nonlocal published
            published = min(published, time.monotonic() - began)
            publish(decision)

        channel.publish = publish_watched  # type: ignore[method-assign]
        deadline = Deadline(own.play)
        try:
            with deadline.enforced():
                decision = choose(view, deadline)
        finally:
            taken = time.monotonic() - began
            channel.publish = publish  # type: ignore[method-assign]
            if len(view.legal_moves) > 1:
                found.over.append(taken - own.play)
                found.published.append(published)
        if len(view.legal_moves) > 1:
            found.player = str(decision.thinking.extra.get("player", found.player))
        return decision

    player.start, player.choose = start_watched, choose_watched  # type: ignore[method-assign]
    return player


def overruns(name: str, player: str, opponent: str, clock: Clock, moves: int, seed: int) -> Overruns:
    """Let a player choose so many moves, in as many matches as that takes."""
    game = ludens.load(name).compiled()
    found = Overruns(name, player)
    while len(found.over) < moves:
        seed += 1
        before = len(found.over)
        seats = {role: make_player(opponent) for role in game.roles}
        role = game.roles[0]
        seats[role] = watch(make_player(player), found, clock)
        for event in Match(game, seats, _PATIENCE, seed, ponder=False).events():
            if isinstance(event, PlayerFailed) and event.role == role:
                found.failures.append(f"turn {event.turn}: {event.message}")
            if len(found.over) >= moves:
                break
        if len(found.over) == before:
            break
    return found


def main() -> None:
    """Play, and print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--player", default="auto")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--moves", type=int, default=20)
    parser.add_argument("--clock", type=float, default=1.0)
    parser.add_argument("--start-clock", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wall", action="store_true", help="count seconds, not CPU seconds")
    parser.add_argument("--each", action="store_true", help="print every move's overrun and every failure")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for name in options.games:
        clock = Clock(options.clock, options.start_clock)
        found = overruns(name, options.player, options.opponent, clock, options.moves, options.seed)
        print(json.dumps(asdict(found)) if options.json else found, flush=True)
        if options.each and not options.json:
            print("  ms: " + " ".join(f"{each * 1e3:+.1f}" for each in found.over))
            print("".join(f"  {text}\n" for text in found.failures), end="", flush=True)


if __name__ == "__main__":
    main()
