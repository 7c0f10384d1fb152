"""The templates of new games: complete small games of five kinds, each with its test."""

from __future__ import annotations

import re
from pathlib import Path

from ludens.core import GameError
from ludens.core.files import make_folder, write_file

KINDS = ("board", "cards", "dice", "race", "cooperative")
"""What a new game can begin as."""
_FOLDER = Path(__file__).with_name("templates")


def new_game(title: str, folder: Path, kind: str = "board") -> Path:
    """Write a commented rule for a game of this title into a folder, and its test into the folder ``tests`` there;
    returns the rule's file. Raises `GameError`."""
    words = re.findall(r"[^\W_]+", title)
    name = "".join(word[0].upper() + word[1:] for word in words)
    if not name.isidentifier():
        raise GameError(f"{title!r} cannot name a game: it must begin with a letter")
    if kind not in KINDS:
        raise GameError(f"there is no kind of game {kind!r} ({', '.join(KINDS)})")
    path = folder / ("_".join(words).lower() + ".py")
    test = folder / "tests" / f"test_{path.name}"
    for file in (path, test):
        if file.exists():
            raise GameError(f"{file} is there already; choose another name")
    changes = {"TITLE": " ".join(words), "FILE": path.stem, "CLASS": name}
    write_file(path, _fill(f"{kind}.txt", changes))
    make_folder(test.parent)
    write_file(test, _fill(f"{kind}_test.txt", changes))
    return path


def _fill(template: str, changes: dict[str, str]) -> str:
    text = (_FOLDER / template).read_text(encoding="utf-8")
    for word, value in changes.items():
        text = re.sub(rf"\b{word}\b", value, text) if word != "FILE" else re.sub(r"(?<![A-Za-z])FILE\b", value, text)
    return text
