"""A sheet of SVG to draw on: text, boxes, lines and little squares, in the colours of the guide."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path

INK, PALE, LINE, FIRST, SECOND = "#263238", "#607d8b", "#b0bec5", "#00796b", "#e64a19"
"""Text, small text, lines, and the colours of two roles."""
_STYLE = (
    "text{font-family:'DejaVu Sans',Arial,sans-serif;font-size:12px;fill:#263238}"
    ".code{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}"
)


class Canvas:
    """A drawing of a size."""

    def __init__(self, width: float, height: float, label: str) -> None:
        self._size = width, height
        self._label = label
        self._parts: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 12,
        fill: str = INK,
        anchor: str = "start",
        code: bool = False,
    ) -> None:
        """A line of text; its baseline is at ``y``."""
        kind = ' class="code"' if code else ""
        self._parts.append(
            f'<text{kind} x="{x:g}" y="{y:g}" text-anchor="{anchor}" style="font-size:{size:g}px;fill:{fill}">'
            f"{escape(text)}</text>"
        )

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str = "none",
        stroke: str = "none",
        radius: float = 0,
    ) -> None:
        """A rectangle."""
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" fill="{fill}"'
            f' stroke="{stroke}"/>'
        )

    def squares(self, corners: Iterable[tuple[float, float]], width: float, height: float, *, fill: str) -> None:
        """Many little rectangles of one colour, as one path: files stay small."""
        path = "".join(f"M{x:g} {y:g}h{width:g}v{height:g}h-{width:g}z" for x, y in corners)
        if path:
            self._parts.append(f'<path d="{path}" fill="{fill}"/>')

    def circle(self, x: float, y: float, radius: float, *, fill: str = "#fff", stroke: str = INK) -> None:
        """A disc."""
        self._parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{stroke}"/>')

    def line(self, x: float, y: float, u: float, v: float, *, stroke: str = LINE, width: float = 1) -> None:
        """A straight line."""
        self._parts.append(f'<path d="M{x:g} {y:g}L{u:g} {v:g}" stroke="{stroke}" stroke-width="{width:g}"/>')

    def curve(self, x: float, y: float, u: float, v: float, *, stroke: str = LINE) -> None:
        """A wire from left to right."""
        middle = (x + u) / 2
        self._parts.append(
            f'<path d="M{x:g} {y:g}C{middle:g} {y:g} {middle:g} {v:g} {u:g} {v:g}" fill="none" stroke="{stroke}"/>'
        )

    def arrow(self, x: float, y: float, u: float) -> None:
        """An arrow to the right."""
        self.line(x, y, u - 6, y, stroke=PALE, width=2)
        self.head(u, y, 1, 0)

    def head(self, x: float, y: float, across: int, down: int, *, fill: str = PALE) -> None:
        """The head of an arrow that ends here, in one of four directions."""
        back, side = (-9 * across, -9 * down), (5 * down, 5 * across)
        self._parts.append(
            f'<path d="M{x:g} {y:g}l{back[0] - side[0]:g} {back[1] - side[1]:g}'
            f'l{2 * side[0]:g} {2 * side[1]:g}z" fill="{fill}"/>'
        )

    def upright(self, x: float, y: float, text: str) -> None:
        """Small text that is read from top to bottom, around its middle."""
        self._parts.append(
            f'<text transform="translate({x:g} {y:g}) rotate(90)" text-anchor="middle" style="fill:{PALE}">'
            f"{escape(text)}</text>"
        )

    def put(self, other: Canvas, x: float, y: float, scale: float = 1) -> None:
        """Another drawing, within this one."""
        self._parts.append(f'<g transform="translate({x:g} {y:g}) scale({scale:g})">{"".join(other._parts)}</g>')

    def write(self, path: Path) -> None:
        """Save it as a file."""
        width, height = self._size
        path.write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img"'
            f' aria-label="{escape(self._label)}"><style>{_STYLE}</style>'
            f'<rect width="{width:g}" height="{height:g}" rx="8" fill="#fff"/>\n'
            + "\n".join(self._parts)
            + "\n</svg>\n",
            encoding="utf-8",
        )
