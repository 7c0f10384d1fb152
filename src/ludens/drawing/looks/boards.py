"""Boards of squares, hexagons and points: the ground, the names at the edge, and the places with what lies on them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ludens.drawing.looks.pieces import BOX, draw_piece
from ludens.drawing.model import Board, Piece, Place
from ludens.drawing.palette import HIT
from ludens.drawing.scene import Circle, Group, Point, Polygon, Rect, Shape, Text, fitted, line

_MARGIN = 22.0
_MOST_FULL_SIZE = 10
"""Columns or rows up to which squares have their full size."""
_SMALLEST = 24.0


@dataclass(frozen=True, slots=True)
class Drawn:
    """Some shapes and the size of their box, whose corner is at 0 0."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the places of a board are on the drawing."""

    unit: float
    left: float
    top: float
    """The highest place, from which y is counted downward."""
    turned: bool
    right: float
    bottom: float

    @classmethod
    def of(cls, board: Board, turned: bool) -> Frame:
        """The frame of a board, turned around if the one who looks sits at its upper edge."""
        xs, ys = [place.x for place in board.places], [place.y for place in board.places]
        left, right, bottom, top = min(xs), max(xs), min(ys), max(ys)
        size = max(right - left, top - bottom) + 1
        unit = BOX if size <= _MOST_FULL_SIZE else max(_SMALLEST, BOX * _MOST_FULL_SIZE / size)
        return cls(unit, left, top, turned, right, bottom)

    def at(self, x: float, y: float) -> Point:
        """The middle of a place."""
        if self.turned:
            x, y = self.left + self.right - x, self.top + self.bottom - y
        return _MARGIN + (x - self.left + 0.5) * self.unit, 6 + (self.top - y + 0.5) * self.unit

    @property
    def size(self) -> Point:
        """Width and height of the whole, names at the edge included."""
        across, up = self.right - self.left + 1, self.top - self.bottom + 1
        return _MARGIN + across * self.unit + 8, 6 + up * self.unit + _MARGIN


def draw_board(board: Board, look: str, turned: bool, last: frozenset[str]) -> Drawn:
    """A board and all on it; ``last`` are the spots of the last move."""
    frame = Frame.of(board, turned)
    shapes: list[Shape] = [*_ground(board, frame, look), *_edge_names(board, frame)]
    shapes += [_place(board, place, frame, last) for place in board.places]
    shapes += _columns(board, frame, last)
    width, height = frame.size
    return Drawn(width, height, tuple(shapes))


def _ground(board: Board, frame: Frame, look: str) -> list[Shape]:
    if board.shape == "points":
        return _joined(board, frame)
    return [_cell(place, frame, board.shape, _cell_colour(place, look)) for place in board.places]


def _cell_colour(place: Place, look: str) -> str:
    if look == "checkered":
        return "board-dark" if round(place.x + place.y) % 2 == 0 else "board-light"
    return "board-light"


def _cell(place: Place, frame: Frame, shape: str, colour: str, stroke: str = "board-line") -> Shape:
    x, y = frame.at(place.x, place.y)
    unit = frame.unit
    if shape == "hexes":
        return Polygon(hexagon(x, y, unit), colour, stroke, 1)
    return Rect(x - unit / 2, y - unit / 2, unit, unit, colour, stroke, 0.8)


def hexagon(x: float, y: float, unit: float) -> tuple[Point, ...]:
    """The corners of a hexagon that stands on one of them, so wide as a unit."""
    radius = unit / math.sqrt(3)
    angles = [math.radians(60 * n + 30) for n in range(6)]
    return tuple((x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles)


def _joined(board: Board, frame: Frame) -> list[Shape]:
    """Lines between points."""
    where = {place.spot: frame.at(place.x, place.y) for place in board.places}
    shapes: list[Shape] = [line(*where[a], *where[b], "line", 2) for a, b in board.lines]
    return shapes + [Circle(x, y, frame.unit * 0.16, "board-light", "board-line", 1) for x, y in where.values()]


def _edge_names(board: Board, frame: Frame) -> list[Shape]:
    shapes: list[Shape] = []
    _, height = frame.size
    for x, name in board.columns:
        at, _ = frame.at(x, frame.bottom)
        shapes.append(Text(at, height - _MARGIN / 2, name, fitted(name, frame.unit, 12), "muted"))
    for y, name in board.rows:
        _, at = frame.at(frame.left, y)
        shapes.append(Text(_MARGIN / 2, at, name, fitted(name, _MARGIN - 3, 12), "muted"))
    return shapes


def _place(board: Board, place: Place, frame: Frame, last: frozenset[str]) -> Group:
    x, y = frame.at(place.x, place.y)
    pieces = board.contents.get(place.spot, ())
    names = " and ".join(piece.name for piece in pieces)
    label = f"{names} on {place.name}" if pieces else f"{place.name}, empty"
    name = "place last" if place.spot in last or place.spot in board.marked else "place"
    inside: list[Shape] = [_hit(board.shape, frame.unit), *stacked(pieces, frame.unit)]
    if place.spot in board.unsure and not pieces:
        inside.append(Text(0, 0, "?", frame.unit * 0.45, "muted"))
    return Group(tuple(inside), x, y, spot="" if board.drops else place.spot, label=label, name=name)


def _hit(shape: str, unit: float) -> Shape:
    if shape == "hexes":
        return Polygon(hexagon(0, 0, unit - 2), HIT)
    if shape == "points":
        return Circle(0, 0, unit * 0.46, HIT)
    return Rect(1 - unit / 2, 1 - unit / 2, unit - 2, unit - 2, HIT)


def stacked(pieces: tuple[Piece, ...], unit: float) -> list[Shape]:
    """The pieces on a place: the topmost, and how many there are if several are alike; different ones beside each
    other."""
    if not pieces:
        return []
    if len({(piece.kind, piece.colour, piece.is_hidden) for piece in pieces}) == 1:
        shapes: list[Shape] = [Group(draw_piece(pieces[-1]), scale=unit / BOX, name="piece")]
        if len(pieces) > 1:
            count = str(len(pieces))
            shapes += [
                Circle(unit * 0.32, unit * 0.32, unit * 0.17, "panel", "ink", 0.8),
                Text(unit * 0.32, unit * 0.32, count, fitted(count, unit * 0.28, unit * 0.26)),
            ]
        return shapes
    shown = pieces[-4:]
    step = unit / len(shown)
    return [
        Group(draw_piece(piece), (n + 0.5) * step - unit / 2, 0, scale=step / BOX, name="piece")
        for n, piece in enumerate(shown)
    ]


def _columns(board: Board, frame: Frame, last: frozenset[str]) -> list[Shape]:
    """Columns that are clicked as a whole, over everything else."""
    shapes: list[Shape] = []
    height = (frame.top - frame.bottom + 1) * frame.unit
    for x, name in board.columns:
        spot = board.drops.get(name)
        if spot is not None:
            at, _ = frame.at(x, frame.top)
            hit = Rect(1 - frame.unit / 2, 0, frame.unit - 2, height, HIT, radius=4)
            shapes.append(Group((hit,), at, 6, spot=spot, label=f"column {name}", name="column"))
    return shapes
