"""``ludens import``: copy rule sheets into the user's library."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludens.cli.terminal.console import JsonOption, console, print_json, printable
from ludens.core import GameError
from ludens.games.library import SHELF, user_folder
from ludens.games.repository import import_rule_sheets


def import_games(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A GGP game repository, or a folder of rule sheets.")],
    replace: Annotated[bool, typer.Option("--replace", help="Replace games that have the same name.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Copy the rule sheets of a folder into your own library, where 'ludens games' lists them."""
    if not folder.is_dir():
        raise GameError(f"{folder} is not a folder" if folder.exists() else f"there is no folder {folder}")
    try:
        shelf = {path.stem for path in SHELF.iterdir()}
        results = list(import_rule_sheets(folder, user_folder(), shelf, replace=replace))
    except OSError as error:
        raise GameError(f"cannot import from {folder}: {error}") from None
    if not results:
        raise GameError(f"found no rule sheets in {folder}")
    taken = [result for result in results if result.path]
    left_out = [result for result in results if not result.path]
    if as_json:
        print_json(
            {
                "library": str(user_folder()),
                "imported": [result.name for result in taken],
                "left_out": {result.name: result.reason for result in left_out},
            }
        )
    else:
        for result in left_out:
            console.print(f"skipped {printable(result.name)}: {printable(result.reason)}", style="yellow")
        sheets = "rule sheet" if len(taken) == 1 else "rule sheets"
        console.print(f"{len(taken)} {sheets} imported into {user_folder()}", markup=False)
    if not taken:
        raise typer.Exit(1)
