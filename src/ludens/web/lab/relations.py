"""The dependency graph of relations as SVG; relations that change with the state are coloured.

Relations without dependencies are at the bottom, derived ones above; mutually dependent relations share
a row. Within a row, relations are near those they are derived from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ludens.drawing.scenes.svg import escape_text
from ludens.gdl.chance.core_form import core_form
from ludens.gdl.keywords import KEYWORDS
from ludens.gdl.logic.clauses import clauses
from ludens.gdl.logic.relation_graph import MOVE, STATE, STATIC, RelationGraph
from ludens.gdl.logic.strata import Signature
from ludens.gdl.rules import RuleSheet

MOST = 150
"""The maximum number of relations in a picture."""
_PHASES = {STATIC: "static", STATE: "state", MOVE: "move"}
_CHARACTER, _HEIGHT, _PAD, _GAP, _LEVEL, _ROW = 7.6, 26, 10, 16, 78, 1_000
_SWEEPS = 6
"""How often rows are sorted, alternating downwards and upwards."""


class _Picture:
    def __init__(self, graph: RelationGraph) -> None:
        self.graph = graph
        shown = sorted(graph.numbers, key=lambda sign: (sign[0] not in KEYWORDS, graph.numbers[sign]))[:MOST]
        self.left_out = len(graph.numbers) - len(shown)
        self.edges = [(sign, need) for sign in shown for need in sorted(graph.needs(sign)) if need in shown]
        self.rows = self._rows(shown)
        for sweep in range(_SWEEPS):
            self._put_in_order(downwards=sweep % 2 == 0)
        self.places = self._places()

    def _rows(self, shown: Sequence[Signature]) -> list[list[Signature]]:
        """The relations by how many steps of derivation lie below them."""
        levels: dict[int, int] = {}
        needed = defaultdict(set)
        for sign, need in self.edges:
            if self.graph.groups[sign] != self.graph.groups[need]:
                needed[self.graph.groups[sign]].add(self.graph.groups[need])
        for group in sorted({self.graph.groups[sign] for sign in shown}):  # dependencies have lower numbers
            levels[group] = 1 + max((levels[other] for other in needed[group]), default=-1)
        rows: list[list[Signature]] = [[] for _ in range(max(levels.values(), default=0) + 1)]
        for sign in shown:
            rows[levels[self.graph.groups[sign]]].append(sign)
        return _wrap_rows(rows)

    def _put_in_order(self, *, downwards: bool) -> None:
        """Move each relation to the mean position of its neighbours in other rows."""
        neighbours = defaultdict(list)
        for sign, need in self.edges:
            neighbours[sign if not downwards else need].append(need if not downwards else sign)
        at = {sign: place / max(1, len(row) - 1) for row in self.rows for place, sign in enumerate(row)}
        for row in self.rows:
            means = {
                sign: sum(at[other] for other in neighbours[sign]) / len(neighbours[sign])
                if neighbours[sign]
                else at[sign]
                for sign in row
            }
            row.sort(key=means.__getitem__)

    def _places(self) -> dict[Signature, tuple[float, float]]:
        """The middle of each box."""
        self.width = max(_row_width(row) for row in self.rows) + 2 * _GAP
        self.height = len(self.rows) * _LEVEL + _GAP
        centres = {}
        for level, row in enumerate(self.rows):
            space = (self.width - sum(map(_box_width, row))) / (len(row) + 1)
            x = space
            for sign in row:
                centres[sign] = (x + _box_width(sign) / 2, self.height - _LEVEL * level - _LEVEL / 2)
                x += _box_width(sign) + space
        return centres


def _box_width(sign: Signature) -> float:
    return len(_label(sign)) * _CHARACTER + 2 * _PAD


def _row_width(row: Sequence[Signature]) -> float:
    return sum(map(_box_width, row)) + _GAP * (len(row) + 1)


def _label(sign: Signature) -> str:
    return f"{sign[0]}/{sign[1]}"


def _wrap_rows(rows: Sequence[list[Signature]]) -> list[list[Signature]]:
    """Split rows that are too wide."""
    wrapped: list[list[Signature]] = []
    for row in rows:
        wrapped.append([])
        for sign in row:
            if wrapped[-1] and _row_width([*wrapped[-1], sign]) > _ROW:
                wrapped.append([])
            wrapped[-1].append(sign)
    return wrapped


def relations_svg(sheet: RuleSheet) -> str:
    """The picture as SVG; a page's style sheet colours it by the classes ``phase-…``."""
    picture = _Picture(RelationGraph(list(clauses(core_form(sheet).rules, sheet.source))))
    left_out = f" The {picture.left_out} relations that do not fit are omitted." if picture.left_out else ""
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="relations" role="img" width="{picture.width:g}" '
            f'height="{picture.height:g}" viewBox="0 0 {picture.width:g} {picture.height:g}">'
            f"<title>Graph of {len(picture.places)} relations, each above those it is derived from.{left_out}</title>",
            *_edges(picture),
            *_boxes(picture),
            "</svg>",
        ]
    )


def _edges(picture: _Picture) -> Iterator[str]:
    for sign, need in picture.edges:
        (x1, y1), (x2, y2) = picture.places[sign], picture.places[need]
        negated = " negated" if picture.graph.negates(sign, need) else ""
        if sign == need:
            path = f"M{x1 + 10:g} {y1 - _HEIGHT / 2:g}c4 -16 24 -16 20 0"
        elif y1 == y2:
            path = f"M{x1:g} {y1 - _HEIGHT / 2:g}Q{(x1 + x2) / 2:g} {y1 - _LEVEL / 2:g} {x2:g} {y2 - _HEIGHT / 2:g}"
        else:
            side = _HEIGHT / 2 if y1 < y2 else -_HEIGHT / 2
            bend = (y1 + y2) / 2
            path = f"M{x1:g} {y1 + side:g}C{x1:g} {bend:g} {x2:g} {bend:g} {x2:g} {y2 - side:g}"
        yield f'<path class="edge{negated}" fill="none" stroke="#888" d="{path}"/>'


def _boxes(picture: _Picture) -> Iterator[str]:
    for sign, (x, y) in picture.places.items():
        width = _box_width(sign)
        keyword = " keyword" if KEYWORDS.get(sign[0]) == sign[1] else ""
        yield (
            f'<g class="phase-{_PHASES[picture.graph.phases[sign]]}{keyword}"><rect x="{x - width / 2:g}" '
            f'y="{y - _HEIGHT / 2:g}" width="{width:g}" height="{_HEIGHT}" rx="5"/>'
            f'<text x="{x:g}" y="{y + 5:g}" text-anchor="middle">{escape_text(_label(sign))}</text></g>'
        )
