"""Fluents of possession and choice: hands of cards, things, dice, doors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ludens.drawing.fluents.heaps import MOST
from ludens.drawing.fluents.known import FluentPart, Known, Situation, is_number, readable_name
from ludens.drawing.model import Piece, Row
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import arguments
from ludens.gdl.write import kif


class HandsPart(FluentPart):
    """The things that each role holds, ``(holds first jack)``, or how many of each, ``(in_hand black pawn 2)``."""

    def __init__(self, known: Known, sign: Signature, kind: str, *, are_words: bool = False) -> None:
        super().__init__(known, sign)
        self._kind = kind
        self._are_words = are_words

    def panels(self, now: Situation) -> list[Row]:
        """A row for each role; backs for hidden things of others."""
        rows = []
        for seat, role in enumerate(self._known.roles):
            held = self._held(role, now)
            pieces = [
                replace(
                    self._known.namer.piece([word]),
                    spot=self._spot(role, word),
                    count=count,
                    is_word=self._are_words,
                )
                for word, count in list(held.items())[:MOST]
            ]
            unseen = [fact for fact in now.possible.get(self._sign, ()) if kif(arguments(fact)[0]) == role]
            if unseen and not any(owner == role for owner, *_ in now.words(self._sign)):
                pieces = [Piece("face down", "", is_hidden=True)]
            if pieces:
                title = f"{role}'s hand" if self._kind == "cards" else f"{role}: {readable_name(self._sign[0])}"
                rows.append(Row(f"{self._sign[0]}:{role}", title, tuple(pieces), self._kind, seat=seat))
        return rows

    def _held(self, role: str, now: Situation) -> dict[str, int]:
        """The things of a role, and how many of each."""
        counts = {
            word: int(number[0]) if number else 1 for owner, word, *number in now.words(self._sign) if owner == role
        }
        return {word: count for word, count in counts.items() if count}

    def _spot(self, role: str, word: str) -> str:
        return f"{self._sign[0]}:{role}:{word}"

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The role's thing that a move names."""
        held = self._held(now.mover or "", now)
        return tuple(self._spot(now.mover or "", word) for word in words if word in held)


class ThingsPart(FluentPart):
    """Things without a place: ``(left tdrh)``, ``(prize 3)``."""

    def __init__(self, known: Known, sign: Signature, kind: str, *, are_words: bool = False) -> None:
        super().__init__(known, sign)
        self._kind = kind
        self._are_words = are_words

    def panels(self, now: Situation) -> list[Row]:
        """All of them in a row."""
        pieces = tuple(
            replace(self._known.namer.piece(words), spot=f"{self._sign[0]}:{':'.join(words)}", is_word=self._are_words)
            for words in now.words(self._sign)[:MOST]
        )
        return [Row(self._sign[0], readable_name(self._sign[0]), pieces, self._kind)] if pieces else []

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The things that a move names."""
        lying = {things for (things, *_) in now.words(self._sign)}
        return tuple(f"{self._sign[0]}:{word}" for word in words if word in lying)


class DicePart:
    """Dice: ``(dice 5 1 3)``; or a die and its count, ``(double 5 4)``."""

    def __init__(self, sign: Signature, *, repeats: bool = False) -> None:
        self._sign = sign
        self._repeats = repeats
        self.fluents = frozenset({sign})

    def _dice(self, now: Situation) -> list[tuple[str, ...]]:
        if self._repeats:
            return [(die,) * min(int(count), MOST) for die, count in now.words(self._sign)]
        return now.words(self._sign)

    def panels(self, now: Situation) -> list[Row]:
        """The dice in order."""
        return [
            Row(
                self._sign[0],
                readable_name(self._sign[0]),
                tuple(Piece(f"die {word}", word, spot=self._spot(n)) for n, word in enumerate(words, start=1)),
                "dice",
            )
            for words in self._dice(now)
        ]

    def _spot(self, number: int) -> str:
        return f"{self._sign[0]}:{number}"

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The dice that are rerolled: those that a move does not keep."""
        lying = next(iter(self._dice(now)), ())
        if len(words) != len(lying) or all(word == shown for word, shown in zip(words, lying, strict=True)):
            return ()
        if any(is_number(word) and word != shown for word, shown in zip(words, lying, strict=True)):
            return ()
        return tuple(self._spot(n) for n, word in enumerate(words, start=1) if not is_number(word))


class DoorsPart:
    """Numbered doors described by several fluents: ``(opened 3)``, ``(car 2)``."""

    def __init__(self, known: Known, signs: Sequence[Signature]) -> None:
        self._signs = signs
        self.fluents = frozenset(signs)
        self._doors = sorted({word for sign in signs for word in known.domain(sign, 0)} | {"1", "2", "3"})

    def panels(self, now: Situation) -> list[Row]:
        """The doors in a row."""
        pieces = []
        for door in self._doors:
            words = [sign[0] for sign in self._signs if (door,) in now.words(sign)]
            pieces.append(
                Piece(f"door {door} {' '.join(words)}".strip(), " ".join(["door", *words]), spot=f"door:{door}")
            )
        return [Row("doors", "doors 1 to " + self._doors[-1], tuple(pieces), "pieces")]

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The door that a move names."""
        return tuple(f"door:{word}" for word in words if word in self._doors)
