"""Plots of results, as PNG or SVG by file name."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ludens.arena.played_match import PlayedMatch
from ludens.arena.ratings import rating_history
from ludens.arena.results.crosstable import Crosstable
from ludens.core import LudensError
from ludens.core.files import write_file
from ludens.referee.summary import Tally

mpl.rcParams["svg.hashsalt"] = "ludens"  # equal pictures give equal files
_POINTS = 60
"""The maximum number of points at which ratings are computed."""


def _new(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _save(figure: Figure, path: Path) -> None:
    if path.suffix not in (".png", ".svg"):
        raise LudensError(f"a picture is a .png or .svg, not {path.name!r}")
    picture = BytesIO()
    metadata = {"Date": None} if path.suffix == ".svg" else None
    figure.savefig(picture, format=path.suffix[1:], dpi=120, metadata=metadata)
    try:
        write_file(path, picture.getvalue())
    except OSError as error:
        raise LudensError(f"cannot write {path}: {error.strerror or error}") from None


def plot_ratings(matches: Sequence[PlayedMatch], path: Path) -> None:
    """Ratings on Elo's scale after more and more matches, with 95 % intervals."""
    figure, axes = _new(8, 5)
    history = rating_history(matches, _POINTS)
    for player, points in history.items():
        numbers = [count for count, _ in points]
        (line,) = axes.plot(numbers, [rating.value for _, rating in points], label=player)
        low, high = [rating.low for _, rating in points], [rating.high for _, rating in points]
        axes.fill_between(numbers, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    axes.set_xlabel("matches")
    axes.set_ylabel("rating (Elo)")
    axes.grid(alpha=0.3)
    if history:
        axes.legend()
    _save(figure, path)


def plot_crosstable(table: Crosstable, path: Path) -> None:
    """The crosstable as a heat map."""
    size = len(table.players)
    figure, axes = _new(2 + 0.8 * size, 1.5 + 0.7 * size)
    cells = [[(table.score(row, column) or (np.nan, 0))[0] for column in table.players] for row in table.players]
    image = axes.imshow(np.array(cells, float), vmin=0, vmax=1, cmap="RdYlGn")
    axes.set_xticks(range(size), table.players, rotation=45, ha="right")
    axes.set_yticks(range(size), table.players)
    for y, row in enumerate(table.players):
        for x, column in enumerate(table.players):
            if score := table.score(row, column):
                axes.text(x, y, f"{100 * score[0]:.0f}\n({score[1]})", ha="center", va="center", fontsize=8)
    figure.colorbar(image, label="score of the row against the column")
    _save(figure, path)


def plot_by_clock(matches: Sequence[PlayedMatch], path: Path) -> None:
    """The share of points of each player by its clock, with 95 % intervals."""
    figure, axes = _new(8, 5)
    tallies: dict[str, dict[float, Tally]] = {}
    for played in matches:
        standings = played.standings()
        for player, goal in standings.items():
            others = [round(other) for name, other in standings.items() if name != player]
            tallies.setdefault(player, {}).setdefault(played.clock, Tally()).add(round(goal), others, 0)
    for player, by_clock in tallies.items():
        clocks = sorted(by_clock)
        scores = [by_clock[clock].score for clock in clocks]
        errors = [[s.mean - s.low for s in scores], [s.high - s.mean for s in scores]]
        axes.errorbar(clocks, [s.mean for s in scores], yerr=errors, marker="o", capsize=3, label=player)
    axes.set_xscale("log")
    axes.set_ylim(0, 1)
    axes.set_xlabel("seconds per move")
    axes.set_ylabel("share of points")
    axes.grid(alpha=0.3)
    if tallies:
        axes.legend()
    _save(figure, path)
