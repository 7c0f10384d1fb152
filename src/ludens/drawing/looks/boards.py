"""Boards: the ground, the names at the edge, and the places with their contents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ludens.drawing.looks import grounds
from ludens.drawing.looks.chessmen import KINDS as CHESSMEN
from ludens.drawing.looks.frame import MARGIN, Drawn, Frame, hexagon
from ludens.drawing.looks.names import short_names
from ludens.drawing.looks.pieces import BOX, draw_chessman, draw_piece, on, stone
from ludens.drawing.model import Board, Body, Piece, Place, Wall
from ludens.drawing.palette import HIT
from ludens.drawing.scenes.scene import (
    Circle,
    Group,
    Image,
    Polygon,
    Rect,
    Shape,
    Text,
    fit_size,
    fit_text,
    line,
    readable,
)

_WALL_HIT = 16.0
"""The width of the clickable area of a wall."""
Painter = Callable[[Piece], tuple[Shape, ...]]


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a board and its pieces."""

    ground: grounds.Ground
    discs: Painter | None = None
    """The look of pieces without their own shape, if not draughtsmen."""
    has_names: bool = True
    """Whether columns and rows are named at the edge."""


_PLAIN = Look(grounds.squares("board-light"))
_BY_SHAPE = {"hexes": Look(grounds.hexes, stone), "points": Look(grounds.graph_lines)}
LOOKS = {
    "chess": Look(grounds.squares("board-light", "board-dark")),
    "checkers": Look(grounds.squares("board-light", "board-dark")),
    "go": Look(grounds.crossings, stone),
    "othello": Look(grounds.squares("felt", stroke="felt-line"), stone),
    "connect_four": Look(grounds.holes("grid-blue", "hole", 0.43), stone),
    "solitaire": Look(grounds.holes("wood", "hole", 0.3)),
    "marbles": Look(grounds.holes("wood", "hole", 0.4), stone),
    "star": Look(grounds.holes("panel", "hole", 0.36), stone, has_names=False),
    "paper": Look(grounds.squares("card", stroke="line")),
    "shogi": Look(grounds.squares("wood")),
    "warehouse": Look(grounds.with_frame(grounds.walls, "wall"), has_names=False),
    "floor": Look(grounds.with_frame(grounds.squares("panel", stroke="line"), "grey")),
    "dark": Look(grounds.with_frame(grounds.squares("night", stroke="night-line"), "night")),
    "track": Look(grounds.squares("board-light")),
    "bar": Look(grounds.squares("panel", stroke="panel"), has_names=False),
    "race": Look(grounds.numbered_squares, has_names=False),
    "ring": Look(grounds.ring, has_names=False),
    "columns": Look(grounds.climbing_columns, stone),
    "traffic": Look(grounds.with_frame(grounds.squares("panel", stroke="line"), "grey"), has_names=False),
    "cube": Look(grounds.squares("panel", stroke="panel"), has_names=False),
}
"""Looks by the names used on cards."""


def draw_board(board: Board, turned: bool, last: frozenset[str]) -> Drawn:
    """Draw a board with its pieces; ``last`` are the spots of the last move."""
    frame = Frame.of(board, turned)
    look = LOOKS.get(board.look) or _BY_SHAPE.get(board.shape, _PLAIN)
    shapes: list[Shape] = look.ground(board, frame)
    if board.image:
        shapes = [_board_image(board, frame, tuple(shapes))]
    if look.has_names:
        shapes += _edge_names(board, frame)
    shapes += [_place(board, place, frame, look, last) for place in board.places]
    if board.blocks:
        shapes += grounds.thick_lines(board, frame)
    shapes += [_body(body, frame, last) for body in board.bodies]
    shapes += [_wall(wall, frame, last) for wall in board.walls]
    shapes += _dots(board, frame)
    shapes += _columns(board, frame, last)
    width, height = frame.size
    return add_title(board.title, Drawn(width, height, tuple(shapes)))


def _board_image(board: Board, frame: Frame, instead: tuple[Shape, ...]) -> Image:
    left, low, right, high = board.image_box
    (x, y), (to_x, to_y) = frame.at(left, low), frame.at(right, high)
    return Image(min(x, to_x), min(y, to_y), abs(to_x - x), abs(to_y - y), board.image, instead, fits=False)


def add_title(title: str, drawn: Drawn) -> Drawn:
    """Add a title above a drawing."""
    if not title:
        return drawn
    shapes = (Text(4, 9, title, 13, "muted", "start"), Group(drawn.shapes, 0, 18))
    return Drawn(max(drawn.width, len(title) * 7.6), drawn.height + 18, shapes)


