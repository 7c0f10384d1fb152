"""Heaps of stones, houses with seeds, and discs on pegs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ludens.drawing.looks.boards import place_label
from ludens.drawing.looks.frame import Drawn
from ludens.drawing.looks.pieces import draw_piece
from ludens.drawing.model import Board, Piece, Place
from ludens.drawing.palette import HIT
from ludens.drawing.scenes.scene import Circle, Group, Point, Rect, Shape, Text, fit_text

_STEP = 30.0
_HEAP = 64.0
_MOST_BESIDE = 10
"""The maximum number of heaps in a line."""
_PIT = 56.0
_MOST_SEEDS = 14
"""The maximum number of seeds drawn one by one."""


def draw_heaps(board: Board, last: frozenset[str]) -> Drawn:
    """Columns of things, each of which can be clicked, in lines of at most ten."""
    tallest = max([1, *(len(pieces) for pieces in board.contents.values())])
    columns = 1 + (tallest - 1) // 12
    height = min(tallest, 12) * _STEP + 34
    wide = max(_HEAP, columns * _STEP + 12)
    in_line = min(len(board.places), _MOST_BESIDE)
    shapes: list[Shape] = []
    for n, place in enumerate(board.places):
        inside = _heap(place, board.contents.get(place.spot, ()), (wide, height), last)
        shapes.append(Group(tuple(inside), n % in_line * wide, n // in_line * height))
    return Drawn(in_line * wide, -(-len(board.places) // in_line) * height, tuple(shapes))


def _heap(place: Place, pieces: Sequence[Piece], size: Point, last: frozenset[str]) -> list[Shape]:
    """One column on its ground, in a box."""
    wide, height = size
    columns = int((wide - 12) // _STEP) if wide > _HEAP else 1
    shapes: list[Shape] = [Rect(4, height - 30, wide - 8, 6, "brown", "outline", 0.8, 2)]
    if place.note == "ground":
        shapes.append(_free_ground(place, wide, height, last))
    elif place.note != "plain":
        count = f": {len(pieces)}"
        name, text_size = fit_text(place.name.split()[-1], wide - 7.0 * len(count), 13)
        shapes.append(Text(wide / 2, height - 12, name + count, text_size, "muted"))
    for number, piece in enumerate(pieces):
        x = wide / 2 + (number // 12 - (columns - 1) / 2) * _STEP
        y = height - 30 - (number % 12 + 0.5) * _STEP
        label = f"{piece.name} {number + 1} of {len(pieces)} on {place.name}" if place.name else piece.name
        shapes.append(_thing(piece, x, y, label, last))
    return shapes


def _free_ground(place: Place, wide: float, height: float, last: frozenset[str]) -> Group:
    """A place on which a new heap can begin."""
    hit = Rect(4, 0, wide - 8, height - 24, HIT, radius=4)
    name = Text(wide / 2, height - 12, *fit_text(place.name, wide - 4, 13), "muted")
    return Group((name, hit), spot=place.spot, label=place.name, name="place last" if place.spot in last else "place")


def _thing(piece: Piece, x: float, y: float, label: str, last: frozenset[str]) -> Group:
    name = "piece last" if piece.spot in last else "piece"
    hit = Rect(-_STEP / 2, -_STEP / 2, _STEP, _STEP, HIT, radius=4)
    return Group((Group(draw_piece(piece), scale=0.75), hit), x, y, spot=piece.spot, label=label, name=name)


def draw_pits(board: Board, turned: bool, last: frozenset[str]) -> Drawn:
    """Rows of houses, two of them between their stores; turned, the second role's are the lower ones."""
    left, right = min(place.x for place in board.places), max(place.x for place in board.places)
    rows = max(2.0, 1 - min(place.y for place in board.places))
    width, height = (right - left + 1) * _PIT + 16, rows * _PIT + 16
    shapes: list[Shape] = [Rect(0, 0, width, height, "wood", "board-line", 1.5, 24)]
    for place in board.places:
        x, y = 8 + (place.x - left + 0.5) * _PIT, 8 + (-place.y + 0.5) * _PIT
        x, y = (width - x, height - y) if turned else (x, y)
        shapes.append(_pit(place, board.contents.get(place.spot, ()), x, y, last))
    return Drawn(width, height, tuple(shapes))


def _pit(place: Place, seeds: tuple[Piece, ...], x: float, y: float, last: frozenset[str]) -> Group:
    is_store = place.note == "store"
    tall = _PIT if is_store else _PIT / 2 - 4
    radius = _PIT / 2 - 4
    hollow = Rect(-radius, -tall + (4 if is_store else 0), 2 * radius, 2 * tall - (8 if is_store else 0), "board-dark")
    rim = Rect(hollow.x, hollow.y, hollow.width, hollow.height, "board-dark", "board-line", 1, radius)
    hit = Rect(hollow.x, hollow.y, hollow.width, hollow.height, HIT, radius=radius)
    shapes: list[Shape] = [rim]
    for n in range(min(len(seeds), _MOST_SEEDS)):
        # Seeds lie along a spiral of equal steps, so that few are in the middle and many fill the house.
        away, angle = 5.2 * math.sqrt(n + 0.3), n * 2.4
        shapes.append(Circle(away * math.cos(angle), away * math.sin(angle), 4.2, "goal", "outline", 0.7))
    count = str(len(seeds))
    shapes += [Circle(0, tall - 8, 9, "panel", "outline", 0.8), Text(0, tall - 8, count, 12, "ink", bold=True), hit]
    name = "place last" if place.spot in last else "place"
    label = f"{place.name}, {len(seeds)} seeds"
    return Group(tuple(shapes), x, y, spot="" if is_store else place.spot, label=label, name=name)


def draw_pegs(board: Board, last: frozenset[str]) -> Drawn:
    """Discs on pegs."""
    most = max((int(piece.kind.partition("/")[2]) for pieces in board.contents.values() for piece in pieces), default=1)
    wide, high = 40.0 + 18 * min(most, 7), 16.0
    height = most * high + 50
    shapes: list[Shape] = []
    for n, place in enumerate(board.places):
        x = (n + 0.5) * wide
        pieces = board.contents.get(place.spot, ())
        inside: list[Shape] = [
            Rect(-4, -most * high - 16, 8, most * high + 16, "brown", "outline", 1, 3),
            Rect(-wide / 2 + 3, 0, wide - 6, 8, "brown", "outline", 1, 3),
            Text(0, 19, place.name.split()[-1], 13, "muted"),
        ]
        for level, piece in enumerate(pieces):
            size = 26 + (wide - 40) * int(piece.kind.partition("/")[0]) / most
            inside.append(Rect(-size / 2, -(level + 1) * high, size, high - 1, piece.colour, "outline", 1, 6))
            inside.append(Text(0, -(level + 0.5) * high, piece.name.split()[-1], 11, "on-piece"))
        inside.append(Rect(-wide / 2 + 3, -most * high - 18, wide - 6, most * high + 26, HIT, radius=4))
        name = "place last" if place.spot in last else "place"
        label = place_label(place, pieces)
        shapes.append(Group(tuple(inside), x, height - 30, spot=place.spot, label=label, name=name))
    return Drawn(len(board.places) * wide, height, tuple(shapes))
