"""``ludens bench``: the speed of random playouts."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from ludens.cli.backends.cold import cold_start
from ludens.cli.terminal.console import (
    Backend,
    BackendOption,
    GameArgument,
    JsonOption,
    console,
    print_json,
    printable,
)
from ludens.compiler.backends import on_first_backend
from ludens.compiler.benchmark import Benchmark, measure
from ludens.compiler.native.target import host_description
from ludens.games import library


def bench(
    game: GameArgument,
    backend: BackendOption = Backend.AUTO,
    seconds: Annotated[float, typer.Option("--seconds", min=0.01, metavar="S", help="How long to measure.")] = 3.0,
    threads: Annotated[int, typer.Option("--threads", min=1, metavar="T", help="Threads to use.")] = 1,
    cold: Annotated[
        bool, typer.Option("--cold", help="Print the timeline of a first start instead, in a process without caches.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure random playouts of a game: time to load, and states per second.

    With --cold, measure how soon a fresh process without caches reads the rules, has legal moves, plays
    out, is compiled, searches in machine code and reaches its full rate.
    """
    choice = library.find(game)
    if cold:
        _time_cold_start(game, max(seconds, 60.0), as_json=as_json)
        return
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


def _time_cold_start(name: str, seconds: float, *, as_json: bool) -> None:
    if not as_json:
        console.print(f"[bold]{printable(name)}[/bold], first start without caches, {host_description()}")
    steps = []
    for step in cold_start(name, seconds):
        steps.append(step)
        if not as_json:
            note = f"  {step.note}" if step.note else ""
            console.print(f"  {step.name:26}{step.seconds:8.2f} s{step.cpu_seconds:8.2f} CPU s{printable(note)}")
    if as_json:
        print_json({"game": name, "processor": host_description(), "steps": [asdict(step) for step in steps]})


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
