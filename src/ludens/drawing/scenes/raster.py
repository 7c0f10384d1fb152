"""Scenes as pixels, without a browser: PNG pictures and GIF animations, drawn with Pillow (the extra ``web``)."""

from __future__ import annotations

import io
import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ludens.core import GameError
from ludens.drawing.palette import COLOURS, HIT
from ludens.drawing.scenes.scene import Circle, Group, Image, Path, Point, Polygon, Rect, Scene, Shape, Text

if TYPE_CHECKING:
    from PIL.Image import Image as Picture
    from PIL.ImageDraw import ImageDraw as Canvas
    from PIL.ImageFont import FreeTypeFont

_FINER = 2
"""The oversampling factor, for smooth edges."""
_CURVE = 12
"""The number of line segments per curve of a path."""
_COMMAND = re.compile(r"[MLCQZ]|-?\d+(?:\.\d+)?")
_ARGUMENTS = {"M": 1, "L": 1, "C": 3, "Q": 2, "Z": 0}
"""The number of points after each command of a path."""
_LAST_ALPHA = 96


def to_image(scene: Scene, *, scale: float = 1.0, dark: bool = False) -> Picture:
    """The scene in pixels. Raises `GameError` without Pillow."""
    try:
        from PIL import Image, ImageDraw  # noqa: PLC0415 - an extra, and only for pixels
    except ImportError:
        raise GameError("pictures in pixels need Pillow: pip install 'ludens[web]'") from None
    size = (math.ceil(scene.width * scale), math.ceil(scene.height * scale))
    picture = Image.new("RGB", (size[0] * _FINER, size[1] * _FINER), COLOURS["paper"][dark])
    brush = _Brush(ImageDraw.Draw(picture, "RGBA"), dark)
    brush.draw(scene.shapes, _Place(scale * _FINER))
    return picture.resize(size, Image.Resampling.LANCZOS)


def to_png(scene: Scene, *, scale: float = 1.0, dark: bool = False) -> bytes:
    """The scene as a PNG picture. Raises `GameError` without Pillow."""
    file = io.BytesIO()
    to_image(scene, scale=scale, dark=dark).save(file, "PNG")
    return file.getvalue()


def to_gif(scenes: Sequence[Scene], *, seconds: float = 0.8, scale: float = 1.0) -> bytes:
    """Scenes as a looping animation; the last one stays longer. Raises `GameError` without Pillow,
    or if there is no scene."""
    if not scenes:
        raise GameError("an animation needs at least one position")
    width, height = max(scene.width for scene in scenes), max(scene.height for scene in scenes)
    # Drawn one by one on demand: hundreds of pictures in full colour would fill the memory.
    pictures = (to_image(replace(scene, width=width, height=height), scale=scale) for scene in scenes)
    times = [round(seconds * 1000)] * (len(scenes) - 1) + [round(seconds * 3000)]
    file = io.BytesIO()
    # Pillow drops pictures equal to the previous one and adds their duration to it.
    next(pictures).save(file, "GIF", save_all=True, append_images=pictures, duration=times, loop=0, optimize=True)
    return file.getvalue()


@dataclass(frozen=True, slots=True)
class _Place:
    """A transformation: scale, rotation and translation, in this order."""

    scale: float
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0

    def at(self, x: float, y: float) -> Point:
        angle = math.radians(self.turn)
        across, down = x * self.scale, y * self.scale
        return (
            self.x + across * math.cos(angle) - down * math.sin(angle),
            self.y + across * math.sin(angle) + down * math.cos(angle),
        )

    def within(self, group: Group) -> _Place:
        x, y = self.at(group.x, group.y)
        return _Place(self.scale * group.scale, x, y, self.turn + group.turn)


@lru_cache(maxsize=64)
def _font(size: int) -> FreeTypeFont:
    from PIL import ImageFont  # noqa: PLC0415 - an extra, and only for pixels

    font = ImageFont.load_default(size)
    assert not isinstance(font, ImageFont.ImageFont)  # sizes are for fonts of outlines
    return font


