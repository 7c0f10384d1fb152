"""Programs of others against ours through ``ludens ggtp``: ``python -m benchmarks.bridges [go] [chess] [--games N]``.

Go: GNU Go on 9x9, which also counts each finished game itself; chess: Stockfish. Sides change after each game.
What is told is what docs/gtp-uci.md promises: no move refused on either side, and the same score.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from dataclasses import dataclass

from ludens.core import Deadline
from ludens.core.program import Program
from ludens.protocols.ggtp.language.grammar import items, unescape
from ludens.protocols.gtp.client import ask
from ludens.protocols.gtp.player import GNUGO

ROLES = {"go": ("Black", "White"), "chess": ("white", "black")}
RULES = {"go": ("set_rule go:9", "set_rule_option turns 1000"), "chess": ("set_rule chess",)}
BRIDGES = {"go": "gtp", "chess": "uci"}
TROUBLE = re.compile(r"illegal_move|fails|is lost|error")
"""What the Rules say when a move was refused, or somebody failed."""
KOMI = 7.5
_HOURS = 3600


@dataclass(frozen=True, slots=True)
class Played:
    """One game."""

    theirs: str
    """The role of the program of others."""
    moves: list[tuple[str, str]]
    """Roles and moves."""
    goals: dict[str, int]
    points: dict[str, float]
    trouble: list[str]
    """Moves that were refused, and failures."""
    seconds: float


def play(game: str, theirs: str, *, settings: dict[str, str], player: str, seconds: float, seed: int) -> Played:
    """A program against one of our players, with so many seconds for each of its moves."""
    ours = next(role for role in ROLES[game] if role != theirs)
    script = [
        *RULES[game],
        f"set_engine {theirs} {BRIDGES[game]}",
        *(f"set_engine_option {theirs} {name} {value}" for name, value in settings.items()),
        f"set_engine {ours} {player}",
        f"set_engine_option {ours} time {seconds}",
        f"set_engine_option {ours} start_time 60",
        *("set_option show_engines on", "set_option genmove on", "start", "wait", "set_option show_engines off"),
        *("list_played_moves", "get_result", "quit"),
    ]
    began = time.monotonic()
    command = [sys.executable, "-c", "from ludens.cli.main import run; run()", "ggtp", "--seed", str(seed)]
    done = subprocess.run(command, input="\n".join(script), capture_output=True, text=True, check=True, timeout=_HOURS)
    lines = done.stdout.splitlines()
    answers = [line.removeprefix("= ") for line in lines if line.startswith("= ") and line != "= Done"]
    moves = [unescape(item).split(" ", 1) for item in items(answers[-2])]
    goals, points = _result(answers[-1])
    trouble = [line for line in lines if line.startswith("?") or TROUBLE.search(line)]
    return Played(theirs, [(role, move) for role, move in moves], goals, points, trouble, time.monotonic() - began)


def _result(text: str) -> tuple[dict[str, int], dict[str, float]]:
    """Goals and points of the answer to ``get_result``."""
    found = re.findall(r"(\w+)=\w+ (\d+)(?: points (-?[\d.]+))?", text)
    return {role: int(goal) for role, goal, _ in found}, {role: float(own) for role, _, own in found if own}


def gnugo_score(moves: list[tuple[str, str]]) -> float:
    """Black's points in a finished game on 9x9, counted by GNU Go."""
    program = Program(GNUGO)
    deadline = Deadline(120)
    for command in ("boardsize 9", "clear_board", f"komi {KOMI}"):
        ask(program, command, deadline)
    for role, move in moves:
        ask(program, f"play {role.lower()} {move}", deadline)
    score = ask(program, "final_score", deadline).split()[0]
    program.close("quit")
    return 0.0 if score == "0" else float(score[2:]) * (1 if score.startswith("B") else -1)


def settings_of(game: str, level: int) -> dict[str, str]:
    """Options of the bridge: GNU Go's level, Stockfish's skill."""
    if game == "go":
        return {"command": f"{GNUGO} --level {level}"}
    return {"settings": f"Skill Level={level}", "time": "0.1"}


def main() -> None:
    """Play, and print a line for each game and the sum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=ROLES, default=list(ROLES))
    parser.add_argument("--games", type=int, dest="count", default=0, help="10 of Go and 4 of chess if left out")
    parser.add_argument("--player", default="mcts", help="which of our players")
    parser.add_argument("--seconds", type=float, default=0.2, help="for each of its moves")
    parser.add_argument("--level", type=int, default=5, help="of GNU Go, or Stockfish's skill")
    arguments = parser.parse_args()
    for game in arguments.games:
        refused = agreed = won = 0
        count = arguments.count or (10 if game == "go" else 4)
        for number in range(count):
            theirs = ROLES[game][number % 2]
            played = play(
                game,
                theirs,
                settings=settings_of(game, arguments.level),
                player=arguments.player,
                seconds=arguments.seconds,
                seed=number + 1,
            )
            refused += len(played.trouble)
            won += played.goals[theirs] == 100
            line = f"{game} {number + 1}: they are {theirs}, {len(played.moves)} moves, goals {played.goals}"
            if game == "go":
                counted = gnugo_score(played.moves)
                agreed += counted == played.points["Black"]
                line += f", Black's points {played.points['Black']:g}, GNU Go counts {counted:g}"
            print(f"{line}, {len(played.trouble)} refused or failed, {played.seconds:.0f} s", flush=True)
            print("".join(f"  {trouble}\n" for trouble in played.trouble), end="", flush=True)
        scores = f", {agreed} scores agree" if game == "go" else ""
        print(f"{game}: {count} games, {won} won by theirs, {refused} refused or failed{scores}", flush=True)


if __name__ == "__main__":
    main()
