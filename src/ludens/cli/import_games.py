"""``ludens import``: rule sheets of others into the user's own library."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from ludens.cli.console import JsonOption, console, print_json
from ludens.core import GameError
from ludens.games.library import user_folder
from ludens.games.repository import import_rule_sheets


def import_games(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A GGP game repository, or a folder of rule sheets.")],
    as_json: JsonOption = False,
) -> None:
    """Copy the rule sheets of a folder into your own library, where 'ludens games' lists them."""
    if not folder.is_dir():
        raise GameError(f"there is no folder {folder}")
    try:
        results = list(import_rule_sheets(folder, user_folder()))
    except OSError as error:
        raise GameError(f"cannot import from {folder}: {error}") from None
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
            console.print(f"left out {escape(result.name)}: {escape(result.reason)}", style="yellow")
        console.print(f"{len(taken)} rule sheets imported into {user_folder()}", markup=False)
    if not results:
        raise GameError(f"found no rule sheets in {folder}")
    if not taken:
        raise typer.Exit(1)
