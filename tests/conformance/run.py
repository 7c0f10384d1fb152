"""Replay recorded playouts of rule sheets that others wrote: ``make conformance RULES=FOLDER``."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ludens.compiler.backends import BACKENDS, make_game
from ludens.core import LudensError
from ludens.gdl.read import read_file
from ludens.gdl.traces import read_trace, replay
from tests.conformance.corpus import NOT_GROUNDED, REFUSED, Case, cases


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one case on one backend."""

    case: Case
    backend: str
    states: int
    load_seconds: float
    replay_seconds: float
    problem: str

    @property
    def seconds(self) -> float:
        """CPU seconds in all."""
        return self.load_seconds + self.replay_seconds

    @property
    def expected(self) -> bool:
        """True if it agrees, or is one of those that are known not to."""
        name = self.case.name
        return not self.problem or name in REFUSED or (self.backend == "circuit" and name in NOT_GROUNDED)


def replay_case(job: tuple[Case, str]) -> Result:
    """Load the rules and replay the trace."""
    case, backend = job
    started = _cpu_seconds()
    loaded = started
    states, problem = 0, ""
    try:
        trace = read_trace(case.trace)
        game = make_game(read_file(case.rules), case.name, backend)
        loaded = _cpu_seconds()
        agreement = replay(game, trace)
        states, problem = agreement.states, str(agreement.first_difference or "")
    except LudensError as error:
        problem = str(error).replace(f"{case.rules.parent}/", "rules/").splitlines()[0][:200]
    return Result(case, backend, states, loaded - started, _cpu_seconds() - loaded, problem)


def _cpu_seconds() -> float:
    """Of this process and of those that it has started."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def main() -> int:
    """Replay everything on all backends, show a table, and write the document if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "rules",
        type=Path,
        metavar="FOLDER",
        help="rule sheets as rules/NAME.kif with recorded playouts as traces/NAME.jsonl.gz (docs/conformance.md), and "
        "sheets that break the specification as edge/NAME.kif with edge/NAME.jsonl.gz",
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table as Markdown")
    parser.add_argument("--backend", action="append", choices=BACKENDS, help="only this one; may be repeated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes to use")
    options = parser.parse_args()
    found = cases(options.rules)
    console = Console()
    if not found:
        console.print(f"there are no rule sheets in {options.rules}: it needs rules/NAME.kif and traces/NAME.jsonl.gz")
        return 2
    jobs = [(case, backend) for case in found for backend in options.backend or BACKENDS]
    results: list[Result] = []
    with Progress(console=console) as progress, ProcessPoolExecutor(options.jobs) as pool:
        task = progress.add_task("conformance", total=len(jobs))
        for result in pool.map(replay_case, jobs):
            results.append(result)
            progress.update(task, advance=1, description=result.case.name[:24].ljust(24))
    _show(console, results)
    if options.write:
        options.write.write_text(_document(results), encoding="utf-8")
        console.print(f"written: {options.write}")
    return 0 if all(result.expected for result in results) else 1


def _backends(results: list[Result]) -> list[str]:
    """The backends that were run, the oracle first."""
    return sorted({result.backend for result in results}, key=lambda backend: (backend != "reference", backend))


def _of(results: list[Result], backend: str) -> list[Result]:
    return [result for result in results if result.backend == backend]


def _summary(results: list[Result], backend: str) -> str:
    own = _of(results, backend)
    agree = sum(not result.problem for result in own)
    states = sum(result.states for result in own)
    seconds = sum(result.seconds for result in own)
    return (
        f"`{backend}`: {agree} of {len(own)} rule sheets agree, {states:,} states compared, {seconds:.0f} CPU seconds"
    )


def _show(console: Console, results: list[Result]) -> None:
    table = Table(title="not in agreement, and the slowest", box=None)
    for heading in ("rule sheet", "backend", "states", "CPU s", "result"):
        table.add_column(heading)
    slowest = sorted(results, key=lambda result: -result.seconds)[:10]
    for result in [*(result for result in results if result.problem), *slowest]:
        cells = (result.case.name, result.backend, str(result.states), f"{result.seconds:.2f}")
        table.add_row(*cells, result.problem or "agrees")
    console.print(table)
    for backend in _backends(results):
        console.print(_summary(results, backend))


def _document(results: list[Result]) -> str:
    backends = _backends(results)
    lines = [
        "# Conformance",
        "",
        "Check ludens against another reasoner: `make conformance RULES=FOLDER` replays its recorded playouts of",
        "public rule sheets, compares every fluent, legal move, terminal flag and goal value of every state, and",
        "writes this page. The folder has the rule sheets as `rules/NAME.kif`, their playouts as",
        "`traces/NAME.jsonl.gz`, and rule sheets that break the specification in `edge/`. `ludens conform TRACE RULES`",
        "replays a single trace.",
        "",
        *(f"- {_summary(results, backend)}" for backend in backends),
        "",
        f"Measured with Python {platform.python_version()} on {platform.machine()}, {os.cpu_count()} processors.",
        "",
        "Rule sheets that do not agree:",
        "",
        *(
            f"- `{result.case.name}` on `{result.backend}`: {REFUSED.get(result.case.name, result.problem)}"
            for result in results
            if result.problem
        ),
        "",
        "The edge cases among these break the specification deliberately, and their traces show what one tolerant",
        "reasoner does. ludens refuses them and reports the position of the error.",
        "",
        "Times are CPU seconds: *load* includes compiling, with external compilers; *replay* goes through the trace",
        "one state at a time.",
        "",
        f"| rule sheet | states | {' | '.join(f'{backend}: load | replay' for backend in backends)} |",
        f"|---|---:|{'---:|---:|' * len(backends)}",
    ]
    for row in zip(*(_of(results, backend) for backend in backends), strict=True):
        case = row[0].case
        name = f"edge/{case.name}" if case.edge else case.name
        cells = [
            cell
            for result in row
            for cell in (
                ("refused", "") if result.problem else (f"{result.load_seconds:.2f}", f"{result.replay_seconds:.2f}")
            )
        ]
        lines.append(f"| {name} | {max(result.states for result in row)} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
