"""Moves that name an element of the own hand by its number, such as ``light 2``: hands that only the others see."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from ludens.core import Move

_NUMBERED = re.compile(r"(\D*?)\s*(\d+)")


def backs_in_moves(moves: Sequence[Move], backs: Sequence[str]) -> dict[Move, tuple[str, ...]]:
    """The spot of the back that each move names by its number; ``backs`` are the spots in the order of the hand.

    Moves with the same words are about backs if there is one for each of them, counted from 0 or 1.
    """
    groups: dict[str, dict[int, Move]] = defaultdict(dict)
    others: set[str] = set()
    for move in moves:
        if numbered := _NUMBERED.fullmatch(move):
            groups[numbered[1]][int(numbered[2])] = move
        else:
            others.add(move.partition(" ")[0])
    found: dict[Move, tuple[str, ...]] = {}
    for words, numbered_moves in groups.items():
        first = min(numbered_moves)
        is_whole = first in (0, 1) and sorted(numbered_moves) == list(range(first, first + len(backs)))
        if is_whole and words.partition(" ")[0] not in others:
            found |= {move: (backs[number - first],) for number, move in numbered_moves.items()}
    return found
