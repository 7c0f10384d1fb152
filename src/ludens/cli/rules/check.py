"""``ludens check FILE``: find errors in a rule sheet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

import ludens
from ludens.cli.terminal.console import JsonOption, console, errors, print_json, printable
from ludens.core import LudensError
from ludens.games import library
from ludens.games.cards import read_card
from ludens.gdl.check import SimulationReport, check_rules, simulate
from ludens.gdl.check.recovery import all_problems
from ludens.gdl.interpreter.game import InterpretedGame
from ludens.gdl.read import read_file
from ludens.gdl.rules import RuleSheet
from ludens.gdl.source import GdlError, Level, Problem, Source
from ludens.testing import check_game

PYTHON_MATCHES = 10
"""Random matches by which rules in Python are checked if no number is given."""
PYTHON_CODE = "PY001"
"""The code of what is wrong with rules in Python."""


def check(
    rules: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A rule sheet in KIF or infix syntax, or rules in Python, with parameters as in page.py:4.",
        ),
    ],
    playouts: Annotated[
        int,
        typer.Option(
            "--simulate",
            min=0,
            metavar="N",
            help=f"Also play N random playouts and check every state; default for rules in Python: {PYTHON_MATCHES}.",
        ),
    ] = 0,
    as_json: JsonOption = False,
) -> None:
    """Check a rule sheet. Exit code 0: clean or only warnings, 1: errors, 2: the file cannot be read.

    Rules in Python are played at random instead, and everything is tested that players rely on.
    """
    file, parameters = library.split_path(rules)
    if file.suffix == ".py" and file.is_file():
        _check_python(file, parameters, playouts or PYTHON_MATCHES, as_json)
        return
    try:
        sheet = read_file(file)
    except GdlError as error:
        _report(all_problems(error), error.source, None, as_json)
        return
    problems = check_rules(sheet)
    report = None
    if playouts and not _errors(problems):
        report, failed = _simulate(sheet, file.stem, playouts)
        problems += failed if report is None else report.problems
    _report(problems, sheet.source, report, as_json)


def _check_python(file: Path, parameters: str, matches: int, as_json: bool) -> None:
    """Check rules in Python by random matches, and exit with code 1 if there are errors."""
    lines: list[str] = []
    problems: list[Problem] = []
    try:
        name = f"{file.resolve()}:{parameters}" if parameters else str(file.resolve())
        card = file.with_suffix(".toml")
        if card.is_file():
            read_card(card)
        check_game(ludens.load(name), matches=matches, report=lines.append)
    except LudensError as error:
        problems.append(Problem(PYTHON_CODE, Level.ERROR, str(error)))
    if as_json:
        print_json([problem.as_json(Source("", str(file))) for problem in problems])
    else:
        for text in lines:
            console.print(printable(text))
        for problem in problems:
            console.print(printable(f"{file}: error {problem.code}: {problem.message}"), style="red")
    if problems:
        raise typer.Exit(1)


def _simulate(sheet: RuleSheet, name: str, playouts: int) -> tuple[SimulationReport | None, list[Problem]]:
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("random playouts", total=playouts)
        try:
            game = InterpretedGame(sheet, name)
            return simulate(game, playouts, on_playout=lambda done: progress.update(task, completed=done)), []
        except GdlError as error:
            return None, list(error.problems)


def _errors(problems: list[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.level is Level.ERROR]


def _report(problems: list[Problem], source: Source, report: SimulationReport | None, as_json: bool) -> None:
    """Print the problems, and exit with code 1 if there are errors."""
    bad = len(_errors(problems))
    if as_json:
        print_json([problem.as_json(source) for problem in problems])
    else:
        _show(problems, source, report)
    if bad:
        raise typer.Exit(1)


def _show(problems: list[Problem], source: Source, report: SimulationReport | None) -> None:
    for problem in problems:
        colour = "red" if problem.level is Level.ERROR else "yellow"
        console.print(problem.render(source), style=colour, markup=False)
    if report is not None:
        goals = ", ".join(f"{role} {goal:.1f}" for role, goal in report.mean_goals.items())
        played = f"{report.finished} of {report.playouts} playouts finished, {report.states} states"
        console.print(f"{played}, mean length {report.mean_length:.1f}, mean goals: {goals}", markup=False)
    bad = len(_errors(problems))
    warnings = len(problems) - bad
    console.print(f"{source.name}: {_count(bad, 'error')}, {_count(warnings, 'warning')}", markup=False)


def _count(number: int, word: str) -> str:
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"
