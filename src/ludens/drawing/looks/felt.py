"""A card table: seats around a cloth, the trick and common cards in the middle."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence

from ludens.drawing.looks.frame import Drawn
from ludens.drawing.looks.rows import WIDE, draw_row, place_things
from ludens.drawing.model import CardTable, Row, Seat
from ludens.drawing.palette import HIT
from ludens.drawing.scenes.scene import Circle, Group, Rect, Shape, Text, fit_size

_PAD = 12.0
_SMALL = 0.62
"""The scale of cards before the others."""
_BESIDE = 3
"""The maximum number of others who sit at the left, the top and the right; more sit in rows at the top."""
_BOX = 136.0
_BOX_IN_ROW = (WIDE - 2 * _PAD) / 4
_NOTE, _NAME = 11.0, 13.0
_TRICK = 0.86
_TRICK_X, _TRICK_Y = 48.0, 42.0
"""How far cards of the trick lie from the middle."""


def draw_table(table: CardTable, last: frozenset[str]) -> Drawn:
    """The whole table."""
    own, *others = table.seats
    width = _BOX if len(others) <= _BESIDE else _BOX_IN_ROW
    boxes = [_seat(seat, width, last) for seat in others]
    middle = _middle(table, last)
    shapes: list[Shape] = []
    inner = WIDE - 2 * _PAD
    if len(boxes) == _BESIDE and middle.width <= inner - 2 * width:
        left, top, right = boxes
        band = max(left.height, right.height, middle.height)
        shapes.append(_at(top, (WIDE - top.width) / 2, _PAD))
        y = _PAD + top.height + 6
        shapes += [_at(left, _PAD, y + (band - left.height) / 2)]
        shapes += [_at(middle, (WIDE - middle.width) / 2, y + (band - middle.height) / 2)]
        shapes += [_at(right, WIDE - _PAD - right.width, y + (band - right.height) / 2)]
        y += band
    else:
        y = _PAD
        for line in _lines(boxes, inner, 0.0):
            gap = (inner - sum(box.width for box in line)) / max(1, len(line) - 1)
            row, _, height = _beside(line, WIDE, gap)
            shapes.append(Group(row, 0.0, y))
            y += height + 6
        shapes.append(_at(middle, (WIDE - middle.width) / 2, y))
        y += middle.height
    mine = _seat(own, inner, last)
    shapes.append(_at(mine, _PAD, y + 6))
    height = y + 6 + mine.height + _PAD / 2
    cloth = Rect(1, 1, WIDE - 2, height - 2, "felt", "felt-line", 2, 26)
    return Drawn(WIDE, height, (cloth, *shapes))


def _at(box: Drawn, x: float, y: float) -> Group:
    return Group(box.shapes, x, y)


def _seat(seat: Seat, room: float, last: frozenset[str]) -> Drawn:
    """A role's name, numbers, and its cards at a small size, centred."""
    shapes: list[Shape] = []
    wide = min(room, len(seat.name) * 8.2 + 30)
    fill, ink = ("accent", "outline") if seat.is_next else ("felt-line", "on-piece")
    shapes.append(Rect((room - wide) / 2, 0, wide, 20, fill, "", 1, 10))
    shapes.append(Circle((room - wide) / 2 + 11, 10, 4.5, seat.colour, "on-piece", 0.8))
    name = Text((room + 12) / 2, 10, seat.name, fit_size(seat.name, wide - 26, _NAME), ink, bold=True)
    shapes.append(name)
    y = 22.0
    for line in _wrap(seat.notes, room):
        shapes.append(Text(room / 2, y + 7, line, fit_size(line, room, _NOTE), "on-piece"))
        y += 14
    for boxes in _lines([_small(row, room, last) for row in seat.rows], room, 6.0):
        beside, _, height = _beside(boxes, room, 6.0)
        shapes.append(Group(beside, 0.0, y + 2))
        y += height + 4
    return Drawn(room, y, tuple(shapes))


