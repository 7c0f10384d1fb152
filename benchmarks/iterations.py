"""Iterations of a player a CPU second in hidden games: ``python -m benchmarks.iterations --before FOLDER``.

Each game is played at random; the player thinks twice in the position after a third of all choices, and the second time
counts. Each figure has a process of its own. ``--before`` is the folder ``src`` of an older version to compare.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence

GAMES = (
    "holdem",
    "holdem:6",
    "chinese_poker",
    "kuhn_poker@tabletop",
    "leduc_poker@tabletop",
    "phantom_go",
    "dominoes",
    "uno:2",
    "uno:4",
    "kriegspiel",
    "hearts",
    "spades",
    "bridge",
    "skat",
    "mahjong",
    "liars_dice",
    "memory",
    "stratego",
    "hexwar",
    "deck_duel",
    "totem:4",
)
PROGRAM = """
import sys, time
from random import Random
time.monotonic = time.process_time
import ludens
from ludens.core import Clock, Deadline, random_joint_move
from ludens.players import make_player

name, spec, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
game, rng, choices = ludens.load(name), Random(2), []
state = game.initial_state()
while not state.is_terminal and len(choices) < 400:
    choices += [(state, role) for role in game.roles if len(state.legal_moves(role)) > 1][:1]
    state = state.sample(random_joint_move(state, rng), rng)
state, role = choices[len(choices) // 3]
player, view = make_player(spec), state.view(role)
player.start(game, role, 1, Clock(60.0, seconds))
player.choose(view, Deadline(seconds))
began = time.process_time()
decision = player.choose(view, Deadline(seconds))
print(decision.thinking.iterations / (time.process_time() - began))
"""
_LONGEST = 120.0


def measure(name: str, player: str, seconds: float, source: str | None) -> str:
    """Iterations a CPU second, of this version or another one; nothing if that cannot play."""
    environment = {**os.environ, "PYTHONPATH": source} if source else None
    command = [sys.executable, "-c", PROGRAM, name, player, str(seconds)]
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=_LONGEST, check=False
        ).stdout.split()
    except subprocess.TimeoutExpired:
        return ""
    return f"{float(done[-1]):,.0f}" if done else ""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--player", default="ismcts")
    parser.add_argument("--seconds", type=float, default=0.4, help="CPU seconds for each figure")
    parser.add_argument("--before", metavar="FOLDER", help="the folder src of an older version")
    parser.add_argument("games", nargs="*", default=GAMES)
    given = parser.parse_args(arguments)
    columns = ["game", *(["before"] if given.before else []), "now"]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for name in given.games:
        sources = [given.before, None] if given.before else [None]
        found = [measure(name, given.player, given.seconds, source) for source in sources]
        print(f"| `{name}` | {' | '.join(found)} |", flush=True)


if __name__ == "__main__":
    main()
