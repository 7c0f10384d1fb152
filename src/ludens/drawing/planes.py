"""Boards as planes, for convolutional networks: which fluent is where on the board that the drawing infers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.core import Game, GameError
from ludens.core.batch_game import BatchGame
from ludens.drawing.fluents.grid import GridPart
from ludens.drawing.fluents.reader import GdlReader
from ludens.drawing.readers import reader_of
from ludens.gdl.read import read_term
from ludens.gdl.terms import arguments, signature
from ludens.gdl.write import kif


@dataclass(frozen=True, slots=True, eq=False)
class Planes:
    """The fluents of a game as pictures of its board."""

    fluents: NDArray[np.int64]
    """The number of the fluent at each place, -1 for none (planes, rows, columns); row 0 is the top of the board."""
    names: tuple[str, ...]
    """What each plane shows: what is on the squares, or a fluent that is not about a square and fills its plane."""


def find_planes(game: Game, *, others: bool = True) -> Planes:
    """The planes of the largest board of a compiled game: one for everything that can be on a square, and, with
    ``others``, one for each fluent that may change and is not about a square of it. Raises `GameError` if the drawing
    finds no board."""
    compiled = game.compiled()
    reader = reader_of(game)
    parts = reader.parts if isinstance(reader, GdlReader) else ()
    boards = [part for part in parts if isinstance(part, GridPart)]
    if not boards or not isinstance(compiled, BatchGame):
        raise GameError(f"{game.name} has no board that the drawing finds; observe its fluents instead")
    board = max(boards, key=lambda part: len(part.grid.squares))
    return _planes(compiled, board, others)


def _planes(game: BatchGame, board: GridPart, others: bool) -> Planes:
    grid = board.grid
    height, width = len(grid.rows), len(grid.columns)
    on_board: dict[str, NDArray[np.int64]] = {}
    whole: dict[str, NDArray[np.int64]] = {}
    for number, text in enumerate(game.fluent_texts):
        fact = board.plain(read_term(text))
        if signature(fact) == grid.fluent and grid.square(fact) in grid.squares:
            name, column, row = grid.square(fact)
            place = height - 1 - grid.rows.index(row), grid.columns.index(column)
            content = " ".join(kif(arguments(fact)[n]) for n in grid.content)
            title = f"{kif(name)}: {content}" if len(grid.names) > 1 else content
            on_board.setdefault(title, np.full((height, width), -1))[place] = number
        elif others and game.changing_fluents[number]:
            whole[text] = np.full((height, width), number)
    named = {**dict(sorted(on_board.items())), **whole}
    return Planes(np.stack(list(named.values())), tuple(named))
