"""``ludens why``: why a fact holds in a position, or which conditions fail."""

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
from ludens.cli.terminal.positions import starting_state
from ludens.core import GameError
from ludens.gdl.game import GdlState
from ludens.gdl.why import explain


def why(
    game: GameArgument,
    fact: Annotated[
        str, typer.Argument(metavar="FACT", help="A fact without unknowns: '(legal white (mark 1 1))' or 'terminal'.")
    ],
    state_file: StateOption = None,
    moves: MovesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Explain why a fact holds in a position, as a proof, or why not: the first condition of each rule that fails.

    The fact is a relation of the rules or a fluent. Lines count in the rule sheet. Exit code 0: it holds, 1: it does
    not, 2: it cannot be explained.
    """
    state = starting_state(ludens.load(game, backend="interpreter"), state_file, moves)
    if not isinstance(state, GdlState):
        raise GameError(f"{state.game.name} is not a GDL game, so its rules cannot be explained")
    reason = explain(state, state.game.read(fact))
    if as_json:
        print_json(reason.as_json())
    else:
        for line in reason.lines():
            console.print(printable(line), highlight=False, soft_wrap=True)
    if not reason.holds:
        raise typer.Exit(1)
