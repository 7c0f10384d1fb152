"""A whole drawing: the panels of a picture, one below the other, boards beside each other."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from ludens.drawing.looks.backgammon import draw_backgammon
from ludens.drawing.looks.boards import draw_board
from ludens.drawing.looks.felt import draw_table
from ludens.drawing.looks.frame import Drawn
from ludens.drawing.looks.heaps import draw_heaps, draw_pegs, draw_pits
from ludens.drawing.looks.rows import draw_facts, draw_row, draw_scores
from ludens.drawing.model import Board, CardTable, Facts, Panel, Picture, Row, Scores
from ludens.drawing.scenes.scene import Group, Scene, Shape, Text

_GAP = 14.0
_PAD = 8.0
_WIDE = 440.0
"""Room for a line of hands and words; more if a board is wider."""
_BOARDS = 680.0
"""Room for boards beside each other."""


def compose(picture: Picture, turned: bool, last: frozenset[str]) -> Scene:
    """The scene of a picture."""
    boards = [panel for panel in picture.panels if isinstance(panel, Board | CardTable)]
    above = [panel for panel in picture.panels if isinstance(panel, Row) and panel.is_above]
    below = [panel for panel in picture.panels if panel not in boards and panel not in above]
    page = _Page()
    if who := picture.turn:
        page.add(Drawn(len(who) * 7.6, 12, (Text(0, 8, who, 13, "muted", "start"),)), _WIDE)
        page.end_line()
    side = math.isqrt(len(boards)) if len({panel.key for panel in boards if isinstance(panel, Board)}) == 1 else 0
    for panels, room in ((above, _WIDE), (boards, _BOARDS), (below, _WIDE)):
        for n, panel in enumerate(panels):
            if panels is boards and side > 1 and side * side == len(boards) and n % side == 0:
                page.end_line()  # boards of one fluent lie in a square
            page.add(_panel(panel, turned, last), max(room, page.width))
        page.end_line()
    return Scene(max(page.width + 2 * _PAD, 60.0), max(page.height + _PAD, 40.0), tuple(page.shapes), picture.label)


class _Page:
    """Boxes in lines, from the left."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []
        self.width = 0.0
        self.height = _PAD
        self._x = 0.0
        self._tallest = 0.0

    def add(self, box: Drawn, room: float) -> None:
        """Place a box beside the previous one, or on a new line if there is no room."""
        if self._x and self._x + box.width > room:
            self.end_line()
        self.shapes.append(Group(box.shapes, _PAD + self._x, self.height))
        self.width = max(self.width, self._x + box.width)
        self._x += box.width + _GAP
        self._tallest = max(self._tallest, box.height)

    def end_line(self) -> None:
        """Start a new line."""
        if self._x:
            self.height += self._tallest + _GAP
        self._x = self._tallest = 0.0


def _panel(panel: Panel, turned: bool, last: frozenset[str]) -> Drawn:
    match panel:
        case Board(shape="backgammon"):
            return draw_backgammon(panel, turned, last)
        case Board(shape="heaps"):
            return draw_heaps(panel, last)
        case Board(shape="pits"):
            return draw_pits(panel, turned, last)
        case Board(shape="pegs"):
            return draw_pegs(panel, last)
        case Board():
            board = draw_board(panel, turned, last)
            return replace(board, shapes=(Group(board.shapes, name="board"),))  # which pages can turn round
        case CardTable():
            return draw_table(panel, last)
        case Row():
            return draw_row(panel, last)
        case Scores():
            return draw_scores(panel, last)
        case Facts():
            return draw_facts(panel)


def without_spots(shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """The shapes without clickable spots."""
    return tuple(
        Group(without_spots(shape.shapes), shape.x, shape.y, shape.scale, shape.turn, "", "", shape.name)
        if isinstance(shape, Group)
        else shape
        for shape in shapes
    )
