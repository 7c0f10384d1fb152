"""A board of backgammon: points, bar, stacked checkers, and those borne off."""

from __future__ import annotations

from ludens.drawing.looks.boards import place_label
from ludens.drawing.looks.frame import Drawn
from ludens.drawing.looks.pieces import disc
from ludens.drawing.model import Board, Piece, Place
from ludens.drawing.palette import HIT
from ludens.drawing.scenes.scene import Group, Polygon, Rect, Shape, Text

_WIDE, _HIGH = 30.0, 150.0
"""Width and height of a point."""
_CHECKER = 28.0
_GAP = 30.0
_RIM = 12.0
_MOST_APART = 5
"""The number of checkers on a point beyond which they overlap."""
_LEFT, _MIDDLE = _RIM, _RIM + 6 * _WIDE
_RIGHT = _MIDDLE + _GAP + 6 * _WIDE
_BOTTOM = 2 * _RIM + 2 * _HIGH + 20
_OFF = 34.0


def draw_backgammon(board: Board, turned: bool, last: frozenset[str]) -> Drawn:
    """The board as its first role sees it, or turned as the second does."""
    shapes: list[Shape] = [
        Rect(0, 0, _RIGHT + _RIM + _OFF, _BOTTOM, "brown", "outline", 1.5, 6),
        Rect(_LEFT, _RIM, 6 * _WIDE, _BOTTOM - 2 * _RIM, "wood"),
        Rect(_MIDDLE + _GAP, _RIM, 6 * _WIDE, _BOTTOM - 2 * _RIM, "wood"),
        Rect(_RIGHT + _RIM / 2, _RIM, _OFF, _BOTTOM - 2 * _RIM, "board-dark", "outline", 0.8),
    ]
    shapes += [_place(place, board.contents.get(place.spot, ()), turned, last) for place in board.places]
    return Drawn(_RIGHT + _RIM + _OFF, _BOTTOM, tuple(shapes))


def _place(place: Place, pieces: tuple[Piece, ...], turned: bool, last: frozenset[str]) -> Group:
    kind, number = place.note.split()[0], int(place.note.split()[1])
    shapes: list[Shape] = []
    if kind == "point":
        number = 25 - number if turned else number
        x, is_top = _point_at(number)
        tip, foot = (_RIM + _HIGH, _RIM) if is_top else (_BOTTOM - _RIM - _HIGH, _BOTTOM - _RIM)
        colour = "board-dark" if number % 2 else "board-light"
        shapes.append(Polygon(((x - _WIDE / 2, foot), (x + _WIDE / 2, foot), (x, tip)), colour, "board-line", 0.6))
        shown = str(25 - number if turned else number)
        shapes.append(Text(x, _RIM / 2 if is_top else _BOTTOM - _RIM / 2, shown, 9, "on-piece"))
        hit = Rect(x - _WIDE / 2 + 1, min(foot, tip), _WIDE - 2, _HIGH, HIT, radius=4)
    else:
        is_top = (number == 1) == turned if kind == "off" else (number == 0) == turned
        is_top = not is_top if kind == "off" else is_top
        x = _MIDDLE + _GAP / 2 if kind == "bar" else _RIGHT + _RIM / 2 + _OFF / 2
        foot = _RIM if is_top else _BOTTOM - _RIM
        hit = Rect(x - 14, _RIM if is_top else _BOTTOM / 2 + 4, 28, _BOTTOM / 2 - _RIM - 4, HIT, radius=4)
    shapes.append(hit)
    step = (_CHECKER if len(pieces) <= _MOST_APART else _CHECKER * (_MOST_APART - 1) / (len(pieces) - 1)) * (
        1 if is_top else -1
    )
    first = foot + (_CHECKER / 2 if is_top else -_CHECKER / 2)
    shapes += [Group(disc(piece), x, first + n * step, scale=0.88, name="piece") for n, piece in enumerate(pieces)]
    name = "place last" if place.spot in last else "place"
    return Group(tuple(shapes), spot=place.spot, label=place_label(place, pieces), name=name)


def _point_at(number: int) -> tuple[float, bool]:
    """The middle of a point in the observer's numbering, 1 at the lower right; and whether it is at the top."""
    is_top = number > 12
    column = number - 13 if is_top else 12 - number
    x = _LEFT + (column + 0.5) * _WIDE + (_GAP if column >= 6 else 0)
    return x, is_top