def _wrap(notes: Sequence[str], room: float) -> list[str]:
    """The notes in as few lines as fit."""
    most = int(room / (_NOTE * 0.56))
    lines: list[str] = []
    for note in notes:
        if lines and len(lines[-1]) + len(note) + 3 <= most:
            lines[-1] = f"{lines[-1]} · {note}"
        else:
            lines += textwrap.wrap(note, most)
    return lines


def _small(row: Row, room: float, last: frozenset[str]) -> Drawn:
    """A row at a small size, with its title if it has one."""
    things, width, height = place_things(row, room / _SMALL, last)
    top = 13.0 if row.title else 0.0
    wide = max(width * _SMALL, len(row.title) * 6.2)
    shapes: list[Shape] = [Text(wide / 2, 6, row.title, 10, "on-piece")] if row.title else []
    shapes.append(Group(things, (wide - width * _SMALL) / 2, top, scale=_SMALL))
    box = Drawn(wide, top + height * _SMALL, tuple(shapes))
    if not row.spot:
        return box
    hit = Rect(0, 0, box.width, box.height, HIT, radius=4)
    name = "place last" if row.spot in last else "place"
    return Drawn(box.width, box.height, (Group((hit, *shapes), spot=row.spot, label=row.title or row.key, name=name),))


def _middle(table: CardTable, last: frozenset[str]) -> Drawn:
    """The trick, each card before the role that played it, and below it what else lies there."""
    shapes: list[Shape] = []
    width = y = 0.0
    if any(seat.played for seat in table.seats):
        from_middle = 2 * math.pi / len(table.seats)
        width = 2 * _TRICK_X + 46
        for n, seat in enumerate(table.seats):
            if seat.played:
                row = Row("trick", "", (seat.played,))
                card, wide, high = place_things(row, WIDE, last)
                x = width / 2 - _TRICK_X * math.sin(n * from_middle) - wide * _TRICK / 2
                shapes.append(
                    Group(card, x, 56 + _TRICK_Y * math.cos(n * from_middle) - high * _TRICK / 2 + 16, _TRICK)
                )
        y = 2 * _TRICK_Y + 64
    for note in table.notes:
        wide = len(note) * _NAME * 0.62
        shapes, width = _widen(shapes, width, wide)
        shapes.append(Text(width / 2, y + 8, note, _NAME, "on-piece", bold=True))
        y += 20
    inner = WIDE - 2 * _PAD
    rows = [_within(draw_row(row, last, ink="on-piece"), inner) for row in table.middle]
    for boxes in _lines(rows, inner, 14.0):
        shapes, width = _widen(shapes, width, sum(box.width for box in boxes) + 14 * (len(boxes) - 1))
        line, _, height = _beside(boxes, width, 14.0)
        shapes.append(Group(line, 0.0, y))
        y += height + 6
    return Drawn(width, y, tuple(shapes))


def _within(box: Drawn, room: float) -> Drawn:
    """The box, smaller if it is wider than a room."""
    if box.width <= room:
        return box
    scale = room / box.width
    return Drawn(room, box.height * scale, (Group(box.shapes, 0.0, 0.0, scale=scale),))


def _widen(shapes: list[Shape], width: float, least: float) -> tuple[list[Shape], float]:
    """The shapes in the middle of a wider box, if it has to be wider."""
    return (shapes, width) if least <= width else ([Group(tuple(shapes), (least - width) / 2, 0.0)], least)


def _lines(boxes: Sequence[Drawn], room: float, gap: float) -> list[list[Drawn]]:
    """Boxes in lines, as many in each as fit."""
    lines: list[list[Drawn]] = []
    for box in boxes:
        if lines and sum(one.width + gap for one in lines[-1]) + box.width <= room:
            lines[-1].append(box)
        else:
            lines.append([box])
    return lines


def _beside(boxes: Sequence[Drawn], room: float, gap: float) -> tuple[tuple[Shape, ...], float, float]:
    """Boxes beside each other in the middle of a room; the shapes, their width and height."""
    width = sum(box.width for box in boxes) + gap * (len(boxes) - 1)
    x = (room - width) / 2
    shapes = []
    for box in boxes:
        shapes.append(_at(box, x, 0.0))
        x += box.width + gap
    return tuple(shapes), width, max(box.height for box in boxes)
