"""Learned players against others: ``python -m benchmarks.learning GAME genetic:best.json,depth=3 alphabeta:depth=3``.

Each random opening is played once in every seat, so that neither the first move nor a lucky opening decides. Without
``--seconds`` nobody has a clock, so players need an option that bounds their search, such as ``depth`` or
``iterations``; with it, every move has so many CPU seconds.
"""

from __future__ import annotations

import argparse
import time

import ludens
from benchmarks.evaluation import NO_HURRY, opened, result
from ludens.core import Clock
from ludens.core.interval import wilson
from ludens.players import make_player


def compared(name: str, pair: tuple[str, str], openings: int, seconds: float = 0.0) -> tuple[int, int, int]:
    """How many matches of a game for two the first player wins, draws and loses."""
    game = ludens.load(name, wait=True)
    counts = [0, 0, 0]
    for match in range(2 * openings):
        seats = pair if match % 2 == 0 else pair[::-1]
        players = {role: make_player(text, files=True) for role, text in zip(game.roles, seats, strict=True)}
        for role, player in players.items():
            player.start(game, role, match, Clock(seconds, seconds) if seconds else NO_HURRY)
        goals = result(opened(game, match // 2), players, seconds)
        mine, other = (goals[role] for role in (game.roles if match % 2 == 0 else game.roles[::-1]))
        counts[1 if mine == other else 0 if mine > other else 2] += 1
    return counts[0], counts[1], counts[2]


def main() -> None:
    """Compare, and print a sentence."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--openings", type=int, default=40, help="each played in both seats")
    parser.add_argument("--seconds", type=float, default=0.0, help="CPU seconds of every move; 0 for no limit")
    options = parser.parse_args()
    began = time.process_time()
    won, drawn, lost = compared(options.game, (options.first, options.second), options.openings, options.seconds)
    matches = won + drawn + lost
    interval = wilson(won + drawn / 2, matches)
    print(
        f"{options.first} against {options.second} at {options.game}: won {won}, drawn {drawn}, lost {lost}: "
        f"{interval.mean:.1%} ({interval.low:.1%} to {interval.high:.1%}), {time.process_time() - began:.0f} CPU s"
    )


if __name__ == "__main__":
    main()
