"""``ludens bench``: the speed of random playouts."""

from __future__ import annotations

from typing import Annotated

import typer

from ludens.cli.terminal.console import Backend, BackendOption, GameArgument, JsonOption, console, print_json
from ludens.compiler.backends import on_first_backend
from ludens.compiler.benchmark import Benchmark, measure
from ludens.compiler.native.target import host_description
from ludens.games import library


def bench(
    game: GameArgument,
    backend: BackendOption = Backend.AUTO,
    seconds: Annotated[float, typer.Option("--seconds", min=0.01, metavar="S", help="How long to measure.")] = 3.0,
    threads: Annotated[int, typer.Option("--threads", min=1, metavar="T", help="Threads to use.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Measure random playouts of a game: time to load, and states per second."""
    choice = library.find(game)
    sheet = choice.playable_sheet()

    def measure_on(chosen: str) -> Benchmark:
        return measure(sheet, chosen, seconds, threads)

    result = on_first_backend(choice.text, measure_on) if backend is Backend.AUTO else measure_on(backend)
    if as_json:
        print_json(_as_json(choice.text, result))
        return
    goals = ", ".join(f"{role} {goal:.2f}" for role, goal in result.mean_goals.items())
    console.print(f"[bold]{choice.text}[/bold] on {result.backend}, {result.threads} thread(s), {host_description()}")
    console.print(f"  first playout after  {result.setup_seconds:10.2f} s")
    console.print(f"  full speed after     {result.full_speed_seconds:10.2f} s")
    console.print(f"  states/s             {result.states_per_second:14,.0f}")
    console.print(f"  states/CPU s         {result.states_per_cpu_second:14,.0f}")
    console.print(f"  playouts/s           {result.playouts_per_second:14,.0f}")
    console.print(f"  mean length          {result.mean_length:10.2f}")
    console.print(f"  mean goals           {goals}")
    console.print(f"  operations a step    {result.gates:14,}")


def _as_json(name: str, result: Benchmark) -> dict[str, object]:
    return {
        "game": name,
        "backend": result.backend,
        "gates": result.gates,
        "threads": result.threads,
        "setup_seconds": round(result.setup_seconds, 4),
        "full_speed_seconds": round(result.full_speed_seconds, 4),
        "states_per_second": round(result.states_per_second),
        "states_per_cpu_second": round(result.states_per_cpu_second),
        "playouts_per_second": round(result.playouts_per_second, 2),
        "mean_length": round(result.mean_length, 3),
        "mean_goals": {role: round(goal, 3) for role, goal in result.mean_goals.items()},
    }
