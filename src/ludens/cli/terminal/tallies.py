"""The table of players' results, for series of matches and tournaments."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table

from ludens.cli.terminal.console import printable
from ludens.core.interval import Interval
from ludens.referee.summary import Tally


def tally_table(tallies: Mapping[str, Tally]) -> Table:
    """A row for each player, in the order given; in brackets 95 % intervals."""
    table = Table(box=None, header_style="bold")
    for heading in ("player", "won", "drawn", "lost", "score %", "mean goal", "errors"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for name, tally in tallies.items():
        counts = (str(tally.wins), str(tally.draws), str(tally.losses))
        table.add_row(
            printable(name),
            *counts,
            _format_interval(tally.score, 100),
            _format_interval(tally.goal, 1),
            str(tally.errors),
        )
    return table


def _format_interval(interval: Interval, factor: int) -> str:
    return f"{interval.mean * factor:.1f} \\[{interval.low * factor:.1f}, {interval.high * factor:.1f}]"
