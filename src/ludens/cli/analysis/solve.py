"""``ludens solve``: the value of a position under perfect play."""

from __future__ import annotations

from typing import Annotated

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
from ludens.games.positions import starting_state
from ludens.players.decomposition.solve_state import solve_state
from ludens.players.minimax.solve import DEFAULT_MEGABYTES, Solution


def solve(
    game: GameArgument,
    state_file: StateOption = None,
    moves: MovesOption = None,
    budget: Annotated[
        float, typer.Option("--budget", min=0.01, max=86_400, metavar="S", help="Time limit in seconds.")
    ] = 60.0,
    memory: Annotated[
        int,
        typer.Option("--memory", min=10, max=1_000_000, metavar="MB", help="Size of the transposition table."),
    ] = DEFAULT_MEGABYTES,
    by_parts: Annotated[
        bool,
        typer.Option("--decompose/--no-decompose", help="Decompose the game first, and solve it by its subgames."),
    ] = True,
    backend: BackendOption = Backend.AUTO,
    as_json: JsonOption = False,
) -> None:
    """Compute each role's goal under perfect play, from the initial position or another.

    If the budget runs out, the answer is not exact but has bounds. Nor is it exact if the rules leave a
    role without a move in a state that is not terminal: that state is reported.
    """
    loaded = load_game(game, backend, wait=True)
    state = starting_state(loaded, state_file, moves)
    with errors.status("Solving …") as status:
        found = solve_state(
            state, budget, memory, by_parts=by_parts, progress=lambda text: status.update(f"Solving: {text}")
        )
    if as_json:
        print_json({"game": loaded.name} | found.as_json())
    else:
        _show(found)


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
