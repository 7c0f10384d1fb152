"""What ``ludens train`` and ``ludens evolve`` share: options, progress and final output."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from ludens.cli.terminal.console import console, errors, print_json, printable
from ludens.cli.terminal.interrupt import INTERRUPTED
from ludens.core import Game
from ludens.players.learning.files import plain_name

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    _Step = TypeVar("_Step", bound=DataclassInstance)

MinutesOption = Annotated[
    float, typer.Option("--minutes", min=0.01, max=100_000, metavar="M", help="Wall time to learn.")
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Resume an earlier run with the same file.")]
StepsOption = Annotated[
    int | None,
    typer.Option("--steps", min=1, max=10**9, metavar="N", help="Stop after N steps, if that is earlier."),
]


def file_to_learn(named: Path | None, game: Game, kind: str, ending: str) -> Path:
    """The named file, or a default named after game and kind: ``connect_four-5-4.neural.pt``."""
    return named or Path(f"{plain_name(game.name)}.{kind}{ending}")


def run_steps(
    name: str,
    steps: Iterator[_Step],
    minutes: float,
    format_step: Callable[[_Step], Iterable[str]],
    save: Callable[[], None],
) -> tuple[list[dict[str, Any]], bool]:
    """Run the steps with a progress bar; return all steps as JSON values, and whether Ctrl-C ended the run."""
    rows: list[dict[str, Any]] = []
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    began, interrupted = time.monotonic(), False
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task(printable(name), total=minutes * 60)
        try:
            for step in steps:
                rows.append(asdict(step))
                progress.update(task, completed=time.monotonic() - began)
                errors.print("; ".join(format_step(step)), style="dim")
        except KeyboardInterrupt:
            interrupted = True
            errors.print("stopped; continue with --resume", style="yellow")
            save()
    return rows, interrupted


def print_outcome(
    rows: list[dict[str, Any]], out: Path, curve: Path, player: str, *, interrupted: bool, as_json: bool
) -> None:
    """Print the result, and how to play with it."""
    if as_json:
        print_json({"file": str(out), "curve": str(curve), "interrupted": interrupted, "steps": rows})
    elif out.exists():
        console.print(f"Play with it: --player ROLE={player}:{out}", markup=False)
        console.print(f"Curve: {curve}", style="dim", markup=False)
    if interrupted:
        raise typer.Exit(INTERRUPTED)
