"""Areas: the boards and card tables on which everything lies, by hand or from a generator."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any

from ludens.tabletop.errors import RuleError
from ludens.tabletop.material import boards
from ludens.tabletop.material.equipment import OWNER, PUBLIC, Equipment, Position

_LEAST_PIXELS = 5.0
"""Positions that are further apart have coordinates in pixels; generated boards have a distance of about 1."""
_MOST_PIXELS = 1000


class Area(Equipment):
    """A board or the places of a card table: a graph of positions with a picture.

    ``positions`` are names, Positions, or the paper's rows ``(name, coordinates, [(direction, name), …])``. Ownership
    and visibility given here hold for all positions that are named or given as rows.
    """

    __slots__ = ("_corner", "picture", "pixels_per_unit", "positions")

    def __init__(
        self,
        name: str,
        positions: Iterable[str | Position | Sequence[Any]] = (),
        *,
        picture: str | None = None,
        owner: str | None = None,
        visibility: str = PUBLIC,
        stack: bool = False,
        **attributes: Any,
    ) -> None:
        super().__init__(name, **attributes)
        self.picture = picture
        """A hint for drawing."""
        arcs: list[tuple[str, str, str]] = []
        found: dict[str, Position] = {}
        for given in positions:
            if isinstance(given, Position):
                position = given
            elif isinstance(given, str):
                position = Position(given, owner=owner, visibility=visibility, stack=stack)
            else:
                label, coordinates, directions = _row(name, given)
                position = Position(label, coordinates, owner=owner, visibility=visibility, stack=stack)
                arcs += [(label, direction, target) for direction, target in directions]
            if position.name in found:
                raise RuleError(f"area {name!r} has two positions called {position.name!r}")
            position.area = self
            found[position.name] = position
        for source, direction, target in arcs:
            if target not in found:
                raise RuleError(
                    f"area {name!r}: direction {direction!r} of {source} leads to {target!r}, not a position"
                )
            found[source].connect(direction, found[target])
        self.positions: tuple[Position, ...] = tuple(found.values())
        """Its positions, in order."""
        self.pixels_per_unit = _pixels_per_unit(self.positions)
        """If coordinates are pixels of a picture, as in the paper, the distance of neighbours; otherwise 0."""
        pixels = [position.coordinates for position in self.positions] if self.pixels_per_unit else [(0.0, 0.0)]
        self._corner = (min(one[0] for one in pixels), max(one[1] for one in pixels))

    @classmethod
    def grid(
        cls,
        name: str,
        columns: str | int | Sequence[str],
        rows: str | int | Sequence[str],
        directions: Iterable[str] = boards.ALL_LINES,
        *,
        around: str = "",
        picture: str | None = None,
        **attributes: Any,
    ) -> Area:
        """A board of squares (`boards.grid`)."""
        return cls(name, boards.grid(columns, rows, directions, around=around, **attributes), picture=picture)

    @classmethod
    def torus(cls, name: str, columns: str | int, rows: str | int, **attributes: Any) -> Area:
        """A board of squares whose edges meet."""
        return cls.grid(name, columns, rows, around="EN", **attributes)

    @classmethod
    def hexagons(cls, name: str, columns: int, rows: int, *, picture: str | None = None, **attributes: Any) -> Area:
        """A rhombus of hexagons (`boards.hexagons`)."""
        return cls(name, boards.hexagons(columns, rows, **attributes), picture=picture)

    @classmethod
    def hexagon(cls, name: str, side: int, *, picture: str | None = None, **attributes: Any) -> Area:
        """A hexagonal board of hexagons (`boards.hexagon`)."""
        return cls(name, boards.hexagon(side, **attributes), picture=picture)

    @classmethod
    def star(cls, name: str, points: int = 4, *, picture: str | None = None, **attributes: Any) -> Area:
        """The star of Chinese checkers (`boards.star`)."""
        return cls(name, boards.star(points, **attributes), picture=picture)

    @classmethod
    def track(cls, name: str, positions: int | Sequence[str], *, picture: str | None = None, **attributes: Any) -> Area:
        """A row of positions (`boards.track`)."""
        return cls(name, boards.track(positions, **attributes), picture=picture)

    @classmethod
    def ring(cls, name: str, positions: int | Sequence[str], *, picture: str | None = None, **attributes: Any) -> Area:
        """A closed track (`boards.ring`)."""
        return cls(name, boards.ring(positions, **attributes), picture=picture)

    @classmethod
    def hands(cls, name: str, players: Iterable[str], *, visibility: str = OWNER, **attributes: Any) -> Area:
        """A place for each player, which it owns: ``hand North``, ``hand East`` and so on."""
        positions = [
            Position(f"{name} {player}", owner=player, visibility=visibility, **attributes) for player in players
        ]
        return cls(name, positions)

    def in_plane(self, coordinates: Sequence[float]) -> tuple[float, float]:
        """Where coordinates lie in the plane in which neighbours are 1 apart and y grows upward. In pixels of a
        picture, it grows downward."""
        x, y = float(coordinates[0]), float(coordinates[1])
        if not self.pixels_per_unit:
            return x, y
        left, low = self._corner
        return _tidy((x - left) / self.pixels_per_unit), _tidy((low - y) / self.pixels_per_unit)

    def __getitem__(self, name: str) -> Position:
        for position in self.positions:
            if position.name == name:
                return position
        raise RuleError(f"area {self.name!r} has no position {name!r}")


def _pixels_per_unit(positions: Sequence[Position]) -> float:
    """The least distance of two positions, if it is so large that coordinates must be pixels; otherwise 0."""
    points = [position.coordinates for position in positions]
    if not 1 < len(points) <= _MOST_PIXELS or not all(len(point) == 2 for point in points):
        return 0.0
    least = min(math.dist(one, other) for one, other in itertools.combinations(points, 2))
    return least if least >= _LEAST_PIXELS else 0.0


def _tidy(number: float) -> float:
    return float(round(number)) if abs(number - round(number)) < 0.02 else number


def _row(area: str, row: Sequence[Any]) -> tuple[str, tuple[float, ...], Sequence[tuple[str, str]]]:
    try:
        label, coordinates, directions = row
        return str(label), tuple(coordinates), [(str(direction), str(target)) for direction, target in directions]
    except (TypeError, ValueError):
        form = "(name, coordinates, [(direction, name), …])"
        raise RuleError(f"area {area!r}: a position is a name, a Position or {form}, not {row!r}") from None
