"""A whole drawing: the panels of a picture, one below the other, boards beside each other."""

from __future__ import annotations

from collections.abc import Iterable

from ludens.drawing.looks.boards import Drawn, draw_board
from ludens.drawing.looks.rows import draw_facts, draw_row
from ludens.drawing.model import Board, Facts, Panel, Picture, Row
from ludens.drawing.scene import Group, Scene, Shape, Text

_GAP = 14.0
_PAD = 8.0
_WIDE = 560.0


def compose(picture: Picture, look: str, turned: bool, last: frozenset[str]) -> Scene:
    """The scene of a picture."""
    drawn = [_panel(panel, look, turned, last) for panel in picture.panels]
    shapes: list[Shape] = []
    x, y, width, tallest = _PAD, _PAD, 0.0, 0.0
    if picture.to_move:
        who = f"{', '.join(picture.to_move)} to move"
        shapes.append(Text(_PAD, y + 8, who, 13, "muted", "start"))
        y += 22
        width = len(who) * 7.6 + 2 * _PAD
    for box in drawn:
        if x > _PAD and x + box.width > _WIDE:
            x, y, tallest = _PAD, y + tallest + _GAP, 0.0
        shapes.append(Group(box.shapes, x, y))
        x += box.width + _GAP
        tallest = max(tallest, box.height)
        width = max(width, x - _GAP + _PAD)
    return Scene(max(width, 60.0), max(y + tallest + _PAD, 40.0), tuple(shapes), picture.label)


def _panel(panel: Panel, look: str, turned: bool, last: frozenset[str]) -> Drawn:
    match panel:
        case Board():
            return draw_board(panel, look, turned, last)
        case Row():
            return draw_row(panel, last)
        case Facts():
            return draw_facts(panel)
        case _:
            return Drawn(0, 0, ())


def without_spots(shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """The shapes as a mere picture."""
    return tuple(
        Group(without_spots(shape.shapes), shape.x, shape.y, shape.scale, shape.turn, "", "", shape.name)
        if isinstance(shape, Group)
        else shape
        for shape in shapes
    )
