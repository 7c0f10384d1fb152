"""How fast compiled rules are, from the tables of docs/benchmarks.md."""

from __future__ import annotations

import math
import re
from pathlib import Path

from benchmarks.pictures.canvas import FIRST, LINE, PALE, SECOND, Canvas

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
COLUMNS = ("ludens, states/CPU s", "other, states/CPU s", "SWI-Prolog, states/CPU s")
GREY = "#90a4ae"


def rates() -> dict[str, tuple[float, ...]]:
    """States for a CPU second by rule sheet: ludens, the prototype, SWI-Prolog; 0 where there is no figure."""
    table = PAGE.read_text(encoding="utf-8").partition("| rule sheet |")[2].partition("\n\n")[0]
    header, _, *rows = (line.strip("| ").split(" | ") for line in ("rule sheet | " + table).splitlines())
    places = [header.index(column) for column in COLUMNS]
    return {row[0]: tuple(_number(row[place]) for place in places) for row in rows}


def _number(cell: str) -> float:
    digits = re.sub(r"[^\d.]", "", cell)
    return float(digits) if digits else 0.0


def speed() -> Canvas:
    """Bars on a logarithmic scale."""
    table, left, decade, bar = rates(), 130.0, 62.0, 11.0
    canvas = Canvas(
        left + 10 * decade + 90, 74 + 48 * len(table), "States a CPU second: ludens, a prototype, SWI-Prolog"
    )
    bottom = 44 + 48 * len(table)
    for power in range(0, 11, 1):
        x = left + power * decade
        canvas.line(x, 36, x, bottom, stroke=LINE, width=0.5)
        if power in (0, 3, 6, 9):
            canvas.text(
                x, bottom + 16, {0: "1", 3: "thousand", 6: "million", 9: "billion"}[power], size=11, anchor="middle"
            )
    legend = (("ludens", FIRST), ("prototype", GREY), ("SWI-Prolog", SECOND))
    for place, (name, fill) in enumerate(legend):
        canvas.box(left + 120 * place, 12, 12, 12, fill=fill)
        canvas.text(left + 120 * place + 18, 22, name, size=11)
    for row, (name, values) in enumerate(table.items()):
        canvas.text(12, 66 + 48 * row, name, code=True)
        for place, (value, (_, fill)) in enumerate(zip(values, legend, strict=True)):
            y = 46 + 48 * row + 13 * place
            if value:
                width = math.log10(value) * decade
                canvas.box(left, y, width, bar, fill=fill)
                canvas.text(left + width + 5, y + 9, f"{value:,.0f}", size=10, fill=PALE)
            else:
                canvas.text(left + 5, y + 9, "not done", size=10, fill=PALE)
    canvas.text(12, bottom + 16, "states/CPU s", size=11, fill=PALE)
    return canvas
