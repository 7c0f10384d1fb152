"""Players against each other at equal clocks: ``python -m benchmarks.series state lanes alphabeta [--games N]``.

Every pairing is a command that can be repeated alone: ``ludens match GAME --player … --games N --swap --clock S``.
Players do not think on each other's time here, since the two would have to share the processors.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass, replace

import ludens

FOUR_GAMES = ("breakthrough", "connect_four", "othello", "checkers")

COMPOSITES = (
    "nim:11,12,15,25",
    "nim:12,12,20,20,misere",
    "nim:30,31,32,33,34",
    "double_tic_tac_toe",
    "double_criss_cross",
)
"""Games for two that fall apart; ``--rules`` adds rule sheets of others."""


@dataclass(frozen=True, slots=True)
class Series:
    """One player against another on some games."""

    first: str
    second: str
    games: tuple[str, ...]
    clock: float
    swap: bool = True

    def command(self, game: str, matches: int) -> list[str]:
        """The match command for one of the games."""
        roles = ludens.load(game, backend="reference").roles
        seats = [f"--player={role}={player}" for role, player in zip(roles, (self.first, self.second), strict=True)]
        rest = [f"--games={matches}", f"--clock={self.clock}", "--start-clock=60", "--json"]
        return ["match", game, *seats, *rest, *(["--swap"] if self.swap else [])]


SERIES = {
    "state": Series("mcts:ponder=off", "mcts:ponder=off,native=off", FOUR_GAMES, 0.5),
    "lanes": Series("mcts:ponder=off", "mcts:ponder=off,lanes=1,leaves=1", FOUR_GAMES, 0.5),
    "backgammon": Series("mcts:ponder=off", "random", ("backgammon",), 0.1),
    "phantom": Series("ismcts", "pimc", ("phantom_connect_four",), 0.3),
    "composites": Series("auto", "mcts", COMPOSITES, 1.0),
    "whole": Series("auto", "mcts", (*FOUR_GAMES, "tic_tac_toe", "hex", "gomoku", "rock_paper_scissors"), 1.0),
    "alphabeta": Series("mcts:ponder=off", "alphabeta", ("connect_four",), 1.0, swap=False),
}


def main() -> None:
    """Play the series that are named, and print a row of a table for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("series", nargs="+", choices=SERIES)
    parser.add_argument("--games", type=int, default=40, help="matches of each game")
    parser.add_argument("--rules", nargs="*", default=[], metavar="FILE", help="rule sheets for two to play as well")
    parser.add_argument("--clock", type=float, metavar="S", help="seconds for each move, instead of the series' own")
    arguments = parser.parse_args()
    print("| game | first player | second player | matches | wins, draws, losses | score | clock | errors | load |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    for name in arguments.series:
        series = SERIES[name]
        if arguments.clock:
            series = replace(series, clock=arguments.clock)
        for game in (*series.games, *arguments.rules):
            print(_row(series, game, arguments.games), flush=True)


def _row(series: Series, game: str, matches: int) -> str:
    command = series.command(game, matches)
    print(f"ludens {shlex.join(command)}", file=sys.stderr, flush=True)
    program = [
        sys.executable,
        "-c",
        "from ludens.cli.main import main; import sys; raise SystemExit(main(sys.argv[1:]))",
        *command,
    ]
    found = json.loads(subprocess.run(program, stdout=subprocess.PIPE, check=True).stdout)
    first = found["summary"]["players"][0]
    score = first["score"]
    errors = sum(sum(match["errors"].values()) for match in found["matches"])
    results = f"{first['wins']}, {first['draws']}, {first['losses']}"
    interval = f"{score['mean']:.0%} ({score['low']:.0%} to {score['high']:.0%})"
    load = f"{os.getloadavg()[2]:.1f}"
    players = f"{series.first} | {series.second}"
    return f"| {game} | {players} | {matches} | {results} | {interval} | {series.clock} | {errors} | {load} |"


if __name__ == "__main__":
    main()
