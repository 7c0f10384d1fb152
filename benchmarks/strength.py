"""How much better than chance a search plays each game: ``python -m benchmarks.strength [GAME …]``.

The player (`mcts`, or `ismcts` with hidden information) takes every seat in turn, and all others play at random; the
baseline is matches in which that seat plays at random too. A row lists the mean goal of both, the difference with its
95 % interval, and the score, a draw counting as half a win.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import ludens
from ludens.core import Clock, Deadline, Game, Observation, Player, Role
from ludens.games.library import entries
from ludens.players.registry import make_player

SURE = 1.96
"""Standard errors of a 95 % interval."""
BASELINE_SECONDS = 5.0
BASELINE_MATCHES = 400
"""Matches of random players only, if they are played within that time."""
HEAD = """\
| game | player | matches | mean goal | random's | difference, 95 % interval | score against random | CPU s |
|---|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True, slots=True)
class Played:
    """One match: the goal of the seat that is measured, and the best of the others' (None if nobody else plays)."""

    own: float
    others: float | None

    @property
    def points(self) -> float:
        """1 for a goal above all others', 0.5 if it is as good as the best of them."""
        best = 0.0 if self.others is None else self.others
        return 0.5 if self.own == best else float(self.own > best)


def main() -> None:
    """Play matches of each game, and print a row of a table for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="games of the library; all if none is named")
    parser.add_argument("--matches", type=int, default=24, help="the most for each game")
    parser.add_argument("--seconds", type=float, default=120.0, metavar="S", help="begin no round of seats after this")
    parser.add_argument("--clock", type=float, default=0.2, metavar="S", help="seconds for each move")
    parser.add_argument("--player", default="", help="instead of mcts or ismcts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--append", type=Path, metavar="FILE", help="add the rows to a file")
    given = parser.parse_args()
    print(f"<!-- {platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} -->\n{HEAD}", end="")
    for name in given.games or entries():
        began = time.process_time()
        game = ludens.load(name, wait=True)
        player = given.player or ("ismcts" if game.hidden else "mcts")
        matches = list(_matches(game, player, given))
        text = row(name, player, matches, baseline(game, given.seed), time.process_time() - began)
        print(text, flush=True)
        if given.append is not None:
            with given.append.open("a", encoding="utf-8") as file:
                file.write(text + "\n")


def _matches(game: Game, player: str, given: argparse.Namespace) -> Iterator[Played]:
    """So many matches as there is time for, every seat as often as the others."""
    began = time.monotonic()
    for number in range(given.matches):
        seat = number % len(game.roles)
        if number and seat == 0 and time.monotonic() - began > given.seconds:
            return
        mind = make_player(player)
        mind.start(game, game.roles[seat], given.seed + number, Clock(given.clock, 20))
        yield match(game, game.roles[seat], mind, given.clock, given.seed + number)
        mind.stop()


def baseline(game: Game, seed: int) -> list[Played]:
    """Matches of random players, every seat as often as the others."""
    began = time.monotonic()
    found = []
    for number in range(BASELINE_MATCHES):
        seat = number % len(game.roles)
        if number >= 2 * len(game.roles) and seat == 0 and time.monotonic() - began > BASELINE_SECONDS:
            break
        found.append(match(game, game.roles[seat], None, 0.0, seed + number))
    return found


def row(name: str, player: str, matches: Sequence[Played], chance: Sequence[Played], spent: float) -> str:
    """The goals on average, as a row of a table."""
    own, random = ([played.own for played in found] for found in (matches, chance))
    error = SURE * math.sqrt(_variance(own) / len(own) + _variance(random) / len(random))
    interval = f"{statistics.fmean(own) - statistics.fmean(random):+.1f} ± {error:.1f}"
    alone = matches[0].others is None
    score = "-" if alone else f"{statistics.fmean(played.points for played in matches):.0%}"
    goals = f"{statistics.fmean(own):.1f} | {statistics.fmean(random):.1f}"
    return f"| `{name}` | {player} | {len(own)} | {goals} | {interval} | {score} | {spent:.0f} |"


def _variance(goals: Sequence[float]) -> float:
    return statistics.variance(goals) if len(goals) > 1 else 0.0


def match(game: Game, own: Role, mind: Player | None, clock: float, seed: int) -> Played:
    """Play a match in which one seat is measured; without a player it is random too."""
    rng = Random(seed)
    state = game.initial_state()
    turn = 0
    while not state.is_terminal:
        chosen = {}
        for role in game.roles:
            legal = state.legal_moves(role)
            if not legal:
                continue
            if mind is not None and role == own and len(legal) > 1:
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
        if mind is not None:
            mind.observe(Observation(turn, state.view(own), chosen.get(own), seen, tuple(state.percepts(own))))
        turn += 1
    return Played(state.goals[own], max((goal for role, goal in state.goals.items() if role != own), default=None))


if __name__ == "__main__":
    main()
