"""The template of a new game."""

from __future__ import annotations

import re
from pathlib import Path

from ludens.core import GameError
from ludens.core.files import write_file

_TEMPLATE = Path(__file__).with_name("template.txt")


def new_game(title: str, folder: Path) -> Path:
    """Write a commented rule for a game of this title into a folder; returns the file. Raises `GameError`."""
    words = re.findall(r"[^\W_]+", title)
    name = "".join(word[0].upper() + word[1:] for word in words)
    if not name.isidentifier():
        raise GameError(f"{title!r} cannot name a game: it must begin with a letter")
    path = folder / ("_".join(words).lower() + ".py")
    if path.exists():
        raise GameError(f"{path} is there already; choose another name")
    text = _TEMPLATE.read_text(encoding="utf-8")
    for word, value in (("TITLE", " ".join(words)), ("FILE", path.stem), ("CLASS", name)):
        text = re.sub(rf"\b{word}\b", value, text)
    write_file(path, text)
    return path
