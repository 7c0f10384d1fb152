"""Kinds of moves and the things they name: pieces, cards, squares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ludens.core import GameError, Move
from ludens.gdl.game import GdlMove
from ludens.gdl.read import read_term
from ludens.gdl.terms import Term, arguments, functor
from ludens.gdl.write import kif

_PLACE = re.compile(r"\d|^[A-Z]{1,3}$|^[A-Z][♠♥♦♣]$")
"""Words that name a place, a number or a card: with a digit, or a few capitals."""
PLACEHOLDER = "…"


@lru_cache(maxsize=1 << 18)
def kind_of(move: Move) -> str:
    """The kind of a move: the name of a GDL term; the words of another text without places, numbers and cards."""
    if isinstance(move, GdlMove):
        return functor(move.term)
    if move.startswith("("):
        return functor(_term(move))
    words = [PLACEHOLDER if _PLACE.search(word) else word for word in move.split()]
    return " ".join(words) or PLACEHOLDER


def things_in(move: Move) -> Iterator[str]:
    """What a move names, by place: ``move 1: pawn`` for the first argument of a GDL term; otherwise its words."""
    if isinstance(move, GdlMove) or move.startswith("("):
        term = move.term if isinstance(move, GdlMove) else _term(move)
        for number, part in enumerate(arguments(term), start=1):
            yield f"{functor(term)} {number}: {kif(part)}"
    else:
        yield from move.split()


def _term(text: str) -> Term:
    try:
        return read_term(text)
    except GameError:
        return text
