"""``ludens report`` and ``ludens compare-rules``: what a game is like for its designers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ludens.cli.terminal.console import (
    Backend,
    GameArgument,
    JsonOption,
    SeedOption,
    console,
    errors,
    load_game,
    new_seed,
    print_json,
    printable,
)
from ludens.core.files import write_file
from ludens.core.folders import need_writable
from ludens.design.compare_reports import compare_reports, lines_of
from ludens.design.comparison_page import comparison_page
from ludens.design.examine import SECONDS, Examination
from ludens.design.findings import Finding, Level
from ludens.design.game_report import GameReport, make_report
from ludens.design.page import report_page

SecondsOption = Annotated[
    float,
    typer.Option(
        "--seconds", min=0.5, max=86_400, metavar="S", help="CPU seconds to use; large games such as chess need 600."
    ),
]
OutOption = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the report as one HTML file.")
]
_COLOURS = {Level.PROBLEM: "red", Level.REMARK: "default"}
_VERDICTS = {"better": "green", "worse": "red", "changed": "yellow"}


def report(
    game: GameArgument,
    out: OutOption = None,
    seconds: SecondsOption = SECONDS,
    seed: SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Report how a game plays and what is wrong with it, for its designers.

    Random play, strong play and the rules themselves show length, branching, fairness of seats, draws, drama, the use
    of skill, moves that dominate or that nobody uses, rules that never fire, stuck and endless play. Every finding
    names its evidence. Ctrl-C ends the examination; the report then has what was found so far.
    """
    if out is not None:
        need_writable(out.absolute().parent)
    found = _examine(game, seconds, seed)
    if out is not None:
        _write(out, report_page(found))
    if as_json:
        print_json(found.as_json())
        return
    _show_findings(found.findings)
    table = Table("", "estimate (95 %)", "from", box=None, pad_edge=False)
    for one in found.measures:
        table.add_row(printable(one.title), one.text, f"{one.sample:,} {one.of}")
    console.print(table)
    for note in found.seen.notes:
        console.print(printable(note), style="dim")


def compare_rules(
    game: GameArgument,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The same game with other rules.")],
    out: OutOption = None,
    seconds: SecondsOption = SECONDS,
    seed: SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare two games, such as a game before and after a change of its rules: what is better, worse or unclear.

    Both are examined as by `ludens report`, each for as many seconds.
    """
    if out is not None:
        need_writable(out.absolute().parent)
    chosen = new_seed(seed)
    found = compare_reports(_examine(game, seconds, chosen), _examine(other, seconds, chosen))
    if out is not None:
        _write(out, comparison_page(found))
    if as_json:
        print_json(found.as_json())
        return
    for title, findings in (("New:", found.new), ("Gone:", found.gone)):
        if findings:
            console.print(title, style="bold")
            _show_findings(findings)
    table = Table("", "before", "after", "difference (95 %)", "", box=None, pad_edge=False)
    for title, before, after, difference, verdict in lines_of(found):
        colour = _VERDICTS.get(verdict, "dim")
        table.add_row(printable(title), before, after, difference, f"[{colour}]{verdict}[/{colour}]")
    console.print(table)


def _examine(name: str, seconds: float, seed: int | None) -> GameReport:
    game = load_game(name, Backend.AUTO)
    with errors.status(f"Examining {printable(name)} …") as status:
        examination = Examination(
            game, seconds, seed=new_seed(seed), progress=lambda text: status.update(f"{printable(name)}: {text}")
        )
        try:
            examination.run()
        except KeyboardInterrupt:
            examination.seen.notes.append("interrupted: the report has what was found until then")
    return make_report(examination.seen, examination.allowance.spent)


def _write(out: Path, text: str) -> None:
    write_file(out, text)
    errors.print(f"{out} written", markup=False)


def _show_findings(findings: tuple[Finding, ...]) -> None:
    for finding in findings:
        console.print(f"{finding.level}: {printable(finding.text)}", style=_COLOURS[finding.level])
        console.print(f"  {printable(finding.evidence)} (n = {finding.sample:,})", style="dim")
    if not any(finding.level is Level.PROBLEM for finding in findings):
        console.print("No problems found.")
