"""``ludens conform``: compare a backend with recorded playouts of an independent reasoner."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ludens.cli.terminal.console import Backend, BackendOption, JsonOption, console, print_json
from ludens.compiler.backends import make_game
from ludens.gdl.read import read_file
from ludens.gdl.traces import read_trace, replay


def conform(
    trace: Annotated[Path, typer.Argument(metavar="TRACE", help="Recorded playouts: JSON lines, perhaps gzipped.")],
    rules: Annotated[Path, typer.Argument(metavar="RULES", help="The rule sheet of the playouts.")],
    backend: BackendOption = Backend.REFERENCE,
    as_json: JsonOption = False,
) -> None:
    """Replay a trace and report the first difference. Exit code 0 only if everything agrees."""
    lines = read_trace(trace)
    game = make_game(read_file(rules), rules.stem, backend, wait=True)
    result = replay(game, lines)
    difference = result.first_difference
    if as_json:
        print_json(
            {
                "ok": result.ok,
                "states": result.states,
                "seconds": round(result.seconds, 3),
                "first_difference": asdict(difference) if difference else None,
                "backend": game.backend,
            }
        )
    elif difference is None:
        console.print(f"{rules.stem}: {result.states} states agree ({result.seconds:.2f} s)", style="green")
    else:
        console.print(f"{rules.stem}: {difference}", style="red", markup=False)
    if not result.ok:
        raise typer.Exit(1)
