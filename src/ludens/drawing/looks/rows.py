"""Things in a row: hands, piles, stocks, each as cards or pieces."""

from __future__ import annotations

from ludens.drawing.looks.boards import Drawn
from ludens.drawing.looks.pieces import BOX, draw_piece
from ludens.drawing.model import Facts, Piece, Row
from ludens.drawing.palette import HIT
from ludens.drawing.scene import Group, Rect, Shape, Text, fitted

_WIDE = 460.0
_TITLE = 18.0


def draw_row(row: Row, last: frozenset[str]) -> Drawn:
    """A row of things under its title."""
    pieces = row.pieces[-1:] if row.is_pile else row.pieces
    size = BOX
    step = min(size + 2, (_WIDE - size) / max(1, len(pieces) - 1)) if len(pieces) > 1 else size
    title = row.title if not row.is_pile or len(row.pieces) < 2 else f"{row.title} ({len(row.pieces)})"
    shapes: list[Shape] = [Text(0, _TITLE / 2, title, 12, "muted", "start")]
    for n, piece in enumerate(pieces):
        shapes.append(_thing(piece, n * step + size / 2, _TITLE + size / 2 + 2, last))
    width = max((len(pieces) - 1) * step + size, len(title) * 7.0, 30.0)
    height = _TITLE + size + 4
    if row.spot:
        hit = Rect(0, 0, width, height, HIT, radius=4)
        name = "place last" if row.spot in last else "place"
        shapes = [Group((hit, *shapes), spot=row.spot, label=title, name=name)]
    return Drawn(width, height, tuple(shapes))


def _thing(piece: Piece, x: float, y: float, last: frozenset[str]) -> Group:
    name = "piece last" if piece.spot in last else "piece"
    hit = Rect(-BOX / 2, -BOX / 2, BOX, BOX, HIT, radius=3)
    return Group((*draw_piece(piece), hit), x, y, spot=piece.spot, label=piece.name, name=name)


def draw_facts(facts: Facts) -> Drawn:
    """Lines of text under a title."""
    lines = ([facts.title] if facts.title else []) + list(facts.lines)
    shapes: list[Shape] = []
    for n, text in enumerate(lines):
        is_title = bool(facts.title) and n == 0
        size = fitted(text, _WIDE, 13)
        shapes.append(Text(0, 9 + 18 * n, text, size, "muted" if is_title else "ink", "start"))
    width = min(_WIDE, max((len(text) * 7.6 for text in lines), default=10))
    return Drawn(width, 18.0 * len(lines), tuple(shapes))
