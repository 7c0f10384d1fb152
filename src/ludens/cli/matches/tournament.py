"""``ludens tournament``: play or resume a tournament."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ludens.arena.execution.cluster import Cluster
from ludens.arena.execution.executors import Executor, Inline, Processes
from ludens.cli.matches.results import StoreOption, open_store, print_results, results_as_json, standings_table
from ludens.cli.terminal.console import JsonOption, QuietOption, console, errors, print_json, printable
from ludens.cli.terminal.extras import needs
from ludens.cli.terminal.interrupt import INTERRUPTED
from ludens.core import LudensError
from ludens.players import make_player
from ludens.players.distributed.link import LOCAL
from ludens.players.human import HumanPlayer

if TYPE_CHECKING:
    from ludens.arena.plan import TournamentPlan
    from ludens.arena.store import Store
    from ludens.arena.tournament import Progress as Standing
    from ludens.arena.tournament import Tournament

PROCESSES = "processes"


def tournament(
    plan: Annotated[Path, typer.Argument(metavar="SPEC.yaml", help="The plan of the tournament (docs/arena.md).")],
    store: StoreOption = None,
    parallel: Annotated[
        int | None,
        typer.Option(
            "--parallel",
            min=1,
            max=1_000,
            metavar="N",
            help="Matches at once; default: half the cores, or the whole cluster.",
        ),
    ] = None,
    executor: Annotated[
        str,
        typer.Option(
            "--executor",
            metavar="WHERE",
            help="processes; ray for Ray on this machine; ray:HOST:PORT or ray://HOST:PORT for a cluster.",
        ),
    ] = PROCESSES,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play a tournament. Every match is stored as it ends; running the command again resumes it."""
    with needs("arena"):
        from ludens.arena.plan import read_plan  # noqa: PLC0415 - an extra
        from ludens.arena.tournament import Tournament  # noqa: PLC0415
    chosen = read_plan(plan)
    for entry in chosen.players:  # reports wrong names and options before anything is played
        if isinstance(make_player(entry.player, files=True), HumanPlayer):
            raise LudensError("a person cannot play in a tournament; 'ludens match' and 'ludens web' are for people")
    opened = open_store(store, new=True)
    placed = _executor(executor, parallel)
    try:
        standing, failure = _run(Tournament(chosen, opened, placed), chosen.name, shown=not (quiet or as_json))
    except KeyboardInterrupt:
        errors.print("stopped; run the same command again to resume", style="yellow")
        raise typer.Exit(INTERRUPTED) from None
    finally:
        placed.close()
    if failure is not None and not standing.played:
        raise failure
    if as_json:
        print_json({"tournament": chosen.name, "verdict": standing.verdict, **results_as_json(standing.played)})
    else:
        _print_standing(standing, chosen, opened)
    if failure is not None:
        raise failure


def _print_standing(standing: Standing, chosen: TournamentPlan, opened: Store) -> None:
    print_results(standing.played)
    if standing.verdict is not None and chosen.sprt is not None:
        console.print(f"{printable(chosen.sprt.first)} against {printable(chosen.sprt.second)}: {standing.verdict}")
    console.print(f"Store: {opened.place}", style="dim", markup=False)


def _executor(place: str, parallel: int | None) -> Executor:
    """The executor for matches. Raises `LudensError` for an unknown place."""
    if place == PROCESSES:
        capacity = parallel or max(1, (os.cpu_count() or 2) // 2)
        return Inline() if capacity == 1 else Processes(capacity)
    kind, colon, address = place.partition(":")
    if kind != "ray" or (colon and not address):
        raise LudensError(
            f"there is no executor {place!r}; there are {PROCESSES}, ray, ray:HOST:PORT (on a machine of the cluster) "
            "and ray://HOST:PORT (from outside)"
        )
    return Cluster(place if address.startswith("//") else address or LOCAL, parallel)


def _run(tournament: Tournament, name: str, shown: bool) -> tuple[Standing, LudensError | None]:
    """Play a tournament; returns its final progress, and the error that stopped it, if any."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    progress = Progress(*columns, console=errors)
    task = progress.add_task(printable(name))
    standing: Standing | None = None

    def table() -> RenderableType:
        """Built when drawn, four times a second, not after each of many short matches."""
        return Group(standings_table(standing.played), progress) if standing and standing.played else progress

    visible = shown and errors.is_terminal
    with Live(get_renderable=table, console=errors, transient=True) if visible else nullcontext():
        try:
            for standing in tournament.run():
                progress.update(task, completed=len(standing.played), total=standing.planned)
        except LudensError as error:
            assert standing is not None, "a tournament reports progress before the first match"
            return standing, error
    assert standing is not None
    return standing, None
