"""Moves that name dice by what they show, such as ``keep 5 1``: players click the dice."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ludens.core import Move

_WORD = re.compile(r"\w+")
_BOOKKEEPING = re.compile(r" \+ (?:set|del|mark) .*?(?= \+ |$)")
"""Parts of the text of a combined action that say what is noted: ``keep 5 1 + set table throws 2``."""


def dice_in_moves(moves: Sequence[Move], dice: Sequence[tuple[str, str]]) -> dict[Move, tuple[str, ...]]:
    """The spots of the dice that each move names; ``dice`` are what they show, with their spots.

    Nothing is found if a number is not on the dice (a bid, a sum), or could be the place of a die as well.
    """
    if len(moves) < 2:
        return {}
    faces = {face for face, _ in dice}
    texts = {move: _BOOKKEEPING.sub("", move) for move in moves}
    named = {move: [word for word in _WORD.findall(texts[move]) if word in faces or word.isdecimal()] for move in moves}
    places = [str(number) for number, _ in enumerate(dice, 1)]
    if [face for face, _ in dice] != places and {word for words in named.values() for word in words} == set(places):
        return {}
    found: dict[Move, tuple[str, ...]] = {}
    for move, words in named.items():
        left = list(dice)
        spots = []
        for word in words:
            die = next((die for die in left if die[0] == word), None)
            if die is None:
                return {}
            left.remove(die)
            spots.append(die[1])
        found[move] = tuple(spots)
    return found
