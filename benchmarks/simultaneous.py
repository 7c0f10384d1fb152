"""How far `mcts` is from equilibrium in small games of simultaneous choices: ``python -m benchmarks.simultaneous``.

Thirty-two games: matrix games alone and behind one or two moves, goofspiel and oshi-zumo, and the sheets of
`benchmarks.simultaneous_sheets`. The player is asked in every information set, and the best response is computed
exactly.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import ludens
from benchmarks.simultaneous_sheets import SHEETS
from ludens.compiler.backends import make_game
from ludens.core import Game
from ludens.gdl.read import read_rules
from ludens.players.equilibrium.response import measure
from ludens.players.equilibrium.tree import build_tree

MATRICES = {
    "pennies": [[100, 0], [0, 100]],
    "biased pennies": [[100, 0], [30, 60]],
    "skewed": [[80, 20], [10, 55]],
    "saddle": [[60, 70], [20, 30]],
    "rock": [[50, 0, 100], [100, 50, 0], [0, 100, 50]],
    "weighted rock": [[50, 0, 100], [75, 50, 0], [0, 100, 50]],
    "odd three": [[20, 80, 55], [75, 10, 60], [50, 50, 5]],
    "wide": [[90, 10, 40, 70], [15, 85, 60, 20]],
    "tall": [[90, 15], [10, 85], [45, 55], [70, 20]],
    "four": [[60, 10, 80, 35], [20, 75, 15, 65], [85, 30, 40, 25], [45, 55, 50, 20]],
    "five": [
        [50, 30, 70, 10, 90],
        [70, 50, 30, 80, 20],
        [30, 70, 50, 40, 60],
        [90, 20, 60, 50, 10],
        [10, 80, 40, 90, 50],
    ],
}
BEHIND = ("pennies", "biased pennies", "odd three")
"""Matrix games that are also played behind one and two moves."""


def matrix_sheet(matrix: list[list[int]], before: int) -> str:
    """A matrix game; before it, row may leave so many times with a sure result."""
    facts = ["(role row) (role column)", f"(init (left {before}))"]
    facts += [f"(less {n} {n + 1})" for n in range(before)]
    facts += [f"(way row {n})" for n in range(len(matrix))] + [f"(way column {n})" for n in range(len(matrix[0]))]
    facts += [f"(pays {r} {c} {own} {100 - own})" for r, line in enumerate(matrix) for c, own in enumerate(line)]
    facts += [f"(sure {n} {40 + 7 * n} {60 - 7 * n})" for n in range(1, before + 1)]
    return (
        "\n".join(facts)
        + """
    (<= (legal ?r (go ?n)) (true (left 0)) (way ?r ?n))
    (<= (legal row leave) (true (left ?n)) (less ?m ?n))
    (<= (legal row stay) (true (left ?n)) (less ?m ?n))
    (<= (legal column wait) (true (left ?n)) (less ?m ?n))
    (<= (next (left ?m)) (true (left ?n)) (less ?m ?n) (does row stay))
    (<= (next (end ?g ?h)) (true (left ?n)) (does row leave) (sure ?n ?g ?h))
    (<= (next (end ?g ?h)) (does row (go ?r)) (does column (go ?c)) (pays ?r ?c ?g ?h))
    (<= terminal (true (end ?g ?h)))
    (<= (goal row ?g) (true (end ?g ?h)))
    (<= (goal column ?h) (true (end ?g ?h)))
    """
    )


def games() -> Iterator[tuple[str, Game]]:
    """The games, by name."""
    for name, matrix in MATRICES.items():
        yield name, make_game(read_rules(matrix_sheet(matrix, 0)), name, "circuit")
    for before in (1, 2):
        for name in BEHIND:
            title = f"{name} behind {before}"
            yield title, make_game(read_rules(matrix_sheet(MATRICES[name], before)), title, "circuit")
    for name, sheet in SHEETS.items():
        yield name, make_game(read_rules(sheet), name, "circuit")
    for name in ("rock_paper_scissors", "oshi_zumo:4,1", "goofspiel:3", "goofspiel:4"):
        yield name, ludens.load(name, backend="circuit")


def main() -> None:
    """Print the exploitability in each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clock", type=float, default=1.0, help="seconds for each decision")
    parser.add_argument("--player", default="mcts:ponder=off")
    parser.add_argument("--only", default="", help="names that contain this")
    parser.add_argument("--cpu", action="store_true", help="count CPU seconds instead of wall seconds")
    given = parser.parse_args()
    if given.cpu:
        time.monotonic = time.process_time
    worst = 0.0
    for name, game in games():
        if given.only not in name:
            continue
        spent = time.process_time()
        tree = build_tree(game, 3_000_000)
        found = measure(tree, given.player, given.clock, 1, 1, lambda done: None)
        worst = max(worst, found.assessment.exploitability)
        print(
            f"{name}: exploitability {found.assessment.exploitability:.3f} % of the range, value "
            f"{found.assessment.values[0]:.2f}, {len(tree.sets):,} information sets, "
            f"{time.process_time() - spent:.0f} CPU s",
            flush=True,
        )
    print(f"worst: {worst:.3f} %")


if __name__ == "__main__":
    main()
