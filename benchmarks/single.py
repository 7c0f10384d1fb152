"""The player `single` on puzzles: ``python -m benchmarks.single`` solves them and writes docs/single.md.

Every rule sheet is solved in a process of its own, so that none can take the time or the memory of another. Results are
kept as JSON lines, and what is there already is not solved again: the run can be made in pieces.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import ludens
from ludens.core import Deadline
from ludens.players.one_role.solver import Solver, space_of

TEXT = Path(__file__).parent / "single.md"
"""What the page says before the table."""
SHELF = ("eight_puzzle", "peg_solitaire", "lights_out")


class CpuDeadline(Deadline):
    """Ends when the process has used so many CPU seconds, loading included."""

    def __init__(self, seconds: float) -> None:
        super().__init__(math.inf)
        self._end = seconds

    def remaining(self) -> float:
        """CPU seconds left."""
        return self._end - time.process_time()


def solved(name: str, rules: str, seconds: float) -> dict[str, Any]:
    """What the searches find for a rule sheet within so many CPU seconds of this process."""
    game = ludens.load(rules, wait=True)
    loaded = time.process_time()
    solver = Solver(space_of(game, seed=1), game.initial_state(), level=2, megabytes=1_000, shortest=False, seed=1)
    solver.run(CpuDeadline(seconds))
    best = solver.incumbent
    return {
        "name": name,
        "goal": best.goal,
        "best_goal": best.best_goal,
        "moves": len(best.line),
        "source": best.source,
        "load": round(loaded, 2),
        "cpu": round(time.process_time(), 2),
        "states": solver.states,
    }


def measured(name: str, rules: str, seconds: float) -> dict[str, Any]:
    """The same in a process of its own; a reason instead if it fails."""
    command = [sys.executable, "-m", "benchmarks.single", "--one", name, rules, "--seconds", str(seconds)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=40 * seconds, check=False)
    except subprocess.TimeoutExpired:
        return {"name": name, "reason": "not loaded in time"}
    if done.returncode:
        return {"name": name, "reason": (done.stderr.strip().splitlines() or ["no message"])[-1]}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def rule_sheets(folder: Path | None) -> list[tuple[str, str]]:
    """Names and where to load them from: the puzzles of the shelf, then all with one role in a folder."""
    found = [(f"{name} (shelf)", name) for name in SHELF]
    if folder is None:
        return found
    with (folder / "index.csv").open(encoding="utf-8") as file:
        rows = [row["name"] for row in csv.DictReader(file) if row["roles"] == "1"]
    return found + [(name, str(folder / "rules" / f"{name}.kif")) for name in rows]


def page(results: Sequence[dict[str, Any]], before: dict[str, dict[str, Any]], seconds: float) -> str:
    """The measurements as docs/single.md."""
    own = [result for result in results if not result["name"].endswith("(shelf)")]
    full = sum(result.get("goal") == 100 for result in own)
    return "\n".join([_introduction(len(own), full, seconds), *_rows(results, before)]) + "\n"


def _introduction(count: int, full: int, seconds: float) -> str:
    return TEXT.read_text(encoding="utf-8").format(count=count, full=full, seconds=f"{seconds:g}").rstrip("\n")


def _rows(results: Iterable[dict[str, Any]], before: dict[str, dict[str, Any]]) -> Iterable[str]:
    for result in results:
        name = result["name"]
        earlier = before.get(name, {}).get("goal")
        first = f"| {name} | {'-' if earlier is None else _goal(before[name])} |"
        if "reason" in result:
            yield f"{first} {result['reason']} | - | - | - | - |"
            continue
        states = result["states"] if isinstance(result["states"], int) else sum(result["states"].values())
        cells = _goal(result), str(result["moves"]), result["source"] or "-", f"{result['cpu']:.1f}", f"{states:,}"
        yield f"{first} {' | '.join(cells)} |"


def _goal(result: dict[str, Any]) -> str:
    limit = "" if result.get("best_goal", 100) == 100 else f" of {result['best_goal']}"
    return "none" if result["goal"] < 0 else f"{result['goal']}{limit}"


def read_results(path: Path | None) -> dict[str, dict[str, Any]]:
    """Results by name."""
    lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
    return {result["name"]: result for result in map(json.loads, lines)}


def main() -> None:
    """Solve what is not solved yet, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", type=Path, metavar="FOLDER", help="rules/NAME.kif, and index.csv with name, roles")
    parser.add_argument("--seconds", type=float, default=10.0, help="CPU seconds for each rule sheet, loading included")
    parser.add_argument("--before", type=Path, help="results of an earlier version, for comparison")
    parser.add_argument("--results", type=Path, default=Path("single.jsonl"), help="where results are kept")
    parser.add_argument("--write", type=Path, default=Path("docs/single.md"))
    parser.add_argument("--one", nargs=2, metavar=("NAME", "RULES"), help="solve only this one, and print JSON")
    options = parser.parse_args()
    if options.one:
        name, rules = options.one
        print(json.dumps(solved(name, rules, options.seconds)))
        return
    results = read_results(options.results)
    sheets = rule_sheets(options.rules)
    for name, rules in sheets:
        if name not in results:
            results[name] = measured(name, rules, options.seconds)
            print(results[name], flush=True)
            with options.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(results[name]) + "\n")
    text = page([results[name] for name, _ in sheets], read_results(options.before), options.seconds)
    options.write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
