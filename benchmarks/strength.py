"""How much better than chance a search plays each game: ``python -m benchmarks.strength hearts skat --matches 24``.

The player (`mcts`, where something is hidden `ismcts`) takes every seat in turn, and all others play at random. A row
tells its mean goal, by how much it is above that of the others, and the 95 % interval of that difference.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from random import Random

import ludens
from ludens.core import Clock, Deadline, Game, Observation, Role
from ludens.players.registry import make_player

SURE = 1.96
"""Standard errors of a 95 % interval."""


def main() -> None:
    """Play matches of each game, and print a row of a table for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--matches", type=int, default=24)
    parser.add_argument("--clock", type=float, default=0.2, metavar="S", help="seconds for each move")
    parser.add_argument("--player", default="", help="instead of mcts or ismcts")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| game | player | matches | mean goal | others | difference, 95 % interval | CPU s |")
    print("|---|---|---|---|---|---|---|")
    for name in given.games:
        game = ludens.load(name)
        player = given.player or ("ismcts" if game.hidden else "mcts")
        began = time.process_time()
        goals = []
        for number in range(given.matches):
            own = game.roles[number % len(game.roles)]
            goals.append(match(game, player, own, given.clock, given.seed + number))
        print(row(name, player, goals, time.process_time() - began), flush=True)


def row(name: str, player: str, goals: list[tuple[float, float]], spent: float) -> str:
    """The own goals and those of the others on average, as a row of a table."""
    differences = [own - others for own, others in goals]
    mean = statistics.fmean(differences)
    error = SURE * statistics.stdev(differences) / math.sqrt(len(differences)) if len(differences) > 1 else math.inf
    own, others = (statistics.fmean(column) for column in zip(*goals, strict=True))
    interval = f"{mean:+.1f} ± {error:.1f}"
    return f"| `{name}` | {player} | {len(goals)} | {own:.1f} | {others:.1f} | {interval} | {spent:.0f} |"


def match(game: Game, player: str, own: Role, clock: float, seed: int) -> tuple[float, float]:
    """Play a match; returns the goal of the player that is measured, and the mean of the others'."""
    rng = Random(seed)
    mind = make_player(player)
    mind.start(game, own, rng.randrange(2**32), Clock(clock, 60))
    state = game.initial_state()
    turn = 0
    while not state.is_terminal:
        chosen = {}
        for role in game.roles:
            legal = state.legal_moves(role)
            if not legal:
                continue
            if role == own and len(legal) > 1:
                chosen[role] = mind.choose(state.view(role), Deadline(clock)).move
            else:
                chosen[role] = rng.choice(legal)
        if state.is_race:
            arrivals = {role: chosen[role] for role in rng.sample(list(chosen), len(chosen))}
            winner = state.race_winner(arrivals, ()) or next(iter(arrivals))
            chosen = {winner: arrivals[winner]}
        resolved = state.resolve(chosen, rng)
        state = state.play(resolved)
        seen = None if game.hidden else resolved
        mind.observe(Observation(turn, state.view(own), chosen.get(own), seen, tuple(state.percepts(own))))
        turn += 1
    others = [goal for role, goal in state.goals.items() if role != own]
    return state.goals[own], statistics.fmean(others) if others else 0.0


if __name__ == "__main__":
    main()
