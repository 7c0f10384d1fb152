"""Moves as people write them: ``c2-c4`` instead of ``(move c 2 c 4)``, found from the spots that a move is clicked on.

Nothing here depends on a game: which arguments of a move are coordinates is what the drawing found out, the rest of a
move stays in words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ludens.core import Move

_PLAIN = frozenset({"move", "place", "mark", "put", "drop", "play", "step", "go"})
"""Verbs that say no more than the coordinates do."""
_CELLS = ("cell:", "board:", "point:", "column:")
"""Spots that coordinates can name."""
_SYMBOL = re.compile(r"[^\s()]+")


def write_move(move: Move, spots: Sequence[str] = ()) -> str:
    """A move for people to read; ``spots`` are those that it is clicked on."""
    plain = move[1:-1] if move.startswith("(") and move.endswith(")") else move
    if not spots or not move.startswith("(") or not all(spot.startswith(_CELLS) for spot in spots):
        return plain
    verb, *words = _SYMBOL.findall(move)
    for spot in spots:
        rest = _without(words, spot.split(":")[1:])
        if rest is None:  # the move names places in other words
            return plain
        words = rest
    places = "-".join(_coordinates(spot) for spot in spots)
    is_plain = verb.lower() in _PLAIN and all(spot.count(":") > 1 for spot in spots)
    return " ".join([*([] if is_plain else [verb]), places, *words])


def _without(words: list[str], taken: Sequence[str]) -> list[str] | None:
    """The words without those of a place; None if they do not name it."""
    for start in range(len(words) - len(taken) + 1):
        if words[start : start + len(taken)] == list(taken):
            return words[:start] + words[start + len(taken) :]
    return None


def _coordinates(spot: str) -> str:
    """A place in short: ``c2``, or ``2,3`` if both are numbers."""
    first, *others = spot.split(":")[1:]
    return "".join([first, *others]) if len(first) == 1 and first.isalpha() else ",".join([first, *others])
