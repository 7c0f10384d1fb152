"""``ludens draw GAME``: draw a position, or measure how readable the drawings of rules are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

import ludens
from ludens.cli.terminal.console import JsonOption, console, print_json, printable
from ludens.core import GameError, LudensError
from ludens.drawing import draw as draw_position
from ludens.drawing.score import DrawingScore, score_drawing

_SUFFIXES = (".kif", ".gdl", ".txt")
_COLUMNS = ("overlaps", "small", "hidden", "worded", "unclickable", "signs", "shared")


def draw(
    source: Annotated[
        str, typer.Argument(metavar="GAME", help="A game, a rule sheet, or with --score a folder of them.")
    ],
    score: Annotated[bool, typer.Option("--score", help="Count the faults of drawings instead of drawing.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print the drawing of the first position as SVG, or count the faults of a game's drawings.

    With --score, positions of a random playout are drawn. Counted are labels that overlap, text of less than 9 pixels,
    fluents that no drawing shows, facts shown only as words, and moves that cannot be made by clicking.
    """
    if not score:
        game = ludens.load(source)
        console.file.write(draw_position(game, game.initial_state()).svg + "\n")
        return
    folder = Path(source)
    files = sorted(file for file in folder.iterdir() if file.suffix in _SUFFIXES) if folder.is_dir() else [source]
    scores: dict[str, DrawingScore | str] = {}
    for file in files:
        name = file.name if isinstance(file, Path) else source
        try:
            scores[name] = score_drawing(ludens.load(file))
        except LudensError as error:
            scores[name] = str(error).partition("\n")[0]
    if as_json:
        print_json({name: one if isinstance(one, str) else one.as_json() for name, one in scores.items()})
    else:
        console.print(_table(scores))
    if not any(isinstance(one, DrawingScore) for one in scores.values()):
        raise GameError(f"{source}: nothing could be drawn")


def _table(scores: dict[str, DrawingScore | str]) -> Table:
    table = Table("game", *_COLUMNS, "of facts", "of moves", "good")
    for name, one in scores.items():
        if isinstance(one, str):
            table.add_row(printable(name), printable(one))
        else:
            cells = [str(getattr(one, column)) for column in _COLUMNS]
            table.add_row(printable(name), *cells, str(one.facts), str(one.moves), "yes" if one.is_good else "")
    good = [one for one in scores.values() if isinstance(one, DrawingScore)]
    if len(good) > 1:
        sums = [str(sum(getattr(one, column) for one in good)) for column in (*_COLUMNS, "facts", "moves")]
        table.add_row(f"all {len(good)}", *sums, str(sum(one.is_good for one in good)))
    return table
