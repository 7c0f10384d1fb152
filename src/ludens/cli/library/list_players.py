"""``ludens players``: list the players and their options."""

from __future__ import annotations

from ludens.cli.terminal.console import JsonOption, console, print_json, printable
from ludens.players import player_classes


def list_players(as_json: JsonOption = False) -> None:
    """List the players and their options."""
    kinds = player_classes()
    if as_json:
        print_json(
            [
                {
                    "name": name,
                    "description": kind.description,
                    "options": [option.as_json() for option in kind.options],
                }
                for name, kind in kinds.items()
            ]
        )
        return
    for name, kind in kinds.items():
        console.print(f"[bold]{name}[/bold]  {printable(kind.description)}")
        for option in kind.options:
            bounds = f" ({option.allowed})" if option.allowed else ""
            console.print(f"    {option.name}={option.default}  {printable(option.description + bounds)}")
    console.print("\nname a player with options as flat:playouts=100,depth=50", style="dim")
