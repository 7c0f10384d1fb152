"""The names of squares: ``c2`` where rules have numbers for columns and rows, or numbers as on a draughts board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase

from ludens.drawing.hints import Hints
from ludens.gdl.board import Grid
from ludens.gdl.terms import Term
from ludens.gdl.write import kif

_SIGNS = {"right": 1, "left": -1, "up": 1, "down": -1}


class SquareNames:
    """The names of the squares of one board, the same at its edge, in text alternatives and in moves."""

    def __init__(self, grid: Grid, hints: Hints, *, is_lettered: bool) -> None:
        self._letters = _column_letters(grid) if is_lettered else {}
        self._numbers = _square_numbers(grid, hints)

    @property
    def are_numbers(self) -> bool:
        """True if each square has a number of its own."""
        return bool(self._numbers)

    def column(self, column: Term) -> str:
        """The name of a column."""
        return self._letters.get(column, kif(column))

    def square(self, square: Sequence[Term]) -> str:
        """The name of a square, given as board, column and row."""
        if number := self._numbers.get(tuple(square)):
            return number
        column, row = self.column(square[1]), kif(square[2])
        return f"{column}{row}" if column.isalpha() else f"{column} {row}"


def _column_letters(grid: Grid) -> Mapping[Term, str]:
    """Letters for columns if both coordinates are numbers."""
    are_numbers = all(kif(word).isdecimal() for word in (*grid.columns, *grid.rows))
    if not are_numbers or len(grid.columns) > len(ascii_lowercase):
        return {}
    return dict(zip(grid.columns, ascii_lowercase, strict=False))


def _square_numbers(grid: Grid, hints: Hints) -> Mapping[tuple[Term, ...], str]:
    """Numbers of squares if the card has the directions to count them in: first along a row, then by rows."""
    ways = hints.numbers.split()
    if len(ways) != 2 or not set(ways) <= set(_SIGNS) or len(grid.names) > 1:
        return {}
    dx, dy = _SIGNS[ways[0]], _SIGNS[ways[1]] * (-1 if hints.rows == "down" else 1)

    def place(square: tuple[Term, ...]) -> tuple[int, int]:
        return dy * grid.rows.index(square[2]), dx * grid.columns.index(square[1])

    return {square: str(n) for n, square in enumerate(sorted(grid.squares, key=place), start=1)}
