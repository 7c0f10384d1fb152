"""Remembers the files with rules that the user has played from, so that records of these matches find them again.

Records are not trusted, and rules in Python are code. Therefore no path is read from a record: it only has the hash of
the rules, and the path is found among those that the user named before.
"""

from __future__ import annotations

import re
from pathlib import Path

from ludens.core import Game
from ludens.core.files import make_folder, write_file
from ludens.core.folders import data_folder
from ludens.games import library

_HASH = re.compile(r"[0-9a-f]{64}")


def _note(rules_hash: str) -> Path:
    return data_folder() / "pages" / f"{rules_hash}.txt"


def remember_page(name: str, game: Game) -> None:
    """Remember where the rules of a game are, if the user named their file."""
    if name.startswith(library.OPENSPIEL):
        return
    choice = library.find(name)
    if not choice.in_library:
        note = _note(game.rules_hash)
        make_folder(note.parent)
        write_file(note, str(choice.path.resolve()))


def find_page(rules_hash: str) -> Path | None:
    """The file with these rules that the user has played from; None if there is none, or it is not there any more."""
    path = noted_page(rules_hash)
    return path if path is not None and path.is_file() else None


def noted_page(rules_hash: str) -> Path | None:
    """Where the file with these rules was when the user played from it; None if the user never did."""
    if not _HASH.fullmatch(rules_hash):
        return None
    try:
        return Path(_note(rules_hash).read_text(encoding="utf-8"))
    except OSError:
        return None
