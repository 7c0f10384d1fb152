"""Boards of boards: fluents with two pairs of coordinates, ``(cell 3 1 2 2 x)``, drawn as one board."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.drawing.fluents.known import FluentPart, Known, Situation, readable_name
from ludens.drawing.model import Board, Piece, Place
from ludens.gdl.board import BLANKS, looks_like_axis
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import arguments
from ludens.gdl.write import kif

_COORDINATES = 4
_MOST_SIDE = 5
_LEAST_FILLED = 0.45
"""The share of all squares that facts or first moves must name."""


class NestedPart(FluentPart):
    """One board whose squares have the coordinates of a block and those within it."""

    def __init__(
        self, known: Known, sign: Signature, axes: Sequence[Sequence[str]], marks: Sequence[Signature]
    ) -> None:
        super().__init__(known, sign)
        self.fluents |= set(marks)
        self._axes = axes
        self._marks = marks
        outer_x, outer_y, inner_x, inner_y = axes
        places = [
            Place(
                self._spot((a, b, c, d)), float(i * len(inner_x) + k), float(j * len(inner_y) + m), f"{a} {b}, {c} {d}"
            )
            for i, a in enumerate(outer_x)
            for j, b in enumerate(outer_y)
            for k, c in enumerate(inner_x)
            for m, d in enumerate(inner_y)
        ]
        blocks = len(inner_x) if len(inner_x) == len(inner_y) else 0
        self._board = Board(sign[0], "squares", tuple(places), {}, blocks=blocks)

    def _spot(self, words: Sequence[str]) -> str:
        return ":".join([self._sign[0], *words])

    def panels(self, now: Situation) -> list[Board]:
        """The board with its contents; blocks that other facts name are marked."""
        contents: dict[str, tuple[Piece, ...]] = {}
        for words in now.words(self._sign):
            content = words[_COORDINATES:]
            if len(content) == 1 and content[0].lower() in BLANKS:
                continue
            spot = self._spot(words[:_COORDINATES])
            piece = self._known.namer.piece(content) if content else Piece(readable_name(self._sign[0]), "disc")
            contents[spot] = (*contents.get(spot, ()), piece)
        named = {words for sign in self._marks for words in now.words(sign)}
        marked = frozenset(place.spot for place in self._board.places if tuple(place.spot.split(":")[1:3]) in named)
        board = self._board.with_contents(contents)
        return [Board(board.key, board.shape, board.places, contents, blocks=board.blocks, marked=marked)]

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The squares that a move names by all four coordinates."""
        found = []
        n = 0
        while n + _COORDINATES <= len(words):
            four = words[n : n + _COORDINATES]
            if all(word in axis for word, axis in zip(four, self._axes, strict=True)):
                found.append(self._spot(four))
                n += _COORDINATES
            else:
                n += 1
        return tuple(found)


def nested_of(known: Known, sign: Signature) -> NestedPart | None:
    """The board of boards that a fluent lies on, if its first four arguments are coordinates."""
    if sign[1] < _COORDINATES:
        return None
    facts = known.facts[sign]
    axes = [known.domain(sign, n) for n in range(_COORDINATES)]
    if not all(2 <= len(axis) <= _MOST_SIDE and looks_like_axis(axis) for axis in axes):
        return None
    squares = {tuple(map(kif, arguments(fact)[:_COORDINATES])) for fact in facts}
    squares |= {tuple(map(kif, arguments(move)[:_COORDINATES])) for move in known.moves if len(arguments(move)) >= 4}
    squares = {square for square in squares if all(word in axis for word, axis in zip(square, axes, strict=True))}
    size = len(axes[0]) * len(axes[1]) * len(axes[2]) * len(axes[3])
    if len(squares) < _LEAST_FILLED * size or not known.is_unique(sign, range(_COORDINATES)):
        return None
    if sign[1] == _COORDINATES and sign in known.start and known.is_unique(sign, range(_COORDINATES - 1)):
        return None  # the last argument is what lies on a square of several boards
    marks = [
        other
        for other in sorted(known.facts)
        if other[1] == 2 and set(known.domain(other, 0)) <= set(axes[0]) and set(known.domain(other, 1)) <= set(axes[1])
    ]
    return NestedPart(known, sign, axes, marks)
