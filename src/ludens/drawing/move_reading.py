"""What people type for a move: any of its texts, whatever the dashes, signs, spaces and capitals."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ludens.core import Move

_DASHES = re.compile("[\u2010-\u2015\u2212-]+")
_JUDGEMENT = re.compile(r"[+#!?]+$")
_CASTLING = re.compile(r"0-0(-0)?")
_OTHER = re.compile(r"[\W_]+")
_BETWEEN = re.compile(r"[\s(),]+")


def find_move(text: str, names: Sequence[Mapping[Move, str]]) -> Move | None:
    """The move that a text names; ``names`` are several texts for each move, of which earlier ones count before later
    ones. None if no move is meant, or if it could be several."""
    forms: list[Callable[[str], object]] = [str.strip, _normal, _lower, _bare]
    for form in forms:
        wanted = form(text)
        for named in names if wanted else ():
            found = [move for move, name in named.items() if form(name) == wanted]
            if len(found) == 1:
                return found[0]
    words = _split(text)
    by_arguments = [move for move in names[0] if words and _split(move)[1:] == words]
    return by_arguments[0] if len(by_arguments) == 1 else None


def _normal(text: str) -> str:
    """A text with one kind of dash, and without signs for check or of praise."""
    signless = _JUDGEMENT.sub("", text.strip()) or text.strip()
    one_dash = _DASHES.sub("-", signless.replace("\N{MULTIPLICATION SIGN}", "x"))
    return _CASTLING.sub(lambda castling: castling[0].replace("0", "O"), one_dash)


def _lower(text: str) -> list[str]:
    """A text in lower case, word by word."""
    return _split(_normal(text))


def _bare(text: str) -> str:
    """Only the letters and digits of a text."""
    return _OTHER.sub("", _normal(text)).lower()


def _split(text: str) -> list[str]:
    return [word for word in _BETWEEN.split(text.lower()) if word]
