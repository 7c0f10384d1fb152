"""Maps the places of a board to points of the drawing."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ludens.drawing.looks.pieces import BOX
from ludens.drawing.model import Board
from ludens.drawing.scenes.scene import Point, Shape

MARGIN = 22.0
"""Room for names at the left and below."""
_TOP = 6.0
_MOST_FULL_SIZE = 10
"""The maximum number of columns or rows with squares of full size."""
_SMALLEST = 24.0
_LARGEST = 60.0
_FULL_SIDE = 320.0
"""The maximum side of squares of small boards, in proportion to the text beside them."""
_NAMED_RING = 58.0
"""The size of squares that have names on them."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Some shapes and the size of their box, whose corner is at 0 0."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """Maps coordinates of a board to points of the drawing."""

    unit: float
    """The side of a square."""
    left: float
    right: float
    bottom: float
    top: float
    turned: bool
    """True if the board is seen from its upper edge."""
    margin: float = MARGIN

    @classmethod
    def of(cls, board: Board, turned: bool) -> Frame:
        """The frame of a board."""
        xs, ys = [place.x for place in board.places], [place.y for place in board.places]
        size = max(max(xs) - min(xs), max(ys) - min(ys)) + 1
        full = (
            _NAMED_RING if board.look == "ring" and len(max(board.places, key=lambda p: len(p.name)).name) > 9 else BOX
        )
        full = max(full, min(_LARGEST, _FULL_SIDE / size))
        unit = full if size <= _MOST_FULL_SIZE else max(_SMALLEST, BOX * _MOST_FULL_SIZE / size)
        margin = MARGIN if board.columns or board.rows else _TOP
        return cls(unit, min(xs), max(xs), min(ys), max(ys), turned, margin)

    def at(self, x: float, y: float) -> Point:
        """The point of a place."""
        if self.turned:
            x, y = self.left + self.right - x, self.top + self.bottom - y
        return self.margin + (x - self.left + 0.5) * self.unit, _TOP + (self.top - y + 0.5) * self.unit

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Corner, width and height of all squares."""
        across, up = self.right - self.left + 1, self.top - self.bottom + 1
        return self.margin, _TOP, across * self.unit, up * self.unit

    @property
    def size(self) -> Point:
        """Width and height of the whole, names at the edge included."""
        _, _, width, height = self.box
        return self.margin + width + 8, _TOP + height + self.margin


def hexagon(x: float, y: float, unit: float) -> tuple[Point, ...]:
    """The corners of a hexagon with a corner at the bottom, one unit wide."""
    radius = unit / math.sqrt(3)
    angles = [math.radians(60 * n + 30) for n in range(6)]
    return tuple((x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles)
