"""Shogi pieces: wedges that point at the enemy, with letters, red where promoted."""

from __future__ import annotations

from ludens.drawing.scenes.scene import Group, Polygon, Shape, Text

_WEDGE = ((0.0, -18.0), (11.0, -12.0), (15.0, 17.0), (-15.0, 17.0), (-11.0, -12.0))


def shogiman(letter: str, points_down: bool) -> tuple[Shape, ...]:
    """A piece by the letter of its diagram, ``+p`` for a promoted pawn."""
    promoted = letter.startswith("+")
    shapes = (
        Polygon(_WEDGE, "tile", "board-line", 1.3),
        Text(0, 4, letter.upper(), 15 if promoted else 18, "card-red" if promoted else "outline", bold=True),
    )
    return (Group(shapes, turn=180.0 if points_down else 0.0),)
