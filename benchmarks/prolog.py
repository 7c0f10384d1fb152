"""Random playouts in SWI-Prolog, for comparison: ``python -m benchmarks.prolog RULES --seconds S`` prints JSON."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from ludens.core import LudensError
from ludens.experiments.prolog.game import PrologGame
from ludens.experiments.prolog.translation import prolog_program
from ludens.gdl.game import GdlState
from ludens.gdl.read import read_file
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term


def measure(sheet: RuleSheet, seconds: float, positions: list[frozenset[Term]] | None = None) -> dict[str, Any]:
    """Playouts with plain and with tabled recursion, whichever is faster; from the given positions in turn.

    Raises `LudensError` if neither comes to an end.
    """
    found: list[dict[str, Any]] = []
    refused = []
    recursive = prolog_program(sheet, tabled=True) != prolog_program(sheet)
    for tabled in (False, True) if recursive else (False,):
        try:
            found.append(_measure(sheet, seconds, positions, tabled=tabled))
        except LudensError as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return max(found, key=lambda result: result["states_per_cpu_second"])


def _measure(
    sheet: RuleSheet, seconds: float, positions: list[frozenset[Term]] | None, *, tabled: bool
) -> dict[str, Any]:
    game = PrologGame(sheet, sheet.source.name, tabled=tabled)
    starts: list[GdlState] = [game.initial_state()] if positions is None else [game.state(facts) for facts in positions]
    wall = time.perf_counter()
    parts = [game.playouts(start, seconds / len(starts)) for start in starts]
    wall = time.perf_counter() - wall
    game.close()
    states = sum(part.states for part in parts)
    return {
        "tabled": tabled,
        "states_per_cpu_second": sum(part.states / part.cpu_seconds for part in parts) / len(parts),
        "states_per_second": states / wall,
        "playouts_per_cpu_second": sum(part.playouts / part.cpu_seconds for part in parts) / len(parts),
    }


def main() -> int:
    """Measure one rule sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", type=Path)
    parser.add_argument("--seconds", type=float, default=3.0, metavar="S", help="CPU time for each way")
    options = parser.parse_args()
    try:
        print(json.dumps(measure(read_file(options.rules), options.seconds)))
    except LudensError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
