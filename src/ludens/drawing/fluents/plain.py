"""Normalises facts and moves to one word per argument, so that all notations of coordinates are recognised.

``(at (square 3 4) x)`` becomes ``(at 3 4 x)``, ``(cell b2 wp)`` becomes ``(cell b 2 wp)`` if every value there is a
letter and a number, and ``(heap a s3)`` becomes ``(heap a 3)`` if there is also an ``s0``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from ludens.gdl.terms import Term, Variable, arguments, functor

_SQUARE = re.compile(r"([A-Za-z])(\d{1,2})")
_LEAST_FILLED = 0.45
"""The share of a rectangle of letters and numbers that must be names of squares."""
_LEAST_SQUARES = 6
_LEAST_NUMBERS = 3


class Plain:
    """Makes facts and moves of one game plain."""

    def __init__(self, facts: Iterable[Term]) -> None:
        domains: dict[tuple[str, int, int], set[Term]] = defaultdict(set)
        for fact in facts:
            flat = tuple(_flat(fact))
            for n, word in enumerate(flat):
                domains[(functor(fact), len(flat), n)].add(word)
        self._squares = frozenset(word for words in domains.values() if _are_squares(words) for word in words)
        self._numbers = {letter for words in domains.values() if (letter := _numbering(words))}

    def __call__(self, term: Term) -> Term:
        """The same with one word for each thing."""
        words = tuple(self.words(term))
        return (functor(term), *words) if words else term

    def words(self, term: Term) -> Iterator[Term]:
        """The arguments, with compound ones and names of squares split."""
        for word in _flat(term):
            match = _SQUARE.fullmatch(word) if isinstance(word, str) else None
            if match and word in self._squares:
                yield from match.groups()
            elif match and match[1] in self._numbers:
                yield match[2]
            else:
                yield word


def _flat(term: Term) -> Iterator[Term]:
    for word in arguments(term):
        if isinstance(word, tuple):
            yield from _flat(word)
        elif not isinstance(word, Variable):
            yield word


def _are_squares(words: set[Term]) -> bool:
    matches = [_SQUARE.fullmatch(word) for word in words if isinstance(word, str)]
    squares = [match for match in matches if match]
    if len(squares) < len(words) or len(squares) < _LEAST_SQUARES:
        return False
    letters, numbers = {match[1] for match in squares}, {match[2] for match in squares}
    gaps = ord(max(letters)) - ord(min(letters)) + 1 - len(letters)
    if gaps > len(letters) // 3:
        return False  # signs and numbers, such as p2 and n2 for 2 and -2
    return min(len(letters), len(numbers)) > 1 and len(squares) >= _LEAST_FILLED * len(letters) * len(numbers)


def _numbering(words: set[Term]) -> str:
    """The letter before the numbers, if words are numbers from 0 on with one letter before them: ``s0``, ``s1``."""
    matches = [_SQUARE.fullmatch(word) for word in words if isinstance(word, str)]
    found = [match for match in matches if match]
    letters, numbers = {match[1] for match in found}, {match[2] for match in found}
    is_whole = len(found) == len(words) >= _LEAST_NUMBERS and len(letters) == 1
    return letters.pop() if is_whole and "0" in numbers else ""
