"""Fluents that count things in places: heaps, houses with seeds, discs on pegs."""

from __future__ import annotations

from collections.abc import Sequence

from ludens.drawing.fluents.known import FluentPart, Known, Situation, readable_name
from ludens.drawing.model import Board, Piece, Place
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import arguments
from ludens.gdl.write import kif

MOST = 200
"""The maximum number of things drawn in one place, since rule sheets may count to any number."""


_HEIGHTS = {
    "top": -2,
    "upper": -2,
    "north": -2,
    "middle": 0,
    "centre": 0,
    "center": 0,
    "lower": 2,
    "bottom": 2,
    "south": 2,
}
"""The positions of rows named by their place."""


class HeapsPart(FluentPart):
    """Heaps by name: ``(heap a 5)``. A click on a thing takes it and all above it."""

    def __init__(self, known: Known, sign: Signature) -> None:
        super().__init__(known, sign)
        self._names = known.domain(sign, 0)
        heights = {kif(fact[1]): kif(fact[2]) for fact in known.start.get(sign, ()) if isinstance(fact, tuple)}
        named = [(kif(words[0]), kif(words[1])) for move in known.moves if len(words := arguments(move)) == 2]
        self._says_rest = any(rest == "0" for _, rest in named) and not any(heights.get(h) == n for h, n in named)
        """True if moves name the rest of a heap, not the number taken."""

    def _counts(self, now: Situation) -> dict[str, int]:
        return {name: int(count) for name, count in now.words(self._sign)}

    def panels(self, now: Situation) -> list[Board]:
        """All heaps beside each other."""
        counts = self._counts(now)
        kind = self._known.hints.pieces.get(self._sign[0], "stone")
        places = tuple(
            Place(f"{self._sign[0]}:{name}", float(n), 0.0, f"{readable_name(self._sign[0])} {name}")
            for n, name in enumerate(self._names)
        )
        contents = {
            f"{self._sign[0]}:{name}": tuple(
                Piece(kind, kind, "brown", spot=f"{self._sign[0]}:{name}:{number + 1}")
                for number in range(min(counts.get(name, 0), MOST))
            )
            for name in self._names
        }
        return [Board(self._sign[0], "heaps", places, contents)]

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The lowest thing that is taken."""
        if len(words) != 2 or words[0] not in self._names or not words[1].isdecimal():
            return ()
        height = self._counts(now).get(words[0], 0)
        lowest = int(words[1]) + 1 if self._says_rest else height - int(words[1]) + 1
        return (f"{self._sign[0]}:{words[0]}:{lowest}",) if 1 <= lowest <= min(height, MOST) else ()


class PitsPart(FluentPart):
    """Houses in a row for each role, ``(seeds south 1 4)``, and a store at its end, ``(store south 0)``."""

    def __init__(self, known: Known, sign: Signature, stores: Signature | None) -> None:
        super().__init__(known, sign, stores)
        self._stores = stores
        self._houses = known.domain(sign, 1)

    def panels(self, now: Situation) -> list[Board]:
        """Two rows of houses between the stores."""
        last = len(self._houses) - 1
        places, contents = [], {}
        counts = {(role, house): int(count) for role, house, count in now.words(self._sign)}
        for seat, role in enumerate(self._known.roles):
            for n, house in enumerate(self._houses):
                spot = f"{self._sign[0]}:{role}:{house}"
                x = float(n if seat == 0 else last - n)
                places.append(Place(spot, x, -float(seat) if seat < 2 else float(seat), f"{role}'s house {house}"))
                contents[spot] = _seeds(counts.get((role, house), 0))
        for role, count in now.words(self._stores) if self._stores else ():
            seat = self._known.roles.index(role)
            spot = f"{self._stores[0] if self._stores else ''}:{role}"
            places.append(Place(spot, last + 1.0 if seat == 0 else -1.0, -0.5, f"{role}'s store", "store"))
            contents[spot] = _seeds(int(count))
        # The first role's houses are the lower row, whichever role looks.
        lowered = tuple(Place(p.spot, p.x, -1.0 - p.y if p.note != "store" else -0.5, p.name, p.note) for p in places)
        return [Board(self._sign[0], "pits", lowered, contents)]

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The house that is emptied; the role's own if a move names only its number."""
        if len(words) == 1 and words[0] in self._houses and now.mover:
            return (f"{self._sign[0]}:{now.mover}:{words[0]}",)
        if len(words) == 2 and words[0] in self._known.roles and words[1] in self._houses:
            return (f"{self._sign[0]}:{words[0]}:{words[1]}",)
        return ()


def _seeds(count: int) -> tuple[Piece, ...]:
    return (Piece("seed", "seed", "brown"),) * min(count, MOST)


class PegsPart:
    """Things on top of each other, ``(on 1 a)``: the smaller the number, the smaller the disc."""

    def __init__(self, known: Known, sign: Signature) -> None:
        self._sign = sign
        self.fluents = frozenset({sign})
        self._pegs = known.domain(sign, 1)
        self._discs = known.domain(sign, 0)

    def panels(self, now: Situation) -> list[Board]:
        """The pegs beside each other."""
        places = tuple(Place(f"peg:{peg}", float(n), 0.0, f"peg {peg}") for n, peg in enumerate(self._pegs))
        contents = {
            f"peg:{peg}": tuple(
                Piece(f"disc {disc}", f"{self._discs.index(disc) + 1}/{len(self._discs)}", "teal")
                for disc, on in reversed(now.words(self._sign))
                if on == peg
            )
            for peg in self._pegs
        }
        return [Board(self._sign[0], "pegs", places, contents)]

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """From one peg to another."""
        return tuple(f"peg:{word}" for word in words if word in self._pegs)


class HousesPart:
    """Houses in rows without an owner, with numbers of seeds: ``(house top 3 4)``."""

    def __init__(self, known: Known, sign: Signature) -> None:
        self._sign = sign
        self.fluents = frozenset({sign})
        self._rows = known.domain(sign, 0)
        self._columns = known.domain(sign, 1)

    def panels(self, now: Situation) -> list[Board]:
        """All rows, the first one uppermost."""
        rows = sorted(self._rows, key=lambda row: (_HEIGHTS.get(row.lower(), 0), self._rows.index(row)))
        places, contents = [], {}
        for row, column, count in now.words(self._sign):
            spot = self._spot(row, column)
            x, y = float(self._columns.index(column)), -float(rows.index(row))
            places.append(Place(spot, x, y, f"{readable_name(self._sign[0])} {readable_name(row)} {column}"))
            contents[spot] = _seeds(int(count))
        return [Board(self._sign[0], "pits", tuple(places), contents)] if places else []

    def _spot(self, row: str, column: str) -> str:
        return f"{self._sign[0]}:{row}:{column}"

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The house that a move names."""
        if len(words) != 2 or words[0] not in self._rows or words[1] not in self._columns:
            return ()
        return (self._spot(words[0], words[1]),)
