"""Areas: the boards and card tables on which everything lies, by hand or from a generator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ludens.tabletop.errors import RuleError
from ludens.tabletop.material import boards
from ludens.tabletop.material.equipment import OWNER, PUBLIC, Equipment, Position


class Area(Equipment):
    """A board or the places of a card table: a graph of positions with a picture.

    ``positions`` are names, Positions, or the paper's rows ``(name, coordinates, [(direction, name), …])``. Ownership
    and visibility given here hold for all positions that are named or given as rows.
    """

    __slots__ = ("picture", "positions")

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

    def __getitem__(self, name: str) -> Position:
        for position in self.positions:
            if position.name == name:
                return position
        raise RuleError(f"area {self.name!r} has no position {name!r}")


def _row(area: str, row: Sequence[Any]) -> tuple[str, tuple[float, ...], Sequence[tuple[str, str]]]:
    try:
        label, coordinates, directions = row
        return str(label), tuple(coordinates), [(str(direction), str(target)) for direction, target in directions]
    except (TypeError, ValueError):
        form = "(name, coordinates, [(direction, name), …])"
        raise RuleError(f"area {area!r}: a position is a name, a Position or {form}, not {row!r}") from None
