"""Games of the shelf on the reference reasoner, for the tests of their rules."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import ludens.games
from ludens.gdl.read import read_file
from ludens.gdl.reference import ReferenceGame

SHELF = Path(ludens.games.__file__).parent / "shelf"


@cache
def shelf_game(name: str) -> ReferenceGame:
    return ReferenceGame(read_file(SHELF / f"{name}.kif"), name)
