"""Seconds by depth as curves in SVG, on a logarithmic scale, like the paper's figure 4."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from ludens.experiments.decomposition.run import DepthResult
from ludens.experiments.gdlcc.chart import short_number

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM, _GAP = 380, 260, 60, 60, 50, 40
_LABELS = {"normal": "normal search", "seed": "paper, first", "inside": "paper, inside", "sound": "sound pruning"}
_COLOURS = {"normal": "#8c8c8c", "seed": "#d9822b", "inside": "#8a5fb0", "sound": "#2f6db3"}


def line_chart(results: Sequence[DepthResult]) -> str:
    """The picture: one panel for each game."""
    titles = list(dict.fromkeys(result.game.title for result in results))
    times = [value for result in results for value in result.seconds.values() if value] or [1.0]
    low, high = math.floor(math.log10(min(times))), max(1, math.ceil(math.log10(max(times))))
    width = max(1, len(titles)) * (_LEFT + _WIDTH + _GAP)
    height = _TOP + _HEIGHT + _BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        *_legend(),
    ]
    for number, title in enumerate(titles):
        panel = [result for result in results if result.game.title == title]
        parts += _panel(title, panel, number * (_LEFT + _WIDTH + _GAP), low, high)
    return "\n".join([*parts, "</svg>", ""])


def _legend() -> Iterator[str]:
    x = _LEFT
    for name, colour in _COLOURS.items():
        yield f'<rect x="{x}" y="12" width="12" height="12" fill="{colour}"/>'
        yield f'<text x="{x + 16}" y="22">{_LABELS[name]}</text>'
        x += 120


def _panel(title: str, results: Sequence[DepthResult], x: int, low: int, high: int) -> Iterator[str]:
    left, deepest = x + _LEFT, max(result.depth for result in results)

    def place(depth: int, seconds: float) -> tuple[float, float]:
        across = left + (depth - 1) / max(1, deepest - 1) * _WIDTH
        return across, _TOP + _HEIGHT - (math.log10(seconds) - low) / (high - low) * _HEIGHT

    yield f'<text x="{left}" y="{_TOP - 14}" font-weight="bold">{escape(title)}</text>'
    for power in range(low, high + 1):
        y = place(1, 10.0**power)[1]
        yield f'<line x1="{left}" y1="{y:.1f}" x2="{left + _WIDTH}" y2="{y:.1f}" stroke="#ddd"/>'
        yield f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{short_number(10.0**power)} s</text>'
    for result in results:
        across = place(result.depth, 1)[0]
        yield f'<text x="{across:.1f}" y="{_TOP + _HEIGHT + 18}" text-anchor="middle">{result.depth}</text>'
    yield f'<text x="{left + _WIDTH / 2}" y="{_TOP + _HEIGHT + 38}" text-anchor="middle">depth</text>'
    for name, colour in _COLOURS.items():
        points = [place(result.depth, value) for result in results if (value := result.seconds[name])]
        path = " ".join(f"{across:.1f},{y:.1f}" for across, y in points)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        for across, y in points:
            yield f'<circle cx="{across:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
