"""Files of learning players, bound to the game that they were made for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludens.core import Game, PlayerError
from ludens.core.folders import need_writable

LOG, CURVE = ".csv", ".svg"
"""Endings of what lies beside the file of a player that learns."""


def check_new(path: Path) -> None:
    """Raise `PlayerError` if a file that would be begun anew is there already, or the log or curve beside it: hours may
    have gone into them.

    Neither may it have the name of its own log or curve, which would replace it. Raises `LudensError` if its folder
    takes no files.
    """
    need_writable(path.parent)
    if path.suffix in (LOG, CURVE):
        raise PlayerError(f"{path} cannot be the file to learn into: the log and the curve beside it end so")
    if path.exists():
        raise PlayerError(f"{path} is there already: --resume goes on with it, --out names another, or remove it")
    for beside in (path.with_suffix(LOG), path.with_suffix(CURVE)):
        if beside.exists():
            raise PlayerError(f"{beside} is there already, and would be replaced: --out names another file than {path}")


def check_game(path: Path, content: Mapping[str, Any], game: Game) -> None:
    """Raise `PlayerError` if what a file holds was made for another game, or for other rules of it."""
    if content.get("rules_sha256") == game.rules_hash:
        return
    name = str(content.get("game"))[:100]
    if name != game.name:
        raise PlayerError(f"{path} was made for {name}, and cannot play {game.name}")
    raise PlayerError(f"{path} was made for {name} with other rules than it has now; make it again")
