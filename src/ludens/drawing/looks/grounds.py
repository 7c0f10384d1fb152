"""Grounds of boards: squares, lines, holes, hexagons."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from ludens.drawing.looks.frame import Frame, hexagon
from ludens.drawing.looks.names import place_names
from ludens.drawing.model import Board, Place
from ludens.drawing.palette import COLOURS
from ludens.drawing.scenes.scene import Circle, Polygon, Rect, Shape, Text, fit_size, line

Ground = Callable[[Board, Frame], list[Shape]]
_NOTES = dict.fromkeys(("forest", "wood", "tree", "grass"), "meadow")
_NOTES |= dict.fromkeys(("lake", "water", "sea", "river"), "water")
_NOTES |= dict.fromkeys(("hill", "mountain"), "hillside")
_NOTES |= dict.fromkeys(("sand", "desert"), "sandy")
_NOTES |= dict.fromkeys(("swamp", "ice"), "swampy")
_NOTES |= {"rock": "wall", "wall": "wall", "lava": "red"}
TERRAINS = frozenset(_NOTES)
"""Words for the ground of a place, rather than a thing on it."""
_NOTES |= {"goal": "goal", "gold": "goal", "town": "grey", "stations": "grey"}
_CRYSTALS = {"crystal": 1, "rich crystal": 3}
"""Grounds that are drawn as so many crystals."""
_STARS = {9: (2, 4, 6), 13: (3, 6, 9), 15: (3, 7, 11), 19: (3, 9, 15)}
"""Lines with star points, by the size of a board."""
_ALL_STARS = 19
"""The size from which the points in the middle of the sides are stars, too."""


def squares(light: str, dark: str = "", stroke: str = "board-line") -> Ground:
    """Squares of one colour, or of two by turns with the lower left one dark."""

    def ground(board: Board, frame: Frame) -> list[Shape]:
        shapes: list[Shape] = []
        present = {(place.x, place.y): place for place in board.places}
        places: list[tuple[float, float]] = list(present)
        if dark:  # rule sheets for draughts often have only the dark squares
            across = range(int(frame.left), int(frame.right) + 1)
            up = range(int(frame.bottom), int(frame.top) + 1)
            half = all(round(x + y - frame.left - frame.bottom) % 2 == 0 for x, y in present)
            places = [(float(x), float(y)) for x in across for y in up] if half else places
        for x, y in places:
            is_dark = dark and round(x + y - frame.left - frame.bottom) % 2 == 0
            place = present.get((x, y))
            colour = _NOTES.get(place.note, "") if place else ""
            shapes.append(_square(x, y, frame, colour or (dark if is_dark else light), stroke))
            if place:
                shapes += _crystals(_CRYSTALS.get(place.note, 0), *frame.at(x, y), frame.unit)
        return shapes

    return ground


def _crystals(count: int, x: float, y: float, unit: float) -> list[Shape]:
    """So many crystals along the lower edge of a square."""
    shapes: list[Shape] = []
    for n in range(count):
        at, low, wide = x + (n - (count - 1) / 2) * unit * 0.28, y + unit * 0.46, unit * 0.12
        points = ((at, low - unit * 0.42), (at + wide, low - unit * 0.2), (at, low), (at - wide, low - unit * 0.2))
        shapes.append(Polygon(points, "teal", "outline", 0.8))
    return shapes


def climbing_columns(board: Board, frame: Frame) -> list[Shape]:
    """Columns of squares; the top one has the column's number, and a column that a role has climbed its colour."""
    names = dict(board.columns)
    tops: dict[float, Place] = {}
    for place in board.places:
        if place.x not in tops or place.y > tops[place.x].y:
            tops[place.x] = place
    owners = {
        x: next((piece.colour for piece in board.contents.get(top.spot, ()) if piece.seat >= 0), "")
        for x, top in tops.items()
    }
    shapes: list[Shape] = []
    for place in board.places:
        is_top = tops[place.x] is place
        shapes.append(_square(place.x, place.y, frame, owners[place.x] or ("goal" if is_top else "panel"), "line"))
        if is_top:
            shapes.append(Text(*frame.at(place.x, place.y), names.get(place.x, ""), 13, "outline", bold=True))
    return shapes


def _square(x: float, y: float, frame: Frame, colour: str, stroke: str) -> Rect:
    at_x, at_y = frame.at(x, y)
    return Rect(at_x - frame.unit / 2, at_y - frame.unit / 2, frame.unit, frame.unit, colour, stroke, 0.8)


def with_frame(inner: Ground, colour: str) -> Ground:
    """A ground with a rim around it."""

    def ground(board: Board, frame: Frame) -> list[Shape]:
        x, y, width, height = frame.box
        rim = Rect(x - 5, y - 5, width + 10, height + 10, colour, "board-line", 1, 4)
        return [rim, *inner(board, frame)]

    return ground


def crossings(board: Board, frame: Frame) -> list[Shape]:
    """Lines whose crossings are the places, as for go."""
    x, y, width, height = frame.box
    shapes: list[Shape] = [Rect(x, y, width, height, "wood", "board-line", 1)]
    across = round(frame.right - frame.left)
    up = round(frame.top - frame.bottom)
    for n in range(across + 1):
        shapes.append(line(*frame.at(frame.left + n, frame.bottom), *frame.at(frame.left + n, frame.top), "board-line"))
    for n in range(up + 1):
        shapes.append(
            line(*frame.at(frame.left, frame.bottom + n), *frame.at(frame.right, frame.bottom + n), "board-line")
        )
    if across == up:
        stars = _STARS.get(across + 1, ())
        for a, b in itertools.product(stars, stars):
            if across + 1 >= _ALL_STARS or (2 * a == across) == (2 * b == across):
                shapes.append(Circle(*frame.at(frame.left + a, frame.bottom + b), 2.6, "board-line"))
    return shapes


