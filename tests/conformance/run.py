"""Replay the whole conformance corpus: ``make conformance``."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ludens.core import LudensError
from ludens.gdl.read import read_file
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.traces import read_trace, replay
from tests.conformance.corpus import MISSING, REFUSED, Case, cases


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one case."""

    case: Case
    states: int
    load_seconds: float
    replay_seconds: float
    problem: str

    @property
    def expected(self) -> bool:
        """True if it agrees, or is one of those that are refused on purpose."""
        return not self.problem or self.case.name in REFUSED


def replay_case(case: Case) -> Result:
    """Load the rules and replay the trace."""
    started = time.process_time()
    loaded = started
    states, problem = 0, ""
    try:
        trace = read_trace(case.trace)
        game = ReferenceGame(read_file(case.rules), case.name)
        loaded = time.process_time()
        agreement = replay(game, trace)
        states, problem = agreement.states, str(agreement.first_difference or "")
    except LudensError as error:
        problem = str(error).splitlines()[0]
    return Result(case, states, loaded - started, time.process_time() - loaded, problem)


def main() -> int:
    """Replay everything, show a table, and write the document if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table as Markdown")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes to use")
    options = parser.parse_args()
    found = cases()
    console = Console()
    if not found:
        console.print(MISSING)
        return 2
    results = []
    with Progress(console=console) as progress, ProcessPoolExecutor(options.jobs) as pool:
        task = progress.add_task("conformance", total=len(found))
        for result in pool.map(replay_case, found):
            results.append(result)
            progress.update(task, advance=1, description=result.case.name[:24].ljust(24))
    _show(console, results)
    if options.write:
        options.write.write_text(_document(results), encoding="utf-8")
        console.print(f"written: {options.write}")
    return 0 if all(result.expected for result in results) else 1


def _show(console: Console, results: list[Result]) -> None:
    table = Table(title="not in agreement, and the slowest", box=None)
    for heading in ("rule sheet", "states", "CPU s", "result"):
        table.add_column(heading)
    slowest = sorted(results, key=lambda result: -result.replay_seconds)[:10]
    for result in [*(result for result in results if result.problem), *slowest]:
        seconds = f"{result.load_seconds + result.replay_seconds:.2f}"
        table.add_row(result.case.name, str(result.states), seconds, result.problem or "agrees")
    console.print(table)
    agree = sum(not result.problem for result in results)
    states = sum(result.states for result in results)
    console.print(f"{agree} of {len(results)} rule sheets agree, {states:,} states compared")


def _document(results: list[Result]) -> str:
    agree = sum(not result.problem for result in results)
    states = sum(result.states for result in results)
    seconds = sum(result.load_seconds + result.replay_seconds for result in results)
    lines = [
        "# Conformance",
        "",
        "Rule sheets written by others, replayed against playouts that an independent reasoner recorded: every",
        "fluent, legal move, end and goal value of every state is compared. This page is written by",
        "`make conformance`; `ludens conform TRACE RULES` does the same for one trace.",
        "",
        f"**Backend `reference`: {agree} of {len(results)} rule sheets agree, {states:,} states compared**, in",
        f"{seconds:.0f} CPU seconds (Python {platform.python_version()}, {platform.machine()}).",
        "",
        "Not in agreement:",
        "",
    ]
    for result in results:
        if result.problem:
            lines.append(f"- `{result.case.name}`: {REFUSED.get(result.case.name, result.problem)}")
    lines += [
        "",
        "These rule sheets break the specification on purpose, and their traces show what one tolerant reasoner does.",
        "ludens refuses them with the position of the error, as a validator should.",
        "",
        "| rule sheet | states | load, CPU s | replay, CPU s | states/s | result |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for result in results:
        rate = f"{result.states / result.replay_seconds:,.0f}" if result.replay_seconds > 0 and result.states else "-"
        name = f"edge/{result.case.name}" if result.case.edge else result.case.name
        times = f"{result.load_seconds:.2f} | {result.replay_seconds:.2f}"
        lines.append(f"| {name} | {result.states} | {times} | {rate} | {'refused' if result.problem else 'agrees'} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
