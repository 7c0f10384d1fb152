"""Searching players against rule-based bots in trick-taking games: ``python -m benchmarks.trick_match hearts``.

Every deal is played twice: with bots in all seats, and with the searching player in one seat (both seats of a side in
games of partners), which changes from deal to deal. What it gains over the bot with the same cards is averaged. Clocks
count CPU seconds, so other programs on the machine matter little. ``--player random`` shows how much better than
random players the bots are.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Callable, Collection, Mapping, Sequence

import ludens
from benchmarks.trick_bots import BOTS
from ludens.core import Clock, Deadline, Player, Role
from ludens.players.registry import make_player
from ludens.tabletop.game import TabletopGame
from ludens.tabletop.state import TabletopState

START = 2.0
"""Seconds before the first move."""
REPORTED = 10
"""After so many deals the result so far is printed."""


def main() -> None:
    """Play a series and print its result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=tuple(BOTS))
    parser.add_argument("--player", default="auto", help="the searching player")
    parser.add_argument("--clock", type=float, default=0.5, metavar="S", help="CPU seconds for each of its moves")
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--first", type=int, default=1, metavar="SEED", help="the seed of the first deal")
    given = parser.parse_args()
    time.monotonic = time.process_time
    game = ludens.load(given.game)
    assert isinstance(game, TabletopGame)
    sides: Sequence[Collection[Role]] = game.rule.partners or [[role] for role in game.roles]
    goals, points, speeds = [], [], []
    for seed in range(given.first, given.first + given.deals):
        own = sides[seed % len(sides)]
        bots = dict.fromkeys(game.roles, BOTS[given.game])
        searching = {role: (lambda: make_player(given.player)) if role in own else bots[role] for role in game.roles}
        plain, _ = play(game, seed, bots, given.clock)
        end, speed = play(game, seed, searching, given.clock)
        goals.append(statistics.mean(end.goals[role] - plain.goals[role] for role in own))
        points.append(statistics.mean(end.points[role] - plain.points[role] for role in own))
        speeds += speed
        if len(goals) % REPORTED == 0 or len(goals) == given.deals:
            rate = statistics.mean(speeds) if speeds else 0.0
            print(
                f"{given.game}: {given.player} at {given.clock} CPU s, {len(goals)} deals: goal {_interval(goals)}, "
                f"points {_interval(points)}; {rate:.0f} iterations a move",
                flush=True,
            )


def play(
    game: TabletopGame, seed: int, players: Mapping[Role, Callable[[], Player]], seconds: float
) -> tuple[TabletopState, list[int]]:
    """The end of a deal, and the iterations of each search."""
    state = game.initial_state()
    rng = random.Random(seed)
    seated = {role: make() for role, make in players.items()}
    for role, player in seated.items():
        player.start(game, role, seed, Clock(seconds, START))
    iterations = []
    while not state.is_terminal:
        moves = {}
        for role, player in seated.items():
            legal = state.legal_moves(role)
            if len(legal) > 1:
                decision = player.choose(state.view(role), Deadline(seconds))
                moves[role] = decision.move
                if decision.thinking.iterations:
                    iterations.append(decision.thinking.iterations)
            elif legal:
                moves[role] = legal[0]
        after = state.sample(moves, rng)
        assert isinstance(after, TabletopState)
        state = after
    for player in seated.values():
        player.stop()
    return state, iterations


def _interval(values: Sequence[float]) -> str:
    """The mean with its 95 % interval."""
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return f"{statistics.mean(values):+.1f} ± {1.96 * error:.1f}"


if __name__ == "__main__":
    main()