class _Brush:
    """Draws shapes with Pillow, which supports neither curves nor groups."""

    def __init__(self, canvas: Canvas, dark: bool) -> None:
        self._canvas = canvas
        self._dark = dark

    def draw(self, shapes: Sequence[Shape], place: _Place, is_last: bool = False) -> None:
        """Draw shapes in their order; those that mark places are visible only for the last move."""
        for shape in shapes:
            match shape:
                case Group():
                    self.draw(shape.shapes, place.within(shape), is_last="last" in shape.name.split())
                case Text():
                    self._text(shape, place)
                case Image():
                    self.draw(shape.instead, place, is_last)
                case _ if shape.fill == HIT and not is_last:
                    continue
                case _:
                    self._outline(shape, place)

    def _colour(self, name: str) -> str | tuple[int, ...]:
        if name == HIT:
            accent = COLOURS["accent"][self._dark].lstrip("#")
            return (*bytes.fromhex(accent), _LAST_ALPHA)
        return COLOURS[name][self._dark]

    def _outline(self, shape: Rect | Circle | Polygon | Path, place: _Place) -> None:
        for points, closed in _points(shape):
            corners = [place.at(x, y) for x, y in points]
            if len(corners) < 2:
                continue
            if shape.fill and closed:
                self._canvas.polygon(corners, fill=self._colour(shape.fill))
            if shape.stroke:
                width = max(1, round(shape.thick * place.scale))
                line = [*corners, corners[0], corners[1]] if closed else corners
                self._canvas.line(line, fill=self._colour(shape.stroke), width=width, joint="curve")

    def _text(self, text: Text, place: _Place) -> None:
        font = _font(round(max(4.0, text.size * place.scale)))
        anchor = {"start": "l", "middle": "m", "end": "r"}[text.anchor] + "m"
        x, y = place.at(text.x, text.y)
        stroke = round(text.size * place.scale * 0.03) if text.bold else 0
        fill = self._colour(text.fill)
        self._canvas.text((x, y), text.text, fill=fill, font=font, anchor=anchor, stroke_width=stroke)


def _points(shape: Rect | Circle | Polygon | Path) -> Iterator[tuple[list[Point], bool]]:
    """The corners of an outline, with curves approximated by lines, and whether it is closed."""
    match shape:
        case Rect():
            yield _rounded_corners(shape), True
        case Circle():
            angles = [2 * math.pi * n / 48 for n in range(48)]
            yield [(shape.x + shape.radius * math.cos(a), shape.y + shape.radius * math.sin(a)) for a in angles], True
        case Polygon():
            yield list(shape.points), shape.closed
        case Path():
            yield from ((points, True) for points in _outlines(shape.commands))


def _rounded_corners(rect: Rect) -> list[Point]:
    radius = min(rect.radius, rect.width / 2, rect.height / 2)
    left, top, right, bottom = rect.x, rect.y, rect.x + rect.width, rect.y + rect.height
    if not radius:
        return [(left, top), (right, top), (right, bottom), (left, bottom)]
    corners = ((right, top, -1, 1, -90), (right, bottom, -1, -1, 0), (left, bottom, 1, -1, 90), (left, top, 1, 1, 180))
    return [
        (x + dx * radius + radius * math.cos(a), y + dy * radius + radius * math.sin(a))
        for x, y, dx, dy, start in corners
        for a in (math.radians(start + 15 * n) for n in range(7))
    ]


def _outlines(commands: str) -> Iterator[list[Point]]:
    """The outlines of a path."""
    words = _COMMAND.findall(commands)
    points: list[Point] = []
    n = 0
    while n < len(words):
        command, count = words[n], _ARGUMENTS[words[n]]
        operands = [(float(words[n + 2 * k + 1]), float(words[n + 2 * k + 2])) for k in range(count)]
        n += 1 + 2 * count
        if command == "M" and points:
            yield points
            points = []
        if command in ("M", "L"):
            points += operands
        elif command in ("C", "Q"):
            points += _curve([points[-1], *operands])
    yield points


def _curve(controls: list[Point]) -> list[Point]:
    """Points of a Bezier curve, by de Casteljau's construction, without the first."""
    points = []
    for n in range(1, _CURVE + 1):
        share, level = n / _CURVE, controls
        while len(level) > 1:
            level = [(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for a, b in itertools.pairwise(level)]
        points.append(level[0])
    return points
