"""Training curves as SVG, readable on light and dark pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 640, 320, 54, 16, 64, 44
_COLOURS = ("#2f6db3", "#d9822b", "#3c9d5d", "#b3446c")
_GREY = "#888"
_TICKS = 5
_LEGEND = 190
"""The width of a label above the picture."""


@dataclass(frozen=True, slots=True)
class Line:
    """One curve: a figure over time."""

    label: str
    points: Sequence[tuple[float, float]]


def curve(title: str, across: str, lines: Sequence[Line], top: float) -> str:
    """An SVG of lines between 0 and ``top`` over ``across``."""
    last = max((x for line in lines for x, _ in line.points), default=1.0) or 1.0
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
            f'font-size="12" role="img" aria-label="{escape(title, {chr(34): "&quot;"})}">',
            f'<text x="{_LEFT}" y="20" font-size="15" fill="{_GREY}">{escape(title)}</text>',
            *_frame(across, last, top),
            *(part for number, line in enumerate(lines) for part in _draw_line(number, line, last, top)),
            "</svg>\n",
        ]
    )


def _x(value: float, last: float) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * value / last, 1)


def _y(value: float, top: float) -> float:
    return round(_HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * min(value, top) / top, 1)


def _frame(across: str, last: float, top: float) -> Iterator[str]:
    for step in range(_TICKS + 1):
        height, place = top * step / _TICKS, last * step / _TICKS
        y, x = _y(height, top), _x(place, last)
        yield f'<path d="M{_LEFT} {y}H{_WIDTH - _RIGHT}" stroke="{_GREY}" stroke-opacity="0.3"/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end" fill="{_GREY}">{height:.3g}</text>'
        yield f'<text x="{x}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle" fill="{_GREY}">{place:.2g}</text>'
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    yield f'<text x="{middle}" y="{_HEIGHT - 8}" text-anchor="middle" fill="{_GREY}">{escape(across)}</text>'


def _draw_line(number: int, line: Line, last: float, top: float) -> Iterator[str]:
    colour = _COLOURS[number % len(_COLOURS)]
    left = _LEFT + number * _LEGEND
    yield f'<path d="M{left} 40h18" stroke="{colour}" stroke-width="3"/>'
    yield f'<text x="{left + 24}" y="44" fill="{colour}">{escape(line.label)}</text>'
    if line.points:
        way = " ".join(f"{_x(x, last)},{_y(y, top)}" for x, y in line.points)
        yield f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>'
