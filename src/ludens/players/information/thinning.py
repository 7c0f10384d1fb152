"""Leaves out moves of large families that differ in one number, such as a hundred raises."""

from __future__ import annotations

import re
from functools import lru_cache

from ludens.core import Move

_NUMBER = re.compile(r"(?<!\w)\d+(?!\w)")
_MOST_ALIKE = 20
"""Moves that differ in one number are all tried if there are no more than this."""
_ALIKE = 5
"""How many of more are tried."""


@lru_cache(maxsize=4096)
def thin_out(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """Moves, with a few of those that differ in one number only: a search that tries a hundred raises learns of none.

    The lowest and the highest number stay, and some between at growing distances.
    """
    families: dict[str, list[tuple[int, Move]]] = {}
    for move in moves:
        numbers = _NUMBER.findall(move)
        if len(numbers) == 1:
            families.setdefault(_NUMBER.sub("#", move), []).append((int(numbers[0]), move))
    dropped: set[Move] = set()
    for family in families.values():
        if len(family) <= _MOST_ALIKE:
            continue
        family.sort()
        last = len(family) - 1
        kept = {round((last + 1) ** (n / (_ALIKE - 1))) - 1 for n in range(_ALIKE)}
        dropped |= {move for place, (_, move) in enumerate(family) if place not in kept}
    return tuple(move for move in moves if move not in dropped) if dropped else moves
