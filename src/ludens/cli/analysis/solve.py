"""``ludens solve``: the value of a position under perfect play."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from ludens.cli.terminal.console import (
    Backend,
    BackendOption,
    GameArgument,
    JsonOption,
    MovesOption,
    StateOption,
    console,
    errors,
    load_game,
    print_json,
    printable,
)
from ludens.cli.terminal.interrupt import INTERRUPTED, stop_on_interrupt
from ludens.core import State
from ludens.core.folders import need_writable
from ludens.games.positions import starting_state
from ludens.players.decomposition.solve_state import solve_state
from ludens.players.minimax.solve import DEFAULT_MEGABYTES, Solution, Watch
from ludens.players.table.build import build_table
from ludens.players.table.table import Table, Tally


def solve(
    game: GameArgument,
    state_file: StateOption = None,
    moves: MovesOption = None,
    budget: Annotated[
        float, typer.Option("--budget", min=0.01, max=86_400, metavar="S", help="Time limit in seconds.")
    ] = 60.0,
    memory: Annotated[
        int,
        typer.Option(
            "--memory",
            min=10,
            max=1_000_000,
            metavar="MB",
            help="Size of the transposition table, or limit of --table.",
        ),
    ] = DEFAULT_MEGABYTES,
    by_parts: Annotated[
        bool,
        typer.Option("--decompose/--no-decompose", help="Decompose the game first, and solve it by its subgames."),
    ] = True,
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume", metavar="FILE", help="Keep the proof in FILE, and go on where it stopped if FILE is there."
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            "--table",
            metavar="FILE",
            help="Solve all positions, and write their values and distances: `--player ROLE=table:FILE` plays by it.",
        ),
    ] = None,
    backend: BackendOption = Backend.AUTO,
    as_json: JsonOption = False,
) -> None:
    """Compute each role's goal under perfect play, from the initial position or another.

    If the budget runs out, or at Ctrl-C, the answer is not exact but has bounds. Nor is it exact if the rules leave a
    role without a move in a state that is not terminal: that state is reported.
    """
    loaded = load_game(game, backend, wait=True)
    state = starting_state(loaded, state_file, moves)
    if table is not None:
        _write_table(state, table, budget, memory, as_json)
        return
    if resume is not None:
        need_writable(resume.parent)
    with errors.status("Solving …") as status, stop_on_interrupt() as is_stopped:
        watch = Watch(
            lambda text: status.update(f"Solving: {printable(text)}"),
            lambda text: errors.print(printable(text), style="dim"),
            is_stopped,
        )
        found = solve_state(state, budget, memory, by_parts=by_parts, watch=watch, proof=resume)
    if as_json:
        print_json({"game": loaded.name} | found.as_json())
    else:
        _show(found)
    if is_stopped() and not found.exact:
        raise typer.Exit(INTERRUPTED)


def _show(found: Solution) -> None:
    for role, (low, high) in found.bounds.items():
        value = f"{low:g}" if found.exact else f"{low:g} to {high:g}"
        console.print(f"[bold]{printable(role)}[/bold]  {value}")
    for role, moves in found.best.items():
        console.print(f"best for {printable(role)}: {printable('  '.join(moves))}")
    if found.unplayable:
        console.print(f"The rules cannot be played to an end: {printable(found.unplayable)}.", style="yellow")
    truth = "exact" if found.exact else "not exact"
    figures = f"{found.nodes:,} nodes, {found.positions:,} positions, {found.seconds:.2f} s"
    console.print(f"{truth} ({printable(found.note)}); {figures}", style="dim")


def _write_table(state: State, path: Path, budget: float, memory: int, as_json: bool) -> None:
    """Solve all positions after a state, and write them to a file."""
    need_writable(path.parent)
    began = time.monotonic()
    with errors.status("Enumerating …") as status:
        table = build_table(state, budget, memory, lambda text: status.update(f"Enumerating: {text}"))
        status.update("Writing …")
        table.write(path)
    seconds = time.monotonic() - began
    if as_json:
        print_json(
            {"game": table.game}
            | _table_solution(state, table, seconds).as_json()
            | {"table": _as_json(table, state, path)}
        )
        return
    _show(_table_solution(state, table, seconds))
    for tally in table.tally():
        console.print(printable(_describe(table, tally)))
    errors.print(f"table: {printable(str(path))}, {path.stat().st_size:,} bytes", style="dim")


def _table_solution(state: State, table: Table, seconds: float) -> Solution:
    entry = table.entry(state)
    assert entry is not None, "the table has the position that it begins with"
    bounds = {role: (float(goal), float(goal)) for role, goal in zip(table.roles, entry.goals, strict=True)}
    length = "play never ends" if entry.distance is None else f"{entry.distance} moves to the end"
    note = f"all positions, {length}"
    return Solution(bounds, True, table.moves, len(table), seconds, table.keeping_moves(state), note)


def _as_json(table: Table, state: State, path: Path) -> dict[str, Any]:
    entry = table.entry(state)
    assert entry is not None, "the table has the position that it begins with"
    values = [
        {
            "goals": None if tally.goals is None else dict(zip(table.roles, tally.goals, strict=True)),
            "positions": tally.positions,
            "longest": tally.longest,
        }
        for tally in table.tally()
    ]
    return {"file": str(path), "bytes": path.stat().st_size, "distance": entry.distance, "values": values}


def _describe(table: Table, tally: Tally) -> str:
    if tally.goals is None:
        return f"play never ends  {tally.positions:,} positions"
    goals = ", ".join(f"{role} {goal}" for role, goal in zip(table.roles, tally.goals, strict=True))
    return f"{goals}  {tally.positions:,} positions, at most {tally.longest} moves to the end"
