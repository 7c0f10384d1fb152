"""The dependency graph as SVG, like the paper's figure 2: subgames as boxes, fluents and moves in them.

If graphviz is installed, it lays out the graph; otherwise subgames stand side by side, fluents above moves.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from ludens.analysis.report import Report, ReportedPart
from ludens.analysis.subgames.parts import Kind

SHOWN = 12
"""Names of one kind shown in a box; the rest is only counted."""
GRAPHVIZ_SECONDS = 20
_LINE, _CHARACTER, _PAD, _GAP, _ROW = 18, 7.2, 14, 18, 1100
_COLOURS = {
    Kind.GAME: "#dbe9f6",
    Kind.CONTROL: "#fde8c8",
    Kind.COUNTER: "#fde8c8",
    Kind.NOOP: "#eeeeee",
    Kind.IRRELEVANT: "#eeeeee",
}


def svg(report: Report, title: str) -> str:
    """The report as SVG, laid out by graphviz if it is installed."""
    drawn = _by_graphviz(report, title) if shutil.which("dot") else None
    return drawn or plain_svg(report, title)


def _names(names: Sequence[str]) -> list[str]:
    shown = list(names[:SHOWN])
    return [*shown, f"… {len(names) - SHOWN} more"] if len(names) > SHOWN else shown


def dot(report: Report, title: str) -> str:
    """The graph in graphviz's language."""

    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    lines = [f"graph {quoted(title)} {{", "  node [fontname=sans, fontsize=10];"]
    for number, part in enumerate(report.parts):
        lines += [f"  subgraph cluster_{number} {{", f"    label={quoted(_heading(part, number))};"]
        fluents = [f"f{number}_{n}" for n, _ in enumerate(_names(part.fluents))]
        moves = [f"m{number}_{n}" for n, _ in enumerate(_names(part.moves))]
        for node, name in zip(fluents, _names(part.fluents), strict=True):
            lines.append(f"    {node} [shape=box, label={quoted(name)}];")
        for node, name in zip(moves, _names(part.moves), strict=True):
            lines.append(f"    {node} [shape=ellipse, label={quoted(name)}];")
        if fluents and moves:
            lines += [f"    {fluents[0]} -- {node};" for node in moves]
            lines += [f"    {node} -- {moves[0]};" for node in fluents[1:]]
        lines.append("  }")
    return "\n".join([*lines, "}", ""])


def _by_graphviz(report: Report, title: str) -> str | None:
    try:
        done = subprocess.run(
            ["dot", "-Tsvg"],
            input=dot(report, title),
            capture_output=True,
            text=True,
            timeout=GRAPHVIZ_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def _heading(part: ReportedPart, number: int) -> str:
    return f"{number + 1}: {part.kind}" + (", impartial" if part.impartial else "")


def plain_svg(report: Report, title: str) -> str:
    """The report as SVG without graphviz: reproducible, and with classes for a page's style sheet."""
    parts: list[str] = []
    x = y = float(_GAP)
    y += 2 * _LINE
    row_height = widest = 0.0
    for number, part in enumerate(report.parts):
        width, height = _size(part, number)
        if x > _GAP and x + width > _ROW:
            x, y, row_height = float(_GAP), y + row_height + _GAP, 0.0
        parts += _box(part, number, x, y, width, height)
        x += width + _GAP
        row_height, widest = max(row_height, height), max(widest, x)
    total = y + row_height + _GAP
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {widest:g} {total:g}" '
            f'class="decomposition" font-family="sans-serif" font-size="12">',
            f'<rect class="ground" width="{widest:g}" height="{total:g}" fill="white"/>',
            f'<text x="{_GAP}" y="{_GAP + _LINE}" font-size="15" font-weight="bold">{escape(title)}: '
            f"{report.subgames} subgame{'' if report.subgames == 1 else 's'} ({report.composition})</text>",
            *parts,
            "</svg>",
            "",
        ]
    )


def _size(part: ReportedPart, number: int) -> tuple[float, float]:
    names = [_names(part.fluents), _names(part.moves)]
    columns = [max(map(len, column), default=0) * _CHARACTER + 2 * _PAD if column else 0 for column in names]
    between = 60 if all(names) else 0
    width = max(sum(columns) + between, len(_heading(part, number)) * _CHARACTER) + 2 * _PAD
    return width, max(map(len, names)) * (_LINE + 6) + 2 * _LINE + _PAD


def _box(part: ReportedPart, number: int, x: float, y: float, width: float, height: float) -> Iterator[str]:
    """A component: fluents in boxes on the left, moves in rounded boxes on the right, lines between them."""
    yield (
        f'<rect class="part-{part.kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="8" '
        f'fill="{_COLOURS[part.kind]}" stroke="#888"/>'
    )
    yield f'<text x="{x + _PAD:g}" y="{y + _LINE:g}" font-weight="bold">{escape(_heading(part, number))}</text>'
    fluents, moves = _names(part.fluents), _names(part.moves)
    fluent_width = max(map(len, fluents), default=0) * _CHARACTER + _PAD
    move_width = max(map(len, moves), default=0) * _CHARACTER + _PAD
    left, right = x + _PAD, x + width - _PAD - move_width
    middle = [y + 2 * _LINE + n * (_LINE + 6) for n in range(max(len(fluents), len(moves)))]
    for one in middle[: len(fluents)]:
        for other in middle[: len(moves)]:
            yield (
                f'<line x1="{left + fluent_width:g}" y1="{one:g}" x2="{right:g}" y2="{other:g}" '
                f'stroke="#999" stroke-width="0.5"/>'
            )
    for name, centre in zip(fluents, middle, strict=False):
        yield from _label(name, left, centre, fluent_width, rounded=False)
    for name, centre in zip(moves, middle, strict=False):
        yield from _label(name, right, centre, move_width, rounded=True)


def _label(name: str, x: float, centre: float, width: float, *, rounded: bool) -> Iterator[str]:
    corner = f' rx="{_LINE / 2:g}"' if rounded else ""
    yield (
        f'<rect class="word" x="{x:g}" y="{centre - _LINE / 2:g}" width="{width:g}" height="{_LINE}"{corner} '
        f'fill="white" stroke="#555"/>'
    )
    yield f'<text x="{x + width / 2:g}" y="{centre + 4:g}" text-anchor="middle">{escape(name)}</text>'
