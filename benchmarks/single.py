"""The player `single` on puzzles: ``python -m benchmarks.single`` solves them and writes docs/single.md.

Every rule sheet is solved in a process of its own, so that none can take the time or the memory of another. Results are
kept as JSON lines, and what is there already is not solved again: the run can be made in pieces.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import ludens
from ludens.core import Deadline
from ludens.players.one_role.solver import Solver, space_of

SHELF = ("eight_puzzle", "peg_solitaire", "lights_out")


def solved(name: str, rules: str, seconds: float, proving: float) -> dict[str, Any]:
    """What the searches find for a rule sheet within so many seconds, loading included; then it is made shorter."""
    began, cpu = time.monotonic(), time.process_time()
    game = ludens.load(rules, wait=True)
    loaded = time.monotonic() - began
    solver = Solver(space_of(game, seed=1), game.initial_state(), level=2, megabytes=1_500, shortest=False, seed=1)
    solver.run(Deadline(seconds - loaded))
    found_cpu = time.process_time() - cpu
    if solver.incumbent.goal_proved:
        solver.shortest = True
        solver.run(Deadline(proving))
    best = solver.incumbent
    return {
        "name": name,
        "goal": best.goal,
        "best_goal": best.best_goal,
        "moves": len(best.line),
        "goal_proved": best.goal_proved,
        "length_proved": best.length_proved,
        "source": best.source,
        "found": loaded + best.seconds,
        "found_cpu": found_cpu,
        "cpu": time.process_time() - cpu,
        "states": solver.states,
    }


def measured(name: str, rules: str, seconds: float, proving: float) -> dict[str, Any]:
    """The same in a process of its own; a reason instead if it fails."""
    command = [sys.executable, "-m", "benchmarks.single", "--one", name, rules]
    command += ["--seconds", str(seconds), "--proving", str(proving)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + proving + 5, check=False)
    except subprocess.TimeoutExpired:
        return {"name": name, "reason": f"not loaded within {seconds:g} s"}
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


def page(results: Sequence[dict[str, Any]], seconds: float, proving: float) -> str:
    """The measurements as docs/single.md."""
    own = [result for result in results if not result["name"].endswith("(shelf)")]
    full = sum(result.get("goal") == 100 and result["found"] <= seconds for result in own)
    return "\n".join([_introduction(len(own), full, seconds, proving), *_rows(results)]) + "\n"


def _introduction(count: int, full: int, seconds: float, proving: float) -> str:
    return f"""# The player `single` on puzzles

The player `single` solves games with one role: it looks for the best goal and the shortest line to it, and proves what
it can.

<!-- slow -->
```console
$ ludens match eight_puzzle --player solver=single --clock 1 --start-clock 5 --quiet
Solved: 100 of 100
…
```

Result: **Goal 100 in {full} of {count}** public rule sheets with one role.

`python -m benchmarks.single --seconds {seconds:g} --proving {proving:g}` writes this page. It solves all rule sheets
with one role in a folder (`--rules`) and puzzles of the library, each in its own process: {seconds:g} s for the goal,
including loading and compiling, then {proving:g} s to shorten the solution. Other programs used most of the machine
meanwhile, so CPU seconds are more meaningful than wall-clock seconds.

**Proofs.** A goal is proved optimal if it is the highest value in the rules, or if *breadth* (breadth-first search) has
visited all positions. Only *breadth* proves that no line is shorter, by visiting all positions that fewer moves reach.
It replaces IDA*: both expand positions in order of distance, but with a table of 64-bit keys breadth-first search
computes each position once, hundreds at a time, while IDA* recomputes it for every path and bound. IDA* would save
memory, but these searches run out of time first: in 25 s on a busy machine *breadth* stored 0.6 million positions of
`rubiksCube` in a table with room for 8.3 million. Heuristics derived from goal conditions are weak: in the eight puzzle
one move can fulfil two of the nine conditions.

- *goal*: the best goal found; *of* the highest value in the rules, if that is not 100.
- *proved*: *goal* if nothing better is possible, *moves* if that goal cannot be reached in fewer moves either.
- *found*: when that goal was found, in seconds since the start of loading; in CPU seconds only where it is proved.
- *by*: the search that found the line, or the last one that shortened it.
- *CPU s* and *states*: totals.

| rule sheet | goal | moves | proved | found, s | found, CPU s | by | CPU s | states |
|---|---:|---:|---|---:|---:|---|---:|---:|"""


def _rows(results: Iterable[dict[str, Any]]) -> Iterable[str]:
    for result in results:
        if "reason" in result:
            yield f"| {result['name']} | - | - | {result['reason']} | - | - | - | - | - |"
            continue
        proved = "goal, moves" if result["length_proved"] else "goal" if result["goal_proved"] else "-"
        limit = "" if result["best_goal"] == 100 else f" of {result['best_goal']}"
        goal = "none" if result["goal"] < 0 else f"{result['goal']}{limit}"
        cells = (
            result["name"],
            goal,
            f"{result['moves']}",
            proved,
            f"{result['found']:.1f}",
            f"{result['found_cpu']:.1f}" if result["goal_proved"] else "-",
            result["source"] or "-",
            f"{result['cpu']:.1f}",
            f"{result['states']:,}",
        )
        yield f"| {' | '.join(cells)} |"


def main() -> None:
    """Solve what is not solved yet, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", type=Path, metavar="FOLDER", help="rules/NAME.kif, and index.csv with name, roles")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each rule sheet")
    parser.add_argument("--proving", type=float, default=10.0, help="seconds to look for fewer moves afterwards")
    parser.add_argument("--results", type=Path, default=Path("single.jsonl"), help="where results are kept")
    parser.add_argument("--write", type=Path, default=Path("docs/single.md"))
    parser.add_argument("--one", nargs=2, metavar=("NAME", "RULES"), help="solve only this one, and print JSON")
    options = parser.parse_args()
    if options.one:
        name, rules = options.one
        print(json.dumps(solved(name, rules, options.seconds, options.proving)))
        return
    lines = options.results.read_text(encoding="utf-8").splitlines() if options.results.exists() else []
    results = {result["name"]: result for result in map(json.loads, lines)}
    sheets = rule_sheets(options.rules)
    for name, rules in sheets:
        if name not in results:
            results[name] = measured(name, rules, options.seconds, options.proving)
            print(results[name], flush=True)
            with options.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(results[name]) + "\n")
    text = page([results[name] for name, _ in sheets], options.seconds, options.proving)
    options.write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
