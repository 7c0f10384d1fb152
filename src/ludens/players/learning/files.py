"""Files of players that learn; each belongs to one game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludens.core import Game, PlayerError
from ludens.core.folders import need_writable

LOG, CURVE = ".csv", ".svg"
"""Suffixes of the files beside the file of a player that learns."""


def plain_name(game: str) -> str:
    """A game's name as part of a file's name: ``connect_four-5-4``."""
    return re.sub(r"\W+", "-", game).strip("-")


def check_new(path: Path) -> None:
    """Raise `PlayerError` if a new training would replace a file, or the log or curve beside it: hours may have gone
    into them.

    Nor may the file have the name of its own log or curve, which would replace it. Raises `LudensError` if its folder
    is not writable.
    """
    need_writable(path.parent)
    if path.suffix in (LOG, CURVE):
        raise PlayerError(f"{path} cannot be the output file: the log and the curve beside it have this suffix")
    if path.exists():
        raise PlayerError(f"{path} already exists: continue with --resume, name another file with --out, or remove it")
    for beside in (path.with_suffix(LOG), path.with_suffix(CURVE)):
        if beside.exists():
            raise PlayerError(f"{beside} already exists and would be replaced; use another --out than {path}")


def check_game(path: Path, content: Mapping[str, Any], game: Game) -> None:
    """Raise `PlayerError` if a file was made for another game, or for other rules of it."""
    if content.get("rules_sha256") == game.rules_hash:
        return
    name = str(content.get("game"))[:100]
    if name != game.name:
        raise PlayerError(f"{path} was made for {name} and cannot play {game.name}")
    raise PlayerError(f"{path} was made for {name} with other rules than it has now; create it again")
