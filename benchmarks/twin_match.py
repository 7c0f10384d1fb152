"""Playouts by a twin against those in Python, at equal CPU time: ``python -m benchmarks.twin_match kriegspiel``.

Players of a kind sit on every other seat, with ``twin=on`` and ``twin=off`` in turn. They change seats after every
match and play each deal from both; 50 is an equal score. All clocks count CPU seconds of the process, so other programs
on the machine matter little. A match that is not over after ``--turns`` is scored by the rule's evaluation
(`Rule.prospects`), as the expected goal.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from random import Random

import ludens
from ludens.core import Clock, Deadline
from ludens.core.game import settle_race
from ludens.core.interval import mean_interval
from ludens.players import make_player
from ludens.tabletop import TabletopGame, TabletopState


def play(game: TabletopGame, specs: Sequence[str], clock: float, turns: int, rng: Random) -> dict[str, float]:
    """The goals of one match of players, one for each role."""
    players = {}
    for role, spec in zip(game.roles, specs, strict=True):
        players[role] = make_player(spec)
        players[role].start(game, role, rng.randrange(2**32), Clock(60.0, clock))
    state = game.initial_state()
    for _ in range(turns):
        if state.is_terminal:
            return {role: float(goal) for role, goal in state.goals.items()}
        moves = {}
        for role in game.roles:
            if legal := state.legal_moves(role):
                choice = players[role].choose(state.view(role), Deadline(clock)).move if len(legal) > 1 else legal[0]
                moves[role] = choice
        state = state.sample(settle_race(state, moves, rng), rng)
    assert isinstance(state, TabletopState)
    if game.has_prospects:
        return dict(zip(game.roles, game.prospects(state.table), strict=True))
    return {role: float(goal) for role, goal in state.goals.items()}


def score(goals: Sequence[float], first: int) -> float:
    """The share of all goals that every other role has, from a first one on, in percent: 50 if they are equal."""
    means = [sum(some) / len(some) for some in (goals[first::2], goals[1 - first :: 2])]
    return 100 * means[0] / sum(means) if sum(means) else 50.0


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the score after every match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--player", default="ismcts")
    parser.add_argument("--clock", type=float, default=0.1, metavar="S", help="CPU seconds for each move")
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    time.monotonic = time.process_time  # all clocks, here and in players
    game = ludens.load(given.game)
    assert isinstance(game, TabletopGame)
    game.native_playouts(1)  # compiled before the clocks run
    joined = "," if ":" in given.player else ":"
    pair = [f"{given.player}{joined}twin={word}" for word in ("on", "off")]
    goals: list[float] = []
    for number in range(given.matches):
        seats = [pair[(seat + number) % 2] for seat in range(len(game.roles))]
        found = play(game, seats, given.clock, given.turns, Random(f"{given.seed}/{number // 2}"))  # the same deal
        goals.append(score(list(found.values()), number % 2))
        found_mean = mean_interval(goals)
        print(
            f"{given.game}: {given.player} with twin=on at {given.clock} CPU s, {len(goals)} matches: "
            f"score {found_mean.mean:.1f} ({found_mean.low:.1f} to {found_mean.high:.1f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
