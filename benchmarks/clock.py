"""Late moves at a short clock: ``python -m benchmarks.clock`` lets a player play itself and counts them."""

from __future__ import annotations

import argparse

import ludens
from ludens.core import Clock
from ludens.players import make_player
from ludens.referee import Match, PlayerFailed, TurnPlayed
from ludens.referee.latency import measured_latency

GAMES = ("connect_four", "breakthrough", "othello", "rock_paper_scissors")


def late_moves(name: str, moves: int, clock: Clock, player: str) -> tuple[int, int, float]:
    """Moves decided, how many were late, and the longest time that one took, in matches of one game."""
    game = ludens.load(name, backend="circuit")
    decided, late, longest, seed = 0, 0, 0.0, 0
    while decided < moves:
        seed += 1
        for event in Match(game, {role: make_player(player) for role in game.roles}, clock, seed).events():
            if isinstance(event, TurnPlayed):
                decided += len(event.seconds)
                longest = max([longest, *event.seconds.values()])
            elif isinstance(event, PlayerFailed) and event.kind == "late":
                late += 1
                print(f"  {name}, match {seed}, turn {event.turn}: {event.message}", flush=True)
    return decided, late, longest


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
        moves, late, longest = late_moves(name, options.moves, Clock(options.clock, 20.0), options.player)
        print(f"{name:22} {moves:6} moves, {late} late, longest {longest * 1e3:.1f} ms", flush=True)


if __name__ == "__main__":
    main()
