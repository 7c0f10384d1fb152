"""The plot of ratings over a tournament, as SVG in the page's colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ludens.arena.ratings import Rating
from ludens.drawing.scenes.svg import escape_text

History = Mapping[str, Sequence[tuple[int, Rating]]]
"""For each player the ratings by number of matches."""

Place = Callable[[int, float], tuple[float, float]]
"""Maps a number of matches and a rating to a point."""

COLOURS = 8
"""The number of curve styles, ``curve-0`` and so on; more curves reuse them."""
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 320, 56, 150, 14, 40
_LABEL = 15


def rating_svg(history: History) -> str:
    """The picture: a curve with its 95 % interval for each player, the best first."""
    points = [point for curve in history.values() for point in curve]
    most = max((count for count, _ in points), default=1)
    low, high = _range(points)

    def place(count: int, value: float) -> tuple[float, float]:
        across = _LEFT + (count - 1) / max(1, most - 1) * (_WIDTH - _LEFT - _RIGHT)
        return across, _TOP + (high - min(max(value, low), high)) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)

    ratings = ", ".join(f"{player} {curve[-1][1].value:.0f}" for player, curve in history.items() if curve)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ratings" role="img" viewBox="0 0 {_WIDTH} {_HEIGHT}">'
        f"<title>Ratings on the scale of Elo after {most} matches: {escape_text(ratings)}</title>",
        *_grid(low, high, most, place),
    ]
    for number, curve in enumerate(history.values()):
        upper = [place(count, rating.high) for count, rating in curve]
        lower = [place(count, rating.low) for count, rating in reversed(curve)]
        parts.append(f'<polygon class="band curve-{number % COLOURS}" points="{_path([*upper, *lower])}"/>')
    for number, curve in enumerate(history.values()):
        middle = [place(count, rating.value) for count, rating in curve]
        parts.append(f'<polyline class="line curve-{number % COLOURS}" points="{_path(middle)}"/>')
        if len(middle) == 1:
            parts.append(
                f'<circle class="dot curve-{number % COLOURS}" cx="{middle[0][0]:.1f}" cy="{middle[0][1]:.1f}" r="4"/>'
            )
    return "".join([*parts, *_labels(history, place), "</svg>"])


def _range(points: Sequence[tuple[int, Rating]]) -> tuple[float, float]:
    """The range of the plot: all ratings with a margin; the first intervals are too wide to fit."""
    values = [rating.value for _, rating in points] or [1500.0]
    room = max(60.0, (max(values) - min(values)) * 0.2)
    return min(values) - room, max(values) + room


def _grid(low: float, high: float, most: int, place: Place) -> Iterator[str]:
    step = next(step for step in (25, 50, 100, 200, 500, 1_000, 10_000) if (high - low) / step <= 7)
    value = (int(low // step) + 1) * step
    while value < high:
        y = place(1, value)[1]
        yield f'<line class="axis" x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value}</text>'
        value += step
    for count in sorted({1, most}):
        yield f'<text x="{place(count, low)[0]:.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{count}</text>'
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    yield f'<text x="{middle:g}" y="{_HEIGHT - 6}" text-anchor="middle">matches</text>'


def _labels(history: History, place: Place) -> Iterator[str]:
    """Names at the ends of curves, moved apart where they would overlap."""
    ends = sorted(
        (place(*_end(curve))[1], number, player) for number, (player, curve) in enumerate(history.items()) if curve
    )
    y = _TOP - _LABEL / 2
    for wanted, number, player in ends:
        y = max(wanted, y + _LABEL)
        shown = player if len(player) <= 18 else player[:17] + "…"
        yield f'<circle class="dot curve-{number % COLOURS}" cx="{_WIDTH - _RIGHT + 10}" cy="{y:.1f}" r="5"/>'
        yield f'<text x="{_WIDTH - _RIGHT + 20}" y="{y + 4:.1f}">{escape_text(shown)}</text>'


def _end(curve: Sequence[tuple[int, Rating]]) -> tuple[int, float]:
    return curve[-1][0], curve[-1][1].value


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
