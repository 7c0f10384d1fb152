"""Picture files of a page: SVG, PNG, GIF and JPEG beside the page or in folders below it, as data in the drawing.

Only small files are read, and none outside the page's folder. In a drawing they are images, so nothing in an SVG file
is run or loaded.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

MOST_BYTES = 65_536
"""Larger files are not drawn: a piece may lie on every place of a board."""
_KINDS = {
    ".svg": ("image/svg+xml", b""),
    ".png": ("image/png", b"\x89PNG\r\n\x1a\n"),
    ".gif": ("image/gif", b"GIF8"),
    ".jpg": ("image/jpeg", b"\xff\xd8"),
    ".jpeg": ("image/jpeg", b"\xff\xd8"),
}
"""Media types by suffix, and how files of this type begin."""
_LENGTH = r"""\b%s\s*=\s*["']\s*([\d.]+)(?:px)?\s*["']"""
_VIEW_BOX = re.compile(r"""\bviewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)""")


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture that can be drawn."""

    href: str
    """The file as a data URL."""
    size: tuple[float, float] | None
    """Width and height in pixels, if they are known."""


def read_picture(page: Path | None, name: object) -> PictureFile | None:
    """The picture with a name as the page gives it, such as ``images/cross.svg``; None if it cannot be drawn."""
    if page is None or not isinstance(name, str) or Path(name).suffix.lower() not in _KINDS:
        return None
    folder = page.parent.resolve()
    path = (folder / name).resolve()
    if not path.is_relative_to(folder):
        return None
    try:
        changed = path.stat()
    except (OSError, ValueError):
        return None
    return _read(path, changed.st_mtime_ns) if 0 < changed.st_size <= MOST_BYTES else None


@lru_cache(maxsize=256)
def _read(path: Path, changed: int) -> PictureFile | None:
    media, begins = _KINDS[path.suffix.lower()]
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if len(data) > MOST_BYTES or not data.startswith(begins):
        return None
    return PictureFile(f"data:{media};base64,{base64.b64encode(data).decode()}", _size(path.suffix.lower(), data))


def _size(suffix: str, data: bytes) -> tuple[float, float] | None:
    if suffix == ".png" and len(data) >= 24:
        return float(int.from_bytes(data[16:20], "big")), float(int.from_bytes(data[20:24], "big"))
    if suffix == ".gif" and len(data) >= 10:
        return float(int.from_bytes(data[6:8], "little")), float(int.from_bytes(data[8:10], "little"))
    if suffix == ".svg":
        head = re.search(r"<svg\b[^>]*>", data.decode(errors="replace"))
        found = [re.search(_LENGTH % word, head[0]) for word in ("width", "height")] if head else []
        if found and all(found):
            width, height = (float(one[1]) for one in found if one)
            return width, height
        if head and (box := _VIEW_BOX.search(head[0])):
            return float(box[1]), float(box[2])
    return None
