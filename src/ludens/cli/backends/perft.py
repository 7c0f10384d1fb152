"""``ludens perft``: count the lines of play."""

from __future__ import annotations

import time
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
    load_game,
    print_json,
    printable,
)
from ludens.core import State
from ludens.core.perft import MidTurn, divide, perft
from ludens.games import library
from ludens.games.positions import starting_state
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.terms import functor


def perft_command(
    game: GameArgument,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, help="Plies to look ahead.")],
    state_file: StateOption = None,
    moves: MovesOption = None,
    by_move: Annotated[bool, typer.Option("--divide", help="Also count the lines after each first move.")] = False,
    backend: BackendOption = Backend.AUTO,
    as_json: JsonOption = False,
) -> None:
    """Count the lines of play of each length up to DEPTH.

    A ply is a joint move. Joint moves in which all can only wait are not counted as plies, nor are the further steps
    of one turn (the second jump of a capture in draughts).
    """
    loaded = load_game(game, backend, wait=True)
    start = starting_state(loaded, state_file, moves)
    mid_turn = _mid_turn(library.find(game).entry.card.mid_turn) if isinstance(loaded, GdlGame) else None
    counts = []
    began = time.monotonic()
    for plies in range(1, depth + 1):
        counts.append(perft(start, plies, mid_turn))
        if not as_json:
            console.print(f"{plies:>3}  {counts[-1]:>15,}  [dim]{time.monotonic() - began:8.2f} s[/dim]")
    seconds = time.monotonic() - began
    behind = divide(start, depth, mid_turn) if by_move and depth else {}
    if as_json:
        nodes = counts[-1] if counts else 1
        result = {"game": loaded.name, "depth": depth, "nodes": nodes, "counts": counts, "seconds": round(seconds, 3)}
        print_json(result | ({"divide": {" ".join(move): n for move, n in behind.items()}} if by_move else {}))
        return
    for move, count in behind.items():
        console.print(f"{count:>20,}  {printable(' '.join(move))}")


def _mid_turn(fluents: tuple[str, ...]) -> MidTurn | None:
    if not fluents:
        return None

    def is_mid_turn(state: State) -> bool:
        return isinstance(state, GdlState) and any(functor(fact) in fluents for fact in state.facts)

    return is_mid_turn
