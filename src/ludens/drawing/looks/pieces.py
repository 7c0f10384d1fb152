"""One piece on one place, in a box of 40 around its middle."""

from __future__ import annotations

from ludens.drawing.looks.chessmen import KINDS as CHESSMEN
from ludens.drawing.looks.chessmen import chessman
from ludens.drawing.model import Piece
from ludens.drawing.scene import Circle, Polygon, Rect, Shape, Text, fitted, line

BOX = 40.0
"""The side of the box that pieces are drawn in."""
_PALE = frozenset({"white", "yellow", "card", "tile", "light-on"})
"""Colours on which dark letters are read."""
_DISCS = frozenset({"man", "disc", "stone", "piece", "token", "checker", "peg", "pawn", "marble", "counter"})


def draw_piece(piece: Piece) -> tuple[Shape, ...]:
    """What a piece looks like."""
    colour = piece.colour or "panel"
    if piece.is_hidden:
        return back(colour if piece.colour else "card-back")
    if piece.kind in CHESSMEN and piece.colour in ("white", "black"):
        return chessman(piece.kind, colour, outline(colour))
    if piece.kind in ("x", "cross"):
        ink = piece.colour or "ink"
        return line(-11, -11, 11, 11, ink, 5), line(-11, 11, 11, -11, ink, 5)
    if piece.kind in ("o", "ring", "circle"):
        return (Circle(0, 0, 11.5, "", piece.colour or "ink", 5),)
    if piece.kind in _DISCS or not piece.kind:
        return disc(colour)
    if piece.kind == "king":
        return *disc(colour), *crown(colour)
    if piece.seat < 0 and not piece.colour:
        return (Text(0, 0, piece.kind, fitted(piece.kind, 36, 20), "ink", bold=True),)
    return *disc(colour), letters(piece.kind, colour)


def outline(colour: str) -> str:
    """The colour of the outline of a piece, seen on light and dark squares."""
    return "edge" if colour == "black" else "outline"


def on(colour: str) -> str:
    """The colour of letters on a piece."""
    return "outline" if colour in _PALE else "on-piece"


def disc(colour: str) -> tuple[Shape, ...]:
    """A draughtsman."""
    return Circle(0, 0, 15, colour, outline(colour), 1.3), Circle(0, 0, 11, "", outline(colour), 0.8)


def stone(colour: str) -> tuple[Shape, ...]:
    """A stone of go."""
    return (Circle(0, 0, 18.5, colour, outline(colour), 1),)


def crown(colour: str) -> tuple[Shape, ...]:
    """The sign of a king on a disc."""
    ink = on(colour)
    points = ((-8, 5), (-8, -5), (-4, 0), (0, -7), (4, 0), (8, -5), (8, 5))
    return (Polygon(points, ink, ink, 1),)


def letters(word: str, colour: str) -> Text:
    """A short word on a piece."""
    short = word if len(word) <= 3 else word[:1].upper() + word[1:2]
    return Text(0, 0, short, fitted(short, 22, 15), on(colour), bold=True)


def back(colour: str) -> tuple[Shape, ...]:
    """A piece of which only the back is seen."""
    return Rect(-14, -16, 28, 32, colour, "outline", 1.2, 3), Rect(-9, -11, 18, 22, "", on(colour), 1.2, 2)
