"""Generators of the usual boards, so that nobody lists positions and directions by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_uppercase
from typing import Any

from ludens.tabletop.errors import RuleError
from ludens.tabletop.material.equipment import Position

COMPASS = {"E": (1, 0), "N": (0, 1), "NE": (1, 1), "SE": (1, -1)}
"""The four lines through a square, and where one step leads."""
_BACK = {"W": "E", "S": "N", "SW": "NE", "NW": "SE"}
ALL_LINES = ("E", "N", "NE", "SE")
_HEX = {"E": (1, 0), "N": (0, 1), "NW": (-1, 1)}
_Cells = dict[tuple[int, int], Position]


def column_names(count: int) -> Sequence[str]:
    """Names of columns: letters; AA and so on after Z."""
    letters = ascii_uppercase
    return [letters[n] if n < 26 else letters[n // 26 - 1] + letters[n % 26] for n in range(count)]


def grid(
    columns: str | int | Sequence[str],
    rows: str | int | Sequence[str],
    directions: Iterable[str] = ALL_LINES,
    *,
    around: str = "",
    **attributes: Any,
) -> list[Position]:
    """A board of squares. Columns and rows are names or numbers; the first row is the lowest.

    ``directions`` are compass points; each gives a line with its way back (so E and W mean the same line, called E).
    ``around`` is ``"E"``, ``"N"`` or ``"EN"`` for boards whose edges meet: cylinders and the torus.
    """
    across, up = _names(columns, column_names), _names(rows, lambda count: [str(n + 1) for n in range(count)])
    cells: _Cells = {
        (x, y): Position(f"{column}{row}", (x, y), **attributes)
        for y, row in enumerate(up)
        for x, column in enumerate(across)
    }
    for direction in dict.fromkeys(_BACK.get(direction, direction) for direction in directions):
        if direction not in COMPASS:
            raise RuleError(f"directions of a grid are compass points such as E or NE, not {direction!r}")
        dx, dy = COMPASS[direction]
        for (x, y), cell in cells.items():
            to_x = (x + dx) % len(across) if "E" in around else x + dx
            to_y = (y + dy) % len(up) if "N" in around else y + dy
            if (target := cells.get((to_x, to_y))) is not None:
                cell.connect(direction, target)
    return list(cells.values())


def hexagons(columns: int, rows: int, **attributes: Any) -> list[Position]:
    """A rhombus of hexagons, as for Hex: the lines are E, N and NW."""
    cells: _Cells = {
        (x, y): Position(f"{column}{y + 1}", (x + y / 2, y * 0.866), **attributes)
        for y in range(rows)
        for x, column in enumerate(column_names(columns))
    }
    return _connect_hexagons(cells)


def hexagon(side: int, **attributes: Any) -> list[Position]:
    """A hexagonal board of hexagons with so many along each side."""
    reach = range(-side + 1, side)
    return _connect_hexagons(_axial([(x, y) for y in reach for x in reach if abs(x + y) < side], attributes))


def star(points: int = 4, **attributes: Any) -> list[Position]:
    """The six-pointed star of Chinese checkers; ``points`` is the length of a point, 4 for the usual 121 holes.

    Each position has an attribute ``point``: None in the middle, otherwise the number of its point, clockwise from the
    topmost.
    """

    def point_of(x: int, y: int) -> int | None:
        z = -x - y
        sides = ((y, 0), (x, 2), (z, 4), (-y, 3), (-x, 5), (-z, 1))
        return next((number for value, number in sides if value > points), None)

    def inside(x: int, y: int) -> bool:
        z = -x - y
        return max(x, y, z) <= points or min(x, y, z) >= -points

    reach = range(-2 * points, 2 * points + 1)
    cells = _axial([(x, y) for y in reach for x in reach if inside(x, y)], attributes)
    for (x, y), cell in cells.items():
        cell.attributes["point"] = point_of(x, y)
    return _connect_hexagons(cells)


def track(positions: int | Sequence[str], direction: str = "on", **attributes: Any) -> list[Position]:
    """A row of positions, each leading to the next."""
    return _row(positions, direction, attributes, is_ring=False)


def ring(positions: int | Sequence[str], direction: str = "on", **attributes: Any) -> list[Position]:
    """A track whose end meets its beginning."""
    return _row(positions, direction, attributes, is_ring=True)


def _row(positions: int | Sequence[str], direction: str, attributes: Any, is_ring: bool) -> list[Position]:
    names = [str(n + 1) for n in range(positions)] if isinstance(positions, int) else positions
    cells = [Position(label, (number, 0), **attributes) for number, label in enumerate(names)]
    for here, there in zip(cells, cells[1:] + cells[:1] if is_ring else cells[1:], strict=False):
        here.connect(direction, there)
    return list(cells)


def _names(given: str | int | Sequence[str], numbered: Any) -> Sequence[str]:
    names: Sequence[str] = numbered(given) if isinstance(given, int) else list(given)
    return names


def _axial(places: Sequence[tuple[int, int]], attributes: Any) -> _Cells:
    low_x, low_y = min(x for x, _ in places), min(y for _, y in places)
    letters = column_names(max(x for x, _ in places) - low_x + 1)
    return {
        (x, y): Position(f"{letters[x - low_x]}{y - low_y + 1}", (x + y / 2, y * 0.866), **attributes)
        for x, y in places
    }


def _connect_hexagons(cells: _Cells) -> list[Position]:
    for direction, (dx, dy) in _HEX.items():
        for (x, y), cell in cells.items():
            if (target := cells.get((x + dx, y + dy))) is not None:
                cell.connect(direction, target)
    return list(cells.values())
