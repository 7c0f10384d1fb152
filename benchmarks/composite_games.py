"""Solve generated composite games by parts and as a whole: ``python -m benchmarks.composite_games --count 100``."""

from __future__ import annotations

import argparse
import time
from collections import Counter

from tests.players.decomposition.composites import KINDS, composite_of
from tests.players.decomposition.other_shapes import SHAPES, other_composite

from ludens.compiler.batch.game import CircuitGame
from ludens.gdl.read import read_rules
from ludens.players.decomposition.solve import InOnePieceError, solve_by_parts
from ludens.players.minimax.solve import Solver


def main() -> int:
    """Compare the games of each kind, and print a row for each; exit code 1 if any value or best move differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="games of each kind")
    parser.add_argument("--kinds", nargs="*", default=(*KINDS, *SHAPES), help="only these kinds")
    parser.add_argument("--budget", type=float, default=60.0, help="seconds for each way to solve a game")
    arguments = parser.parse_args()
    different = 0
    print("| kind | games | found | solved by parts | equal to plain search | most CPU seconds by parts |")
    print("|---|---:|---:|---:|---:|---:|")
    for kind in arguments.kinds:
        counts: Counter[str] = Counter()
        most = 0.0
        whole: Counter[str] = Counter()
        for seed in range(arguments.count):
            rules = other_composite(kind, seed) if kind in SHAPES else composite_of(kind, seed).rules
            game = CircuitGame(read_rules(rules), f"{kind} {seed}")
            state = game.initial_state()
            began = time.process_time()
            try:
                found = solve_by_parts(state, arguments.budget)
            except InOnePieceError as error:
                whole[str(error)] += 1
                continue
            most = max(most, time.process_time() - began)
            plain = Solver(state, arguments.budget).solve()
            counts["found"] += 1
            counts["solved"] += found.exact
            counts["equal"] += (found.exact, found.bounds) == (plain.exact, plain.bounds) and all(
                set(found.best.get(role, moves)) == set(moves) for role, moves in plain.best.items()
            )
        different += counts["found"] - counts["equal"]
        print(
            f"| {kind} | {arguments.count} | {counts['found']} | {counts['solved']} | {counts['equal']} | {most:.2f} |",
            flush=True,
        )
        for why, count in whole.most_common():
            print(f"<!-- {kind}: {count} stay whole: {why} -->", flush=True)
    return int(different > 0)


if __name__ == "__main__":
    raise SystemExit(main())
