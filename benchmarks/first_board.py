"""The first board of every game of the shelf: CPU seconds from the start of the process, children included.

``python -m benchmarks.first_board`` does what ``ludens play``, ``ludens match`` and the page do up to their
first board, each in a process of its own and with empty caches, and prints the slowest games.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile

from ludens.games.library import entries

_PLAY = """
import sys
from ludens.cli.matches import play
from ludens.cli.terminal.console import Backend, load_game
from ludens.cli.matches.watch import Companion
from ludens.core import NO_CLOCK, Clock
from ludens.players import make_player
from ludens.players.human import HumanPlayer
from ludens.referee import Match
game = load_game(sys.argv[1], Backend.AUTO)
own, *others = game.roles
players = {own: HumanPlayer(), **{role: make_player("auto", files=True) for role in others}}
Match(game, players, {role: NO_CLOCK if role == own else Clock() for role in game.roles}, 1, take_back=True)
Companion(game, [own]).draw_first()
"""
_MATCH = """
import sys
from ludens.cli.matches import match
from ludens.cli.terminal.console import Backend, load_game
from ludens.cli.matches.watch import Watcher
from ludens.core import Clock
from ludens.players import make_player
from ludens.referee import Match
game = load_game(sys.argv[1], Backend.AUTO)
played = Match(game, {role: make_player("auto", files=True) for role in game.roles}, Clock(), 1)
Watcher(game, dict.fromkeys(game.roles, "auto")).begin(1)
"""
_PAGE = """
import sys
from ludens.web.hosting import worker
from ludens.web.hosting.presentation import Presentation
from ludens.web.hosting.setup import load
game = load(sys.argv[1], None)
Presentation(game, game.roles[:1]).position(game.initial_state())
"""
WAYS = {"play": _PLAY, "match": _MATCH, "page": _PAGE}
"""The program for each surface; its argument is the game."""


def cpu_seconds(way: str, game: str) -> float:
    """The CPU seconds of a process until it has shown its first board."""
    command = [sys.executable, "-c", WAYS[way], game]
    with tempfile.TemporaryDirectory() as home:
        before = os.times()
        environment = os.environ | {"LUDENS_HOME": home}
        subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=environment,
            check=True,
        )
        after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    """Measure all games, and print the slowest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ways", nargs="*", default=list(WAYS), choices=list(WAYS))
    parser.add_argument("--slowest", type=int, default=12)
    parser.add_argument("games", nargs="*", default=sorted(entries()))
    options = parser.parse_args()
    for way in options.ways:
        found = sorted(((cpu_seconds(way, game), game) for game in options.games), reverse=True)
        shown = ", ".join(f"{game} {seconds:.2f}" for seconds, game in found[: options.slowest])
        print(f"{way}: {len(found)} games, CPU s: {shown}", flush=True)


if __name__ == "__main__":
    main()
