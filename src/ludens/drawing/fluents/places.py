"""Fluents of location without a board: cards on piles, things in boxes, blocks on blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ludens.drawing.fluents.heaps import MOST
from ludens.drawing.fluents.known import FluentPart, Known, Situation, readable_name
from ludens.drawing.looks.cards import are_cards
from ludens.drawing.model import Board, Piece, Place, Row
from ludens.gdl.board import BLANKS
from ludens.gdl.logic.strata import Signature

_NOTHING = BLANKS | {"nothing"}
_LEAST_THINGS = 3


class PlacesPart(FluentPart):
    """Things in named places: ``(top left ace_spades)``, ``(at goat west)``."""

    def __init__(self, known: Known, sign: Signature, place: int, kind: str) -> None:
        super().__init__(known, sign)
        self._place = place
        self._kind = kind
        self._places = known.domain(sign, place)
        self._things = set(known.domain(sign, 1 - place))

    def panels(self, now: Situation) -> list[Row]:
        """A row for each place."""
        rows = []
        for place in self._places:
            lying = [words[1 - self._place] for words in now.words(self._sign) if words[self._place] == place][:MOST]
            pieces = tuple(
                replace(self._known.namer.piece([word]), spot=self._spot(word))
                for word in lying
                if word.lower() not in _NOTHING
            )
            title = f"{readable_name(self._sign[0])} {readable_name(place)}"
            rows.append(Row(f"{self._sign[0]}:{place}", title, pieces, self._kind, self._spot(place)))
        return rows

    def _spot(self, word: str) -> str:
        return f"{self._sign[0]}:{word}"

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The visible things and places that a move names."""
        lying = {words[1 - self._place] for words in now.words(self._sign)}
        return tuple(self._spot(word) for word in words if word in lying or word in self._places)


class StacksPart(FluentPart):
    """Things on each other: ``(on a b)``, ``(on b table)``."""

    def __init__(self, known: Known, sign: Signature) -> None:
        super().__init__(known, sign)
        self._things = known.domain(sign, 0)
        self._grounds = [word for word in known.domain(sign, 1) if word not in self._things]

    def panels(self, now: Situation) -> list[Board]:
        """The stacks beside each other, followed by a free place on each ground."""
        below = {words[0]: words[1] for words in now.words(self._sign)}
        stacks = [list(self._upward(thing, below)) for thing in sorted(below) if below[thing] not in below]
        places = [Place(f"{self._sign[0]}:stack:{n}", float(n), 0.0, "", "plain") for n in range(len(stacks))]
        contents = {place.spot: tuple(map(self._piece, stack)) for place, stack in zip(places, stacks, strict=True)}
        for ground in self._grounds:
            places.append(Place(self._spot(ground), float(len(places)), 0.0, readable_name(ground), "ground"))
        return [Board(self._sign[0], "heaps", tuple(places), contents)]

    def _upward(self, thing: str, below: dict[str, str]) -> Iterator[str]:
        """The things stacked on a thing, bottom to top."""
        seen = set()
        while thing not in seen:
            seen.add(thing)
            yield thing
            thing = next((other for other, under in below.items() if under == thing), thing)

    def _piece(self, thing: str) -> Piece:
        piece = self._known.namer.piece([thing])
        return replace(piece, kind=f"tile {piece.kind or thing}", spot=self._spot(thing))

    def _spot(self, word: str) -> str:
        return f"{self._sign[0]}:{word}"

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The things and grounds that a move names."""
        return tuple(self._spot(word) for word in words if word in self._things or word in self._grounds)


def places_of(known: Known, sign: Signature) -> PlacesPart | StacksPart | None:
    """The part for a binary fluent of things and places; None if it is something else."""
    if sign[1] != 2 or known.is_role(sign, 0) or known.is_role(sign, 1):
        return None
    start = len(known.start.get(sign, ()))
    first, second = known.domain(sign, 0), known.domain(sign, 1)
    for place, things, places in ((0, second, first), (1, first, second)):
        if start > 1 and are_cards([word for word in things if word.lower() not in _NOTHING]) and len(places) <= MOST:
            return PlacesPart(known, sign, place, "cards")
    if start < _LEAST_THINGS or known.is_number(sign, 0) or known.is_number(sign, 1) or not known.is_unique(sign, [0]):
        return None
    if len(set(first) & set(second)) > 1 and set(second) - set(first):
        return StacksPart(known, sign)
    is_in_few = 2 <= len(second) < len(first) and not set(first) & set(second)
    named = known.words_of_moves()
    if is_in_few and len(named & set(first)) > 1:
        return PlacesPart(known, sign, 1, "pieces")
    return None
