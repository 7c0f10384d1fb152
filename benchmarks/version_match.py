"""This version against another at games in Python: ``python -m benchmarks.version_match hearts --before FOLDER``.

``FOLDER`` is the folder ``src`` of the other version, which must know the same rules. Each version has a process of its
own, and clocks count the CPU seconds of that process, so other programs matter little. Both sit on every other seat,
change seats after every match and play each deal from both; 50 is an equal score. A match that is not over after
``--turns`` is scored by the rule's evaluation (`Rule.prospects`), as the expected goal.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from random import Random
from typing import Any

import ludens
from benchmarks.twin_match import score
from ludens.core.game import settle_race
from ludens.core.interval import mean_interval
from ludens.tabletop import TabletopGame, TabletopState

PROGRAM = """
import json, sys, time
time.monotonic = time.process_time
import ludens
from ludens.core import Clock, Deadline
from ludens.players import make_player

name, spec, clock = sys.argv[1], sys.argv[2], float(sys.argv[3])
game = ludens.load(name)
if hasattr(game, "native_playouts") and "twin=on" in spec:
    game.native_playouts(1)
iterations = choices = 0
for line in sys.stdin:
    kind, given = json.loads(line)
    if kind == "start":
        state, players = game.initial_state(), {}
        for role, seed in given:
            players[role] = make_player(spec)
            players[role].start(game, role, seed, Clock(60.0, clock))
        print("[]", flush=True)
    elif kind == "play":
        state = state.play(given)
    else:
        decision = players[given].choose(state.view(given), Deadline(clock))
        choices += 1
        iterations += decision.thinking.iterations if decision.thinking else 0
        print(json.dumps([decision.move, iterations / choices]), flush=True)
"""


class Side:
    """The players of one version."""

    def __init__(self, game: str, player: str, clock: float, source: str | None) -> None:
        environment = {**os.environ, "PYTHONPATH": source} if source else None
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, game, player, str(clock)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.iterations = 0.0
        """Iterations for each choice, in the mean."""

    def send(self, kind: str, given: Any) -> None:
        """Without an answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([kind, given]) + "\n")
        self._process.stdin.flush()

    def ask(self, kind: str, given: Any) -> list[Any]:
        """With one."""
        self.send(kind, given)
        assert self._process.stdout is not None
        found: list[Any] = json.loads(self._process.stdout.readline())
        return found

    def choose(self, role: str) -> str:
        """A role's move."""
        move, self.iterations = self.ask("choose", role)
        return str(move)

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def play(game: TabletopGame, sides: Sequence[Side], turns: int, rng: Random) -> list[float]:
    """The goals of one match of sides, one for each role."""
    for side in set(sides):
        seats = zip(game.roles, sides, strict=True)
        side.ask("start", [[role, rng.randrange(2**32)] for role, own in seats if own is side])
    state = game.initial_state()
    for _ in range(turns):
        if state.is_terminal:
            break
        moves = {}
        for role, side in zip(game.roles, sides, strict=True):
            if legal := state.legal_moves(role):
                moves[role] = side.choose(role) if len(legal) > 1 else legal[0]
        resolved = state.resolve(settle_race(state, moves, rng), rng)
        state = state.play(resolved)
        for side in set(sides):
            side.send("play", dict(resolved))
    assert isinstance(state, TabletopState)
    if not state.is_terminal and game.has_prospects:
        return list(game.prospects(state.table))
    return [float(state.goals[role]) for role in game.roles]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the score after every match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--before", metavar="FOLDER", help="the folder src of the other version; without it, this one")
    parser.add_argument("--player", default="ismcts")
    parser.add_argument("--against", metavar="PLAYER", help="of the other version (default: the same)")
    parser.add_argument("--clock", type=float, default=0.1, metavar="S", help="CPU seconds for each move")
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    game = ludens.load(given.game)
    assert isinstance(game, TabletopGame)
    sides = [
        Side(given.game, given.player, given.clock, None),
        Side(given.game, given.against or given.player, given.clock, given.before),
    ]
    scores: list[float] = []
    pairs: list[float] = []
    try:
        for number in range(given.matches):
            seats = [sides[(seat + number) % 2] for seat in range(len(game.roles))]
            goals = play(game, seats, given.turns, Random(f"{given.seed}/{number // 2}"))  # the same deal
            scores.append(score(goals, number % 2))
            if number % 2:
                pairs.append((scores[-1] + scores[-2]) / 2)
            found = mean_interval(pairs if len(pairs) > 1 else scores)
            print(
                f"{given.game}: {given.player} at {given.clock} CPU s, {len(scores)} matches: "
                f"score {found.mean:.1f} ({found.low:.1f} to {found.high:.1f}), "
                f"{sides[0].iterations:.0f} iterations a choice against {sides[1].iterations:.0f}",
                flush=True,
            )
    finally:
        for side in sides:
            side.stop()


if __name__ == "__main__":
    main()