def holes(board_colour: str, hole_colour: str, radius: float) -> Ground:
    """A board with holes."""

    def ground(board: Board, frame: Frame) -> list[Shape]:
        x, y, width, height = frame.box
        shapes: list[Shape] = [Rect(x - 3, y - 3, width + 6, height + 6, board_colour, "board-line", 1, 8)]
        for place in board.places:
            at = frame.at(place.x, place.y)
            shapes.append(Circle(*at, frame.unit * radius, hole_colour, "board-line", 0.8))
        return shapes

    return ground


def walls(board: Board, frame: Frame) -> list[Shape]:
    """Floor where there are places, bricks around them."""
    present = {(place.x, place.y) for place in board.places}
    shapes: list[Shape] = []
    for x in range(int(frame.left), int(frame.right) + 1):
        for y in range(int(frame.bottom), int(frame.top) + 1):
            floor = (x, y) in present
            shapes.append(_square(x, y, frame, "board-light" if floor else "wall", "line" if floor else "outline"))
    return shapes


def hexes(board: Board, frame: Frame) -> list[Shape]:
    """Hexagons, with edges in their owners' colours."""
    shapes: list[Shape] = []
    if board.edges:
        shapes += _hex_edges(board, frame)
    for place in board.places:
        x, y = frame.at(place.x, place.y)
        colour = _NOTES.get(place.note, "board-light")
        shapes.append(Polygon(hexagon(x, y, frame.unit), colour, "board-line", 1))
    return shapes


def _hex_edges(board: Board, frame: Frame) -> list[Shape]:
    """Larger hexagons in the edges' colours below those at the edges."""
    sides: tuple[Callable[[Place], bool], ...] = (
        lambda place: not any(other.y == place.y and other.x < place.x for other in board.places),
        lambda place: not any(other.y == place.y and other.x > place.x for other in board.places),
        lambda place: place.y == frame.bottom,
        lambda place: place.y == frame.top,
    )
    shapes: list[Shape] = []
    shifts = ((-0.14, 0.0), (0.14, 0.0), (0.0, -0.16), (0.0, 0.16))
    for colour, is_there, (dx, dy) in zip(board.edges, sides, shifts, strict=True):
        for place in filter(is_there, board.places) if colour else ():
            shapes.append(Polygon(hexagon(*frame.at(place.x + dx, place.y + dy), frame.unit), colour, colour, 1))
    return shapes


def graph_lines(board: Board, frame: Frame) -> list[Shape]:
    """Points, and lines between them."""
    where = {place.spot: frame.at(place.x, place.y) for place in board.places}
    shapes: list[Shape] = [line(*where[a], *where[b], "line", 2.5) for a, b in board.lines if a in where and b in where]
    shapes += [Circle(x, y, frame.unit * 0.16, "board-light", "board-line", 1) for x, y in where.values()]
    if board.is_named:
        shapes += place_names(board.places, where, frame.unit)
    return shapes


def thick_lines(board: Board, frame: Frame) -> list[Shape]:
    """The lines between blocks of squares."""
    shapes: list[Shape] = []
    x, y, width, height = frame.box
    for n in range(board.blocks, round(frame.right - frame.left) + 1, board.blocks):
        shapes.append(line(x + n * frame.unit, y, x + n * frame.unit, y + height, "outline", 3))
    for n in range(board.blocks, round(frame.top - frame.bottom) + 1, board.blocks):
        at = y + height - n * frame.unit
        shapes.append(line(x, at, x + width, at, "outline", 3))
    return shapes


def numbered_squares(board: Board, frame: Frame) -> list[Shape]:
    """Squares with their numbers in a corner."""
    shapes: list[Shape] = []
    for place in board.places:
        x, y = frame.at(place.x, place.y)
        shapes.append(_square(place.x, place.y, frame, "board-light", "board-line"))
        number = place.name.split()[-1]
        shapes.append(Text(x - frame.unit * 0.44, y - frame.unit * 0.36, number, 9, "on-board", "start"))
    return shapes


def ring(board: Board, frame: Frame) -> list[Shape]:
    """Squares of a ring with their names, and open corners for the places beside it."""
    shapes: list[Shape] = []
    for place in board.places:
        x, y = frame.at(place.x, place.y)
        if place.note.startswith("beside"):
            size = frame.unit * 0.9
            name, _, colour = place.note.removeprefix("beside ").rpartition(" ")
            edge = colour if colour in COLOURS else "line"
            shapes.append(Rect(x - size / 2, y - size / 2, size, size, "panel", edge, 2.5, 6))
            shapes.append(Text(x, y + size / 2 + 8, name, 11, "muted"))
        else:
            shapes.append(_square(place.x, place.y, frame, "board-light", "board-line"))
            colour = _NOTES.get(place.note, place.note)
            if colour in COLOURS:
                corner = frame.unit / 2 - 1
                shapes.append(Rect(x - corner, y - corner, 2 * corner, frame.unit * 0.16, colour))
            words = place.name.removeprefix("square ").split()
            for n, word in enumerate(words):
                size = fit_size(word, frame.unit - 4, 9.5)
                shapes.append(Text(x, y - frame.unit * (0.24 if place.note else 0.37) + 9 * n, word, size, "on-board"))
    return shapes
