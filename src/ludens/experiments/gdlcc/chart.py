"""The states per second as a bar chart in SVG, on a logarithmic scale, ours beside the paper's."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from xml.sax.saxutils import escape

from ludens.experiments.gdlcc.engines import RHYTHMS, EngineName
from ludens.experiments.gdlcc.paper import CLOCK, PLAYERS
from ludens.experiments.gdlcc.run import Measured

_BAR, _GAP, _HEIGHT, _LEFT, _TOP, _BOTTOM = 22, 44, 300, 70, 64, 46
_COLOURS = {
    EngineName.PROLOG: "#8c8c8c",
    EngineName.CXX: "#2f6db3",
    EngineName.CXX_TT: "#7fb0e0",
    EngineName.CIRCUIT: "#d9822b",
}


@dataclass(frozen=True, slots=True)
class _Bar:
    label: str
    rate: float
    colour: str
    ours: bool


def bar_chart(results: Sequence[Measured], clock: float) -> str:
    """The picture; a bar is the mean over the three thirds, and a pale one the paper's."""
    groups = [
        (title, list(_bars([result for result in results if result.game.title == title], clock)))
        for title in dict.fromkeys(result.game.title for result in results)
    ]
    rates = [bar.rate for _, bars in groups for bar in bars if bar.rate > 0] or [1.0]
    low, high = math.floor(math.log10(min(rates))), math.ceil(math.log10(max(rates)) + 0.4)  # room for the numbers
    width = _LEFT + sum(len(bars) * _BAR + _GAP for _, bars in groups) + _GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_TOP + _HEIGHT + _BOTTOM}" '
        f'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{_TOP + _HEIGHT + _BOTTOM}" fill="white"/>',
        f'<text x="{_LEFT}" y="20" font-size="14" font-weight="bold">States for each second, mean over early, middle '
        "and end</text>",
        *_legend(),
        *_axis(low, high, width),
    ]
    x = _LEFT + _GAP // 2
    for title, bars in groups:
        middle = x + len(bars) * _BAR / 2
        parts.append(
            f'<text x="{middle:g}" y="{_TOP + _HEIGHT + 36}" text-anchor="middle" font-size="14">{escape(title)}</text>'
        )
        for bar in bars:
            parts += _draw_bar(bar, x, low, high)
            x += _BAR
        x += _GAP
    return "\n".join([*parts, "</svg>", ""])


def _bars(results: Sequence[Measured], clock: float) -> Iterator[_Bar]:
    for result in (result for result in results if result.rhythm == RHYTHMS[0]):
        rates = [value for value in result.cells.states if value is not None] if result.cells else []
        if rates:
            yield _Bar(result.engine, fmean(rates) / clock, _COLOURS[result.engine], ours=True)
        paper = result.game.states.get(result.engine)
        if paper:
            yield _Bar(PLAYERS[result.engine], fmean(paper) / CLOCK, _COLOURS[result.engine], ours=False)


def _draw_bar(bar: _Bar, x: int, low: int, high: int) -> Iterator[str]:
    height = max(0.0, (math.log10(bar.rate) - low) / (high - low) * _HEIGHT) if bar.rate > 0 else 0.0
    top = _TOP + _HEIGHT - height
    opacity = "1" if bar.ours else "0.35"
    yield (
        f'<rect x="{x + 2}" y="{top:.1f}" width="{_BAR - 4}" height="{height:.1f}" fill="{bar.colour}" '
        f'opacity="{opacity}"><title>{escape(bar.label)}: {bar.rate:,.0f} states/s</title></rect>'
    )
    # Upright, since a taller bar beside it would hide a slanting number.
    place = f"{x + _BAR / 2 + 4:g}", f"{top - 4:.1f}"
    yield (
        f'<text x="{place[0]}" y="{place[1]}" font-size="10" transform="rotate(-90 {place[0]} {place[1]})">'
        f"{short_number(bar.rate)}</text>"
    )


def short_number(rate: float) -> str:
    """A number with three digits and a letter for its size."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g} {letter}"
    return f"{rate:.3g}"


def _legend() -> Iterator[str]:
    x = _LEFT
    for engine, colour in _COLOURS.items():
        label = f"{engine} (pale: {PLAYERS[engine]}, paper)" if engine in PLAYERS else str(engine)
        yield f'<rect x="{x}" y="30" width="12" height="12" fill="{colour}"/>'
        yield f'<text x="{x + 16}" y="40" font-size="11">{escape(label)}</text>'
        x += 30 + 6 * len(label)


def _axis(low: int, high: int, width: int) -> Iterator[str]:
    for power in range(low, high + 1):
        y = _TOP + _HEIGHT - (power - low) / (high - low) * _HEIGHT
        yield f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{width - _GAP // 2}" y2="{y:.1f}" stroke="#ddd"/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{short_number(10.0**power)}</text>'
