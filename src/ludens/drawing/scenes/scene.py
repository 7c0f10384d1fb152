"""The scene of a drawing: shapes in groups, from which SVG and pixels are made.

Lengths are in units of the drawing (a square of a board is 40), y grows downward. Colours are names of the palette, so
that a page's theme decides what they look like.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
READABLE = 9.0
"""The smallest readable font size, in pixels of a drawing at its natural size."""
_LETTER = 0.6
"""The width of a letter, as a part of the font size."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle, with round corners if it has a radius."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    """A colour of the palette; nothing is filled if it is empty."""
    stroke: str = ""
    """The colour of the outline; none if it is empty."""
    thick: float = 1.0
    """The width of the outline."""
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle around a point."""

    x: float
    y: float
    radius: float
    fill: str = ""
    stroke: str = ""
    thick: float = 1.0


@dataclass(frozen=True, slots=True)
class Polygon:
    """A polygon; with ``closed=False`` a line through its points."""

    points: tuple[Point, ...]
    fill: str = ""
    stroke: str = ""
    thick: float = 1.0
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Path:
    """A closed outline in SVG's notation, of which the absolute commands M, L, C, Q and Z are used."""

    commands: str
    fill: str = ""
    stroke: str = ""
    thick: float = 1.0


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; y is the middle of its capitals."""

    x: float
    y: float
    text: str
    size: float = 14.0
    fill: str = "ink"
    anchor: str = "middle"
    """``start``, ``middle`` or ``end``: which part of the text is at x."""
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Image:
    """A picture file as a data URL, fitted into a box."""

    x: float
    y: float
    width: float
    height: float
    href: str
    instead: tuple[Shape, ...]
    """What is drawn where pictures cannot be, as in films."""
    fits: bool = True
    """True if it keeps its proportions; otherwise it fills the box."""


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that belong together: moved, turned and scaled as one, and a place to click on if it is a spot."""

    shapes: tuple[Shape, ...]
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    turn: float = 0.0
    """Degrees, clockwise."""
    spot: str = ""
    """The id of a clickable place; empty if it is not clickable."""
    label: str = ""
    """A label for screen readers."""
    name: str = ""
    """A word for style sheets, such as ``piece``."""


Shape: TypeAlias = Rect | Circle | Polygon | Path | Text | Image | Group


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole drawing."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    label: str
    """A text alternative."""


def line(x: float, y: float, to_x: float, to_y: float, stroke: str, thick: float = 1.0) -> Polygon:
    """A straight line."""
    return Polygon(((x, y), (to_x, to_y)), "", stroke, thick, closed=False)


def fit_size(text: str, room: float, size: float) -> float:
    """The font size at which a text fits a width, at most ``size``; letters are about 0.6 of their size wide."""
    return round(min(size, room / (_LETTER * max(1, len(text)))), 2)


def fit_text(text: str, room: float, size: float, least: float = READABLE) -> tuple[str, float]:
    """A text and the size at which it fits a width: shortened if it would be smaller than ``least``."""
    short = text[: max(1, int(room / (_LETTER * least)))]
    return short, max(least, fit_size(short, room, size))


def readable(shapes: Iterable[Shape], scale: float, room: float) -> tuple[Shape, ...]:
    """Shapes that will be scaled, with text that is large enough then: words are shortened to a width, and of several
    small lines only the first is left."""
    least = round(READABLE / scale, 2) + 0.01
    kept: list[Shape] = []
    is_short = False
    for shape in shapes:
        if not isinstance(shape, Text) or shape.size >= least:
            kept.append(shape)
        elif not is_short:
            is_short = True
            text, size = fit_text(shape.text, room, shape.size, least)
            kept.append(replace(shape, text=text, size=size, y=0.0))
    return tuple(kept)
