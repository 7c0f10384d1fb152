"""Things in a row: hands, piles, dice, stocks; and tables of numbers and lines of words."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ludens.drawing.looks import cards
from ludens.drawing.looks.frame import Drawn
from ludens.drawing.looks.pieces import draw_piece
from ludens.drawing.model import Facts, Piece, Row, Scores
from ludens.drawing.palette import HIT
from ludens.drawing.scenes.scene import Circle, Group, Rect, Shape, Text, fit_size, line

WIDE = 440.0
"""The maximum width of a row."""
_TITLE = 18.0
_LINE = 20.0
_TOUCHED_LINE = 27.0
"""The height of a line that can be clicked."""
_SIGN = 38.0
"""The height of a sign with words on it."""
_SIGN_LEAST = 64.0
_NUMBER_LEAST = 36.0


@dataclass(frozen=True, slots=True)
class _Kind:
    """The look and size of things in a row."""

    draw: Callable[[Piece], tuple[Shape, ...]]
    width: float
    height: float


_KINDS = {
    "cards": _Kind(cards.draw_card, cards.WIDTH, cards.HEIGHT),
    "dice": _Kind(cards.draw_die, 34, 36),
    "chain": _Kind(cards.draw_lying_domino, 52, 28),
    "dominoes": _Kind(cards.draw_domino, 28, 52),
    "tiles": _Kind(cards.draw_tile, 31, 44),
    "pieces": _Kind(draw_piece, 40, 40),
}
_FAN, _FAN_DROP = 7.0, 9.0
"""Of a fanned hand: how much its outermost cards are turned, in degrees, and how much lower they are."""
_BACKS_APART = 0.17
"""The visible part of a back under the next one."""


def draw_row(row: Row, last: frozenset[str], *, ink: str = "muted") -> Drawn:
    """A row of things under its title."""
    if row.kind == "words":
        return _draw_words(row, last)
    is_back = len(row.pieces) > 1 and all(map(_overlaps, row.pieces)) and row.kind != "dice"
    title = row.title if len(row.pieces) < 2 or not (row.is_pile or is_back) else f"{row.title} ({len(row.pieces)})"
    things, wide, high = place_things(row, WIDE, last)
    shapes: list[Shape] = [Text(0, _TITLE / 2, title, 12, ink, "start")] if title else []
    top = _TITLE + 2 if title else 2.0
    shapes.append(Group(things, 0.0, top))
    width, height = max(wide, len(title) * 6.6, 30.0), top + high + 2
    if row.spot:
        hit = Rect(0, 0, width, height, HIT, radius=4)
        name = "place last" if row.spot in last else "place"
        shapes = [Group((hit, *shapes), spot=row.spot, label=_row_label(title, row), name=name)]
    return Drawn(width, height, tuple(shapes))


def place_things(row: Row, room: float, last: frozenset[str]) -> tuple[tuple[Shape, ...], float, float]:
    """The things of a row from 0 0 on, and their width and height."""
    kind = _KINDS[row.kind]
    pieces = row.pieces[-1:] if row.is_pile else row.pieces
    if row.kind == "chain":
        return _wrap_things(pieces, kind, room, last)
    shapes: list[Shape] = []
    if row.is_pile and len(row.pieces) > 1:
        shapes += [Rect(3.0 * n, 3.0 * n, kind.width, kind.height, "panel", "edge", 1, 5) for n in (2, 1)]
    if not pieces:
        shapes.append(Rect(1, 0, kind.width - 2, kind.height, "", "line", 1, 5))
    lefts = _side_by_side(pieces, kind, row.kind, room)
    width = (lefts[-1] if lefts else 0) + kind.width + (6 if row.is_pile else 0)
    fan = _FAN if row.is_fanned and len(pieces) > 2 else 0.0
    for n, piece in enumerate(pieces):
        from_middle = 2 * n / (len(pieces) - 1) - 1 if fan else 0.0
        x, y = lefts[n] + kind.width / 2, kind.height / 2 + _FAN_DROP * from_middle**2
        shapes.append(_thing(piece, kind, x + (6 if fan else 0), y + (4 if fan else 0), last, fan * from_middle))
    height = kind.height + (6 if row.is_pile else 0) + (_FAN_DROP + 10 if fan else 0)
    return tuple(shapes), width + (12 if fan else 0), height


def _wrap_things(
    pieces: Sequence[Piece], kind: _Kind, room: float, last: frozenset[str]
) -> tuple[tuple[Shape, ...], float, float]:
    """Things in lines that go to the right and back in turn, like a line of dominoes on a table."""
    step, in_line = kind.width + 1, max(1, int(room // (kind.width + 1)))
    shapes: list[Shape] = []
    for n, piece in enumerate(pieces):
        line_number, column = divmod(n, in_line)
        column = in_line - 1 - column if line_number % 2 else column
        x, y = column * step + kind.width / 2, line_number * (kind.height + 5) + kind.height / 2
        shapes.append(_thing(piece, kind, x, y, last, 180.0 if line_number % 2 else 0.0))
    lines = -(-len(pieces) // in_line)
    return tuple(shapes), min(len(pieces), in_line) * step, lines * (kind.height + 5)


def _side_by_side(pieces: Sequence[Piece], kind: _Kind, name: str, room: float) -> list[float]:
    """The offsets of things in a row: backs overlap, and all do if there is no room."""
    apart = [
        kind.width * _BACKS_APART if name != "dice" and _overlaps(piece) and _overlaps(after) else kind.width + 3
        for piece, after in itertools.pairwise(pieces)
    ]
    scale = min(1.0, (room - kind.width) / sum(apart)) if apart else 1.0
    return [scale * offset for offset in itertools.accumulate(apart, initial=0.0)][: len(pieces)]


def _overlaps(piece: Piece) -> bool:
    """True for backs that nobody clicks."""
    return piece.is_hidden and not piece.spot


def _draw_words(row: Row, last: frozenset[str]) -> Drawn:
    """Draw words to choose from, each on its own sign, wrapped to lines."""
    shapes: list[Shape] = [Text(0, _TITLE / 2, row.title, 12, "muted", "start")]
    x, y, widest = 0.0, _TITLE + 4, len(row.title) * 6.6
    for piece in row.pieces:
        least = _NUMBER_LEAST if piece.kind.isdecimal() else _SIGN_LEAST
        width = min(WIDE, max(least, len(piece.kind) * 8.6 + (8 if piece.kind.isdecimal() else 22)))
        if x and x + width > WIDE:
            x, y = 0.0, y + _SIGN + 8
        board = Rect(-width / 2, -_SIGN / 2, width, _SIGN, "card", "edge", 1.2, 7)
        word = Text(0, 0, piece.kind, fit_size(piece.kind, width - 12, 15), "card-black", bold=True)
        hit = Rect(-width / 2, -_SIGN / 2, width, _SIGN, HIT, radius=7)
        name = "piece last" if piece.spot in last else "piece"
        shapes.append(
            Group((board, word, hit), x + width / 2, y + _SIGN / 2, spot=piece.spot, label=piece.name, name=name)
        )
        x += width + 8
        widest = max(widest, x - 8)
    return Drawn(widest, y + _SIGN + 4, tuple(shapes))


def _row_label(title: str, row: Row) -> str:
    if not row.pieces:
        return f"{title}, empty"
    return f"{title}: {row.pieces[-1].name}" if row.is_pile else title


def _thing(piece: Piece, kind: _Kind, x: float, y: float, last: frozenset[str], turn: float = 0.0) -> Group:
    name = "piece last" if piece.spot and piece.spot in last else "piece"
    hit = Rect(-kind.width / 2, -kind.height / 2, kind.width, kind.height, HIT, radius=3)
    badge: tuple[Shape, ...] = ()
    if piece.count > 1:
        corner = kind.width / 2 - 7, kind.height / 2 - 7
        badge = (Circle(*corner, 8, "panel", "ink", 0.8), Text(*corner, str(piece.count), 10, "ink", bold=True))
    return Group((*kind.draw(piece), *badge, hit), x, y, turn=turn, spot=piece.spot, label=piece.name, name=name)


def draw_scores(scores: Scores, last: frozenset[str]) -> Drawn:
    """A table of numbers, a column for each role."""
    pitch = _TOUCHED_LINE if scores.spots else _LINE
    first = max((len(what) for what, _ in scores.rows), default=0) * 7.2 + 12
    wide = [
        max([len(name), *(len(values[n]) for _, values in scores.rows)]) * 7.4 + 24
        for n, name in enumerate(scores.names)
    ]
    lefts = list(itertools.accumulate(wide, initial=first))
    shapes: list[Shape] = []
    for x, name, colour in itertools.zip_longest(lefts[:-1], scores.names, scores.colours):
        if colour:
            shapes.append(Circle(x + 6, 10, 5, colour, "edge", 1))
        shapes.append(Text(x + 14, 10, name, 12.5, "muted", "start"))
    shapes.append(line(0, _LINE, lefts[-1] - 8, _LINE, "line", 0.8))
    for m in range(len(scores.rows)):
        shapes += _score_line(scores, m, _LINE + pitch * m, pitch, lefts, last)
    return Drawn(lefts[-1], _LINE + pitch * len(scores.rows), tuple(shapes))


def _score_line(
    scores: Scores, row: int, top: float, height: float, lefts: Sequence[float], last: frozenset[str]
) -> list[Shape]:
    """A line of a table of numbers. If it has one cell to click, the whole line can be clicked."""
    what, values = scores.rows[row]
    title = Text(0, top + height / 2, what, 12.5, "muted", "start")
    chosen = [n for n in range(len(values)) if (row, n) in scores.spots]
    is_whole = len(chosen) == 1
    shapes: list[Shape] = [] if is_whole else [title]
    for n, value in enumerate(values):
        cell = Text(lefts[n] + 14, top + height / 2, value, 14, "ink", "start", bold=True)
        if n not in chosen:
            shapes.append(cell)
            continue
        left, right = (-4.0, lefts[-1] - 8) if is_whole else (lefts[n], lefts[n + 1] - 8)
        hit = Rect(left, top + 1, right - left, height - 2, HIT, radius=4)
        spot, whose = scores.spots[row, n], f"{what} of {scores.names[n]}" if scores.names[n] else what
        name = "place last" if spot in last else "place"
        parts = (hit, title, cell) if is_whole else (hit, cell)
        shapes.append(Group(parts, spot=spot, label=f"{whose}: {value or 'empty'}", name=name))
    return shapes


def draw_facts(facts: Facts) -> Drawn:
    """Lines of text under a title."""
    lines = ([facts.title] if facts.title else []) + [part for text in facts.lines for part in _wrap(text)]
    shapes: list[Shape] = []
    for n, text in enumerate(lines):
        is_title = bool(facts.title) and n == 0
        shapes.append(Text(0, 10 + 18 * n, text, fit_size(text, WIDE, 13), "muted" if is_title else "ink", "start"))
    width = min(WIDE, max((len(text) * 7.4 for text in lines), default=10))
    return Drawn(width, 18.0 * len(lines) + 4, tuple(shapes))


def _wrap(text: str, most: int = 64) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + len(word) >= most:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
