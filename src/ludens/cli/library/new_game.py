"""``ludens new-game NAME``: write a commented template for a game in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludens.cli.terminal.console import JsonOption, console, print_json, printable
from ludens.tabletop.template import KINDS, new_game


def new_game_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The title of the game, such as 'Three in a row'.")],
    folder: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="The folder for the file.")] = Path(),
    kind: Annotated[
        str, typer.Option("--kind", metavar="KIND", help=f"What it begins as: {', '.join(KINDS)}.")
    ] = KINDS[0],
    as_json: JsonOption = False,
) -> None:
    """Write the rules of a small complete game in Python with its test, as a template for your own."""
    path = new_game(name, folder, kind)
    test = path.parent / "tests" / f"test_{path.name}"
    if as_json:
        print_json({"file": str(path), "test": str(test)})
        return
    shown = path if path.is_absolute() or len(path.parts) > 1 else f"./{path}"
    console.print(f"Wrote {printable(str(path))}. It can be played at once:")
    console.print(f"  ludens match {printable(str(shown))}", style="bold")
    console.print(f"Its test is {printable(str(test))}.")
