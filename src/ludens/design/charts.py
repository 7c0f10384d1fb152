"""Small charts as SVG, in the colours of the page: bars, lines and intervals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from ludens.core.interval import Interval

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 330.0, 150.0, 40.0, 26.0
_BARS = 30


def histogram(values: Sequence[int], title: str) -> str:
    """How often values occur, in at most thirty bars."""
    if not values:
        return ""
    low, high = min(values), max(values)
    width = max(1, math.ceil((high - low + 1) / _BARS))
    counts = Counter((value - low) // width for value in values)
    most = max(counts.values())
    bars = math.ceil((high - low + 1) / width)
    step = (_WIDTH - _LEFT) / bars
    shapes = [
        f'<rect class="bar" x="{_LEFT + n * step + 0.5:.1f}" y="{_y(counts[n] / most):.1f}" '
        f'width="{max(1.0, step - 1):.1f}" height="{_y(0) - _y(counts[n] / most):.1f}"/>'
        for n in range(bars)
    ]
    labels = [
        _text(_LEFT, _HEIGHT - 8, str(low), "start"),
        _text(_WIDTH, _HEIGHT - 8, str(high), "end"),
        _text(_LEFT - 4, _y(1) + 8, f"{most / len(values):.0%}", "end"),
    ]
    return _svg([*shapes, *labels], title)


def lines(series: Iterable[Sequence[tuple[float, float]]], title: str, top: float, classes: Sequence[str] = ()) -> str:
    """Lines through points; ``top`` is the highest value, and each line may have a class."""
    all_series = [list(points) for points in series if points]
    if not all_series:
        return ""
    far = max(x for points in all_series for x, _ in points) or 1
    shapes = [f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH}" y1="{_y(0.5):.1f}" y2="{_y(0.5):.1f}"/>']
    for number, points in enumerate(all_series):
        name = classes[number] if number < len(classes) else "thin"
        path = " ".join(f"{_LEFT + x / far * (_WIDTH - _LEFT):.1f},{_y(y / top):.1f}" for x, y in points)
        shapes.append(f'<polyline class="{name}" points="{path}"/>')
    labels = [
        _text(_LEFT - 4, _y(1) + 8, f"{top:.3g}", "end"),
        _text(_LEFT - 4, _y(0), "0", "end"),
        _text(_LEFT, _HEIGHT - 8, "turn 0", "start"),
        _text(_WIDTH, _HEIGHT - 8, f"{far:g}", "end"),
    ]
    return _svg([*shapes, *labels], title)


def intervals(rows: Sequence[tuple[str, Interval]], title: str, fair: float | None = None) -> str:
    """Shares with their intervals, one below the other."""
    if not rows:
        return ""
    left, line = 150.0, 24.0
    height = line * len(rows) + 22

    def x(share: float) -> float:
        return left + min(1.0, max(0.0, share)) * (_WIDTH - left - 8)

    shapes = [f'<line class="axis" x1="{x(0):.1f}" x2="{x(1):.1f}" y1="{height - 18:.1f}" y2="{height - 18:.1f}"/>']
    if fair is not None:
        shapes.append(f'<line class="fair" x1="{x(fair):.1f}" x2="{x(fair):.1f}" y1="0" y2="{height - 18:.1f}"/>')
    for number, (label, interval) in enumerate(rows):
        y = line * number + 12
        shapes.append(_text(left - 8, y + 4, label, "end"))
        shapes.append(
            f'<line class="range" x1="{x(interval.low):.1f}" x2="{x(interval.high):.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
        )
        shapes.append(f'<circle class="point" cx="{x(interval.mean):.1f}" cy="{y:.1f}" r="4"/>')
    shapes += [_text(x(0), height - 4, "0 %", "start"), _text(x(1), height - 4, "100 %", "end")]
    return _svg(shapes, title, height)


def _y(share: float) -> float:
    return 6 + (1 - share) * (_HEIGHT - _BOTTOM - 6)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(shapes: Iterable[str], title: str, height: float = _HEIGHT) -> str:
    return (
        f'<figure><svg class="chart" viewBox="0 0 {_WIDTH + 8:.0f} {height:.0f}" role="img" '
        f'aria-label="{escape(title)}">{"".join(shapes)}</svg><figcaption>{escape(title)}</figcaption></figure>'
    )
