"""``ludens query``: what holds in a position, for any relation of the rules and with unknowns."""

from __future__ import annotations

from typing import Annotated

import typer

import ludens
from ludens.cli.terminal.console import (
    GameArgument,
    JsonOption,
    MovesOption,
    StateOption,
    console,
    print_json,
    printable,
)
from ludens.core import GameError
from ludens.games.positions import starting_state
from ludens.gdl.game import GdlState
from ludens.gdl.query import ask
from ludens.gdl.read import detect_syntax
from ludens.gdl.write import infix, kif


def query(
    game: GameArgument,
    atom: Annotated[
        str,
        typer.Argument(
            metavar="QUERY", help="A relation or a fluent with unknowns: 'cell(1,X,Y)' or '(cell 1 ?x ?y)'."
        ),
    ],
    state_file: StateOption = None,
    moves: MovesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask a relation of the rules, or a fluent by its name, in the first position or one that moves lead to."""
    state = starting_state(ludens.load(game, backend="interpreter"), state_file, moves)
    if not isinstance(state, GdlState):
        raise GameError(f"{state.game.name} is not a GDL game, so it has no relations to query")
    found = ask(state, state.game.read(atom))
    write = infix if detect_syntax(atom) == "infix" else kif
    if as_json:
        names = [write(unknown) for unknown in found.unknowns]
        print_json([dict(zip(names, map(kif, row), strict=True)) for row in found.values])
        return
    for instance in found.instances():
        shown = instance[1] if isinstance(instance, tuple) and instance[0] == "true" else instance
        console.print(printable(write(shown)))
    if not found.values:
        console.print("[dim]nothing[/dim]")