def _edge_names(board: Board, frame: Frame) -> list[Shape]:
    shapes: list[Shape] = []
    _, height = frame.size
    for (x, _), name in zip(board.columns, _edge_words(board.columns), strict=True):
        at, _ = frame.at(x, frame.bottom)
        shapes.append(Text(at, height - MARGIN / 2, *fit_text(name, frame.unit, 12), "muted"))
    for (y, _), name in zip(board.rows, _edge_words(board.rows), strict=True):
        _, at = frame.at(frame.left, y)
        shapes.append(Text(MARGIN / 2 - 2, at, *fit_text(name, MARGIN - 1, 12), "muted"))
    return shapes


def _edge_words(names: Sequence[tuple[float, str]]) -> list[str]:
    return short_names([name for _, name in names]) if names else []


def _place(board: Board, place: Place, frame: Frame, look: Look, last: frozenset[str]) -> Group:
    x, y = frame.at(place.x, place.y)
    pieces = board.contents.get(place.spot, ())
    name = "place last" if place.spot in last or place.spot in board.marked else "place"
    standing = draw_stack(pieces, frame, look)
    if board.look == "ring" and not place.note.startswith("beside"):  # below the square's name
        standing = [Group(tuple(standing), 0, frame.unit * 0.16, scale=0.74)] if standing else []
    inside: list[Shape] = [_hit(board.shape, frame.unit), *standing]
    if colour := board.flags.get(place.spot):
        corner = frame.unit * 0.46
        inside.append(
            Polygon(((-corner, -corner), (-corner / 3, -corner), (-corner, -corner / 3)), colour, "outline", 0.6)
        )
    if place.spot in last and pieces and (look.discs is stone or board.shape == "points"):
        inside.append(Circle(0, 0, frame.unit * 0.15, "", "accent", 2.5))
    if board.is_named and board.shape == "squares":
        side = frame.unit
        inside.append(Text(-0.46 * side, -0.36 * side, place.name, max(9.0, 0.22 * side), "board-light", "start"))
    if place.spot in board.unsure and not pieces:
        inside.append(Text(0, 0, "?", frame.unit * 0.45, "muted"))
    spot = "" if board.drops and not board.drops_at_edge else place.spot
    return Group(tuple(inside), x, y, spot=spot, label=place_label(place, pieces), name=name)


def place_label(place: Place, pieces: tuple[Piece, ...]) -> str:
    """A text alternative for a place."""
    note = f", {place.note}" if place.note else ""
    if not pieces:
        return f"{place.name}{note}, empty"
    counts: dict[str, int] = {}
    for piece in pieces:
        counts[piece.name] = counts.get(piece.name, 0) + 1
    names = " and ".join(f"{count} {name}" if count > 1 else name for name, count in counts.items())
    return f"{names} on {place.name}{note}"


def _hit(shape: str, unit: float) -> Shape:
    if shape == "hexes":
        return Polygon(hexagon(0, 0, unit - 2), HIT)
    if shape == "points":
        return Circle(0, 0, unit * 0.46, HIT)
    return Rect(1 - unit / 2, 1 - unit / 2, unit - 2, unit - 2, HIT)


def draw_stack(pieces: tuple[Piece, ...], frame: Frame, look: Look) -> list[Shape]:
    """Draw the pieces on a place: the topmost, with a count if several are equal; different ones beside each
    other."""
    if not pieces:
        return []
    unit = frame.unit
    if len({(piece.kind, piece.colour, piece.is_hidden) for piece in pieces}) == 1:
        shapes: list[Shape] = [_piece(pieces[-1], look, 0, 0, unit / BOX, frame.turned)]
        if len(pieces) > 1:
            count = str(len(pieces))
            shapes += [
                Circle(unit * 0.32, unit * 0.32, unit * 0.17, "panel", "ink", 0.8),
                Text(unit * 0.32, unit * 0.32, count, fit_size(count, unit * 0.28, unit * 0.26)),
            ]
        return shapes
    shown = tuple(sorted(pieces[-4:], key=lambda piece: piece.kind not in _UNDER))
    if len(shown) == 2 and shown[0].kind in _UNDER:
        return [_piece(piece, look, 0, 0, unit / BOX) for piece in shown]
    size, places = _BESIDE[len(shown)]
    where = zip(shown, places, strict=True)
    return [_piece(piece, look, x * unit, y * unit, size * unit / BOX) for piece, (x, y) in where]


