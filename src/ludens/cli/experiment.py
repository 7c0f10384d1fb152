"""``ludens experiment``: repeat experiments of papers."""

from __future__ import annotations

import os
import platform
from itertools import product
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

import ludens
from ludens.cli.terminal.console import JsonOption, console, errors, print_json
from ludens.compiler.circuit_rules import CircuitRules
from ludens.compiler.native.target import host_description
from ludens.core import GameError
from ludens.core.files import write_file
from ludens.core.folders import need_writable
from ludens.experiments.decomposition import page as parts_page
from ludens.experiments.decomposition import run as parts_run
from ludens.experiments.decomposition.plot import line_chart
from ludens.experiments.gdlcc.chart import bar_chart
from ludens.experiments.gdlcc.engines import RHYTHMS
from ludens.experiments.gdlcc.page import CHART, HEADINGS, TITLES, as_json, describe_rhythm, markdown, notes, table_rows
from ludens.experiments.gdlcc.paper import GAMES
from ludens.experiments.gdlcc.run import Measured, Setup, run_experiment

_PARTS = ("nim", "double_tic_tac_toe", "double_criss_cross")
"""The games of the experiment on decomposition."""
_NAMES = ", ".join(game.shelf for game in GAMES)

app = typer.Typer(no_args_is_help=True)


@app.callback()
def experiment() -> None:
    """Repeat the experiments of papers."""


@app.command("gdlcc")
def gdlcc(
    clock: Annotated[
        float, typer.Option("--clock", min=0.001, metavar="S", help="CPU seconds for each turn; the paper has 5.")
    ] = 5.0,
    games: Annotated[int, typer.Option("--games", min=1, metavar="N", help="Matches for each game and player.")] = 20,
    rules: Annotated[
        Path | None,
        typer.Option("--rules", metavar="DIR", help="Rule sheets to use instead of the library's."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="NAME", help=f"Only this game; may be repeated. Games: {_NAMES}."),
    ] = None,
    folder: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Where the page and the chart go.")
    ] = Path("docs"),
    as_data: JsonOption = False,
) -> None:
    """Monte-Carlo players on Prolog, generated C++ and the circuit: tables 1 and 2 of the paper, beside its figures.

    With the paper's clock and number of matches, it takes more than a day; shorten it with --clock and --games.
    """
    setup = Setup(clock, games, rules, only or ())
    need_writable(folder)
    results = _run(setup)
    write_file(folder / "experiment.md", markdown(results, setup, _machine()))
    write_file(folder / CHART, bar_chart(results, clock))
    if as_data:
        print_json(as_json(results, setup))
        return
    for (table, title), rhythm in product(TITLES.items(), RHYTHMS):
        console.print(_table(results, table, f"{title}, {describe_rhythm(rhythm)}", clock, rhythm))
    for note in notes(results):
        console.print(note.replace("\\", ""), style="dim", markup=False)
    console.print(f"The page is {folder / 'experiment.md'}, the chart {folder / CHART}.", markup=False)


@app.command("decomposition")
def decomposition(
    budget: Annotated[
        float, typer.Option("--budget", min=0.1, metavar="S", help="Seconds after which a search is given up.")
    ] = 60.0,
    depth: Annotated[int, typer.Option("--depth", min=1, max=18, metavar="N", help="The largest search depth.")] = 9,
    only: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="NAME", help=f"Only this game; may be repeated. Games: {', '.join(_PARTS)}."),
    ] = None,
    heaps: Annotated[
        int, typer.Option("--heaps", min=1, max=1000, metavar="N", help="The largest heap when measuring growth.")
    ] = 1000,
    folder: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Where the page and the plot go.")
    ] = Path("docs"),
    as_data: JsonOption = False,
) -> None:
    """Nim, Double-Tictactoe and Double-Crisscross2 solved by subgames and without, beside the paper's figures."""
    unknown = set(only or ()) - set(_PARTS)
    if unknown:
        raise GameError(f"the experiment has no game {', '.join(sorted(unknown))} (games: {', '.join(_PARTS)})")
    need_writable(folder)
    setup = parts_run.Setup(budget, depth, [size for size in parts_run.HEAPS if size <= heaps], only or _PARTS)
    results = parts_run.run_experiment(setup, _load_circuit, lambda text: errors.print(text, markup=False))
    write_file(folder / parts_page.PAGE, parts_page.markdown(results, setup, _machine()))
    write_file(folder / parts_page.PLOT, line_chart(results.depths))
    if as_data:
        print_json(parts_page.as_json(results))
        return
    for title, headings, rows in parts_page.tables(results):
        table = Table(title=title, title_justify="left", box=None, header_style="bold", pad_edge=False)
        for heading in headings:
            table.add_column(heading, justify="right")
        for row in rows:
            table.add_row(*row)
        console.print(table)
    for note in parts_page.notes(results):
        console.print(note, style="dim", markup=False)
    console.print(f"The page is {folder / parts_page.PAGE}, the plot {folder / parts_page.PLOT}.", markup=False)


def _load_circuit(name: str) -> CircuitRules:
    game = ludens.load(name, backend="circuit")
    assert isinstance(game, CircuitRules)
    return game


def _machine() -> str:
    return f"{host_description()}, {os.cpu_count()} processors, Python {platform.python_version()}"


def _run(setup: Setup) -> list[Measured]:
    if not errors.is_terminal:
        reported: set[str] = set()

        def report_once(text: str) -> None:
            beginning = text.partition(", turn")[0]
            if beginning not in reported:
                reported.add(beginning)
                errors.print(beginning, markup=False)

        return run_experiment(setup, report_once)
    with errors.status("") as status:
        return run_experiment(setup, status.update)


def _table(results: list[Measured], number: int, title: str, clock: float, rhythm: int) -> Table:
    table = Table(title=title, title_justify="left", box=None, header_style="bold", pad_edge=False)
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading in ("Player", "Paper") else "right")
    for game, rows in table_rows(results, number, clock, rhythm):
        table.add_row(game, style="bold")
        for row in rows:
            table.add_row(*row)
    return table
