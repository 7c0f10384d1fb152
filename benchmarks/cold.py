"""The timeline of a first start without caches, for a dozen games: ``python -m benchmarks.cold``; ``make bench``.

Every game is started by fresh processes, once for each width of registers that the processor has. Times are CPU seconds
of all processes since the start, so a busy machine changes them little.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from benchmarks.page import machine, with_section
from ludens.cli.backends.cold import Step, cold_start
from ludens.compiler.native.target import host_level
from ludens.core.processor import VARIABLE, Level

HEADING = "Cold start"
SHELF = (
    "tic_tac_toe",
    "connect_four",
    "breakthrough",
    "othello",
    "checkers",
    "hex",
    "gomoku",
    "amazons",
    "chess@gdl",
    "pentago",
    "goofspiel",
    "backgammon@gdl",
)
SHEETS = (
    "ticTacToe",
    "connectFour",
    "breakthrough",
    "reversi",
    "checkers",
    "hex",
    "gomoku_15x15",
    "amazons_10x10",
    "chess_200",
    "shogi_ctk",
    "chess",
    "pentago",
)
"""What is measured: games of the library, or rule sheets of a folder."""
STEPS = (
    "rules read",
    "first legal moves",
    "first playout interpreted",
    "first playout compiled",
    "native search running",
)


def levels() -> list[Level]:
    """The widths to measure."""
    return [
        level for level in (Level.AVX512, Level.AVX2) if list(Level).index(level) <= list(Level).index(host_level())
    ]


def timeline(game: str, level: Level, seconds: float) -> dict[str, Step]:
    """The steps of a cold start with registers up to a width."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = level
    try:
        return {step.name: step for step in cold_start(game, seconds)}
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


def section(games: list[str], seconds: float, command: str) -> str:
    """The measurements as a section of a page."""
    lines = [
        f"## {HEADING}\n",
        "A fresh process without caches: CPU seconds, children included, until each step; and playouts a CPU second in",
        f"the search at full rate. `{command}` writes this section.\n",
        f"Machine: {machine()}.\n",
        f"| game | registers | {' | '.join(STEPS)} | playouts/CPU s |",
        f"|---|---|{'---:|' * (len(STEPS) + 1)}",
    ]
    for game in games:
        for level in levels():
            steps = timeline(game, level, seconds)
            cells = [f"{steps[name].cpu_seconds:.2f}" if name in steps else "" for name in STEPS]
            rate = steps["full rate"].note.partition(" ")[0] if "full rate" in steps else ""
            lines.append(f"| {Path(game).stem} | {level.label} | {' | '.join(cells)} | {rate} |")
            print(lines[-1], file=sys.stderr)
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, and print the table or write it into a page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", type=Path, metavar="FOLDER", help="rule sheets, instead of games of the library")
    parser.add_argument("--seconds", type=float, default=90.0, metavar="S", help="the most to wait for a compiler")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table into a page, instead of printing it")
    given = parser.parse_args()
    games = list(SHELF) if given.rules is None else [str(given.rules / f"{name}.kif") for name in SHEETS]
    words = ["FOLDER" if word == str(given.rules) else word for word in sys.argv[1:]]
    text = section(games, given.seconds, " ".join(["python -m benchmarks.cold", *words]))
    if given.write:
        page = given.write.read_text(encoding="utf-8") if given.write.exists() else "# Benchmarks\n"
        given.write.write_text(with_section(page, HEADING, text), encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
