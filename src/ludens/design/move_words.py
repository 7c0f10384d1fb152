"""Kinds of moves and the things they name: pieces, cards, squares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

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


class Thing(NamedTuple):
    """Something that a move names."""

    text: str
    """Such as ``(move pawn … …)`` for the first argument of a GDL term; otherwise a word."""
    place: str
    """Where it stands, such as ``move 1``; empty for a word."""
    value: str


def things_in(move: Move) -> Iterator[Thing]:
    """What a move names: the arguments of a GDL term, or the words of another text."""
    if isinstance(move, GdlMove) or move.startswith("("):
        term = move.term if isinstance(move, GdlMove) else _term(move)
        name, parts = functor(term), arguments(term)
        for number, part in enumerate(parts):
            words = [kif(part) if number == place else PLACEHOLDER for place in range(len(parts))]
            yield Thing(f"({name} {' '.join(words)})", f"{name} {number + 1}", kif(part))
    else:
        yield from (Thing(word, "", word) for word in move.split())


def _term(text: str) -> Term:
    try:
        return read_term(text)
    except GameError:
        return text