_BESIDE = {
    2: (0.62, ((-0.19, -0.19), (0.19, 0.19))),
    3: (0.5, ((-0.25, -0.25), (0.25, -0.25), (0.0, 0.25))),
    4: (0.5, ((-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25))),
}
"""Size and places of different pieces on one place, as parts of it, by their number: what is written on them stays
readable, and does not lie on other writing."""


_UNDER = frozenset({"block", "hole", "target", "sticker", "dot"})
"""The terrain or background of places."""


def _piece(piece: Piece, look: Look, x: float, y: float, scale: float, turned: bool = False) -> Group:
    is_plain = not piece.image and piece.kind in ("", "disc", "man", "piece", "stone", "token") and not piece.is_hidden
    painter = look.discs if look.discs and is_plain and piece.colour else draw_piece
    if look is LOOKS["chess"] and not piece.is_hidden and not piece.image and piece.kind in CHESSMEN:
        painter = draw_chessman
    turn = 180.0 if turned and piece.kind.startswith("shogi") else 0.0
    return Group(readable(painter(piece), scale, BOX - 4), x, y, scale=scale, turn=turn, name="piece")


def _body(body: Body, frame: Frame, last: frozenset[str]) -> Group:
    """A thing that covers several places, as a car does."""
    corners = [frame.at(x, y) for x, y in body.covers]
    left, top = min(x for x, _ in corners) - frame.unit / 2, min(y for _, y in corners) - frame.unit / 2
    width = max(x for x, _ in corners) + frame.unit / 2 - left
    height = max(y for _, y in corners) + frame.unit / 2 - top
    colour = body.piece.colour or "grey"
    box = Rect(left + 3, top + 3, width - 6, height - 6, colour, "outline", 1.2, 9)
    word = Text(left + width / 2, top + height / 2, body.piece.kind, 13, on(colour), bold=True)
    hit = Rect(left + 3, top + 3, width - 6, height - 6, HIT, radius=9)
    name = "piece last" if body.spot in last else "piece"
    return Group((box, word, hit), spot=body.spot, label=body.piece.name, name=name)


def _wall(wall: Wall, frame: Frame, last: frozenset[str]) -> Group:
    x, y = frame.at(wall.x, wall.y)
    to_x, to_y = frame.at(wall.to_x, wall.to_y)
    is_last = wall.spot in last
    colour, thick = ("accent" if is_last else "wall", 6) if wall.is_there else ("gap", 4)
    wide = _WALL_HIT / 2
    left, right, top, bottom = min(x, to_x), max(x, to_x), min(y, to_y), max(y, to_y)
    # Possible walls that cross are distinguished by their middles; lines beside squares do not cross.
    if max(right - left, bottom - top) > 1.5 * frame.unit:
        left, right, top, bottom = (x + to_x) / 2, (x + to_x) / 2, (y + to_y) / 2, (y + to_y) / 2
    else:
        left, right = (left + wide, right - wide) if right > left else (left, right)
        top, bottom = (top + wide, bottom - wide) if bottom > top else (top, bottom)
    hit = Rect(left - wide, top - wide, right - left + 2 * wide, bottom - top + 2 * wide, HIT, radius=wide)
    shapes: tuple[Shape, ...] = (line(x, y, to_x, to_y, colour, thick), hit)
    return Group(shapes, spot=wall.spot, label=wall.name, name="wall last" if is_last else "wall")


def _dots(board: Board, frame: Frame) -> list[Shape]:
    """The dots at the ends of short lines."""
    ends = {end for wall in board.walls if wall.spot for end in ((wall.x, wall.y), (wall.to_x, wall.to_y))}
    if any(abs(wall.to_x - wall.x) + abs(wall.to_y - wall.y) != 1 for wall in board.walls):
        return []
    return [Circle(*frame.at(x, y), 5.5, "ink") for x, y in sorted(ends)]


def _columns(board: Board, frame: Frame, last: frozenset[str]) -> list[Shape]:
    """Clickable columns, above everything else, or only their names."""
    shapes: list[Shape] = []
    _, y, _, height = frame.box
    if board.drops_at_edge:
        y, height = y + height, MARGIN
    for x, name in board.columns:
        spot = board.drops.get(name)
        if spot is not None:
            at, _ = frame.at(x, frame.top)
            hit = Rect(1 - frame.unit / 2, 0, frame.unit - 2, height, HIT, radius=4)
            shapes.append(Group((hit,), at, y, spot=spot, label=f"column {name}", name="column"))
    return shapes
