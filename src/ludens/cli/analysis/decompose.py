"""``ludens decompose``: the independent subgames of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludens.analysis.bounded_report import bounded_report
from ludens.analysis.drawing import svg
from ludens.analysis.report import SECONDS, Report, ReportedPart, report
from ludens.analysis.subgames.parts import Composition, Kind
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
from ludens.core import GameError
from ludens.core.files import write_file
from ludens.games.positions import starting_state
from ludens.gdl.game import GdlGame, GdlState

SHOWN = 6
"""Names of one kind that are printed before the rest is only counted."""


MANNERS = {
    Composition.CHOICE: "by choice",
    Composition.PARALLEL: "in parallel",
    Composition.SERIAL: "in series",
    Composition.MIXED: "in a mixed way",
}


def decompose(
    game: GameArgument,
    state_file: StateOption = None,
    moves: MovesOption = None,
    picture: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the dependency graph into FILE.")
    ] = None,
    budget: Annotated[
        float, typer.Option("--budget", min=0.01, max=86_400, metavar="S", help="Time limit in seconds.")
    ] = SECONDS,
    backend: BackendOption = Backend.AUTO,
    as_json: JsonOption = False,
) -> None:
    """Decompose a game: print its subgames with their fluents, moves and local concepts, and what they share.

    From a later position (--moves, --state), what can no longer change is left out, so a board may have split.

    When the budget runs out, the game counts as whole, or what has been found is printed without the rest; a
    note says so.
    """
    loaded = load_game(game, backend)
    if not isinstance(loaded, GdlGame):
        raise GameError(f"{loaded.name} is not written in GDL; only rule sheets can be taken apart")
    state = None if state_file is None and not moves else starting_state(loaded, state_file, moves)
    assert state is None or isinstance(state, GdlState)
    found = bounded_report(loaded, budget, state) if backend is Backend.AUTO else report(loaded, budget, state)
    if picture is not None:
        write_file(picture, svg(found, loaded.name))
    if as_json:
        print_json({"game": loaded.name} | found.as_json())
        return
    _show(found, loaded.name)
    if picture is not None:
        console.print(f"The picture is {picture}.", style="dim", markup=False)


def _show(found: Report, name: str) -> None:
    count = found.subgames
    how = f", played together {MANNERS[found.composition]}" if count > 1 else ""
    console.print(f"[bold]{printable(name)}[/bold]: {count} subgame{'' if count == 1 else 's'}{how}")
    for place, part in enumerate(found.parts):
        console.print(f"[bold]{part.kind}[/bold]{_nature(part, place)}", highlight=False)
        for title, names in (("fluents", part.fluents), ("moves", part.moves), ("concepts", part.concepts)):
            if names:
                console.print(f"  {title}: {printable(_shorten(names))}", highlight=False)
        if part.kind is Kind.GAME and part.symmetric_moves:
            groups = [f"{moves[0]} and {len(moves) - 1} more" for moves in part.symmetric_moves]
            console.print(f"  symmetric: {printable(_shorten(tuple(groups)))}", highlight=False)
    for joint in found.joints:
        console.print(printable(f"joined by {joint.of}: {joint.text}"), highlight=False)
    for note in found.notes:
        console.print(printable(note), style="dim", highlight=False)


def _nature(part: ReportedPart, place: int) -> str:
    if part.kind is not Kind.GAME:
        return ""
    known = {True: ", impartial", False: ", not impartial", None: ""}[part.impartial]
    if part.value is not None:
        known += f", value {part.value}"
    return known if part.alike in {None, place} else f"{known}, the same as component {part.alike + 1} above"


def _shorten(names: tuple[str, ...]) -> str:
    rest = f"  … {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return "  ".join(names[:SHOWN]) + rest
