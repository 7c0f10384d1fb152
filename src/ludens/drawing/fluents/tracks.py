"""Fluents along a line: rows of squares, rings, columns to climb, the points of backgammon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ludens.drawing.fluents.heaps import MOST
from ludens.drawing.fluents.known import FluentPart, Known, Situation, is_number, readable_name
from ludens.drawing.layouts import ring_at
from ludens.drawing.model import Board, Piece, Place
from ludens.gdl.logic.strata import Signature
from ludens.gdl.terms import arguments, functor
from ludens.gdl.write import kif

_RACE_ROW = 10
"""Squares of a race track in a row."""
_GOING = frozenset({"go", "goto", "move", "move_to", "jump", "run", "walk", "land"})
"""Moves whose number is a square."""


class TrackPart(FluentPart):
    """Numbered places, empty or not: ``(pin 3)``; or one thing that moves along them, ``(wrestler 4)``."""

    def __init__(self, known: Known, sign: Signature, *, walks: bool) -> None:
        super().__init__(known, sign)
        self._walks = walks
        numbers = sorted(map(int, known.domain(sign, 0)))
        self._places = range(numbers[0], numbers[-1] + 1)

    def panels(self, now: Situation) -> list[Board]:
        """One row of squares."""
        name = self._sign[0]
        places = tuple(
            Place(
                f"{name}:{number}", float(n), 0.0, f"{readable_name(name)} {number}" if not self._walks else str(number)
            )
            for n, number in enumerate(self._places)
        )
        piece = self._known.namer.piece([name])
        contents = {f"{name}:{word}": (piece,) for (word,) in now.words(self._sign)}
        columns = tuple((float(n), str(number)) for n, number in enumerate(self._places))
        return [Board(name, "squares", places, contents, columns, look="track" if self._walks else "bar")]

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """All places that a move names."""
        if self._walks or not words or not all(is_number(word) and int(word) in self._places for word in words):
            return ()
        return tuple(f"{self._sign[0]}:{word}" for word in words)


class RacePart(FluentPart):
    """Runners along numbered squares, ``(at red 12)`` or ``(at red 2 12)``: who and where."""

    def __init__(self, known: Known, sign: Signature) -> None:
        super().__init__(known, sign)
        numbers = sorted(map(int, known.domain(sign, sign[1] - 1)))
        self._places = range(numbers[0], numbers[-1] + 1)

    def panels(self, now: Situation) -> list[Board]:
        """Rows of squares, one after the other, and the runners on them."""
        name = self._sign[0]
        places = tuple(
            Place(f"{name}:{number}", float(n % _RACE_ROW), -float(n // _RACE_ROW), f"square {number}")
            for n, number in enumerate(self._places)
        )
        contents: dict[str, tuple[Piece, ...]] = {}
        for *who, where in now.words(self._sign):
            piece = self._known.namer.piece(who)
            spot = f"{name}:{where}"
            contents[spot] = (*contents.get(spot, ()), replace(piece, kind="pawn" if piece.seat >= 0 else piece.kind))
        return [Board(name, "squares", places, contents, look="race")]

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The square of the runner that a move names, or the square it names."""
        for *who, where in now.words(self._sign):
            others = [word for word in who if word != now.mover]
            if others and set(others) & set(words) and (now.mover not in self._known.roles or now.mover in who):
                return (f"{self._sign[0]}:{where}",)
        return tuple(
            f"{self._sign[0]}:{w}" for w in words[-1:] if name in _GOING and is_number(w) and int(w) in self._places
        )


class RingPart(FluentPart):
    """Men that run round a ring, ``(at red 1 7)``; places that are not numbers are drawn beside it.

    If each role counts from its own side, facts such as ``(square red 1 7)`` name the place of the ring.
    """

    def __init__(self, known: Known, sign: Signature) -> None:
        super().__init__(known, sign)
        places = known.domain(sign, 2)
        self._numbers = [int(place) for place in places if is_number(place)]
        self._beside = [place for place in places if not is_number(place)]
        self._square = _counted_from_each_side(known)

    def _where(self, role: str, place: str) -> str:
        if not is_number(place):
            return f"{place}:{role}"
        return f"ring:{self._square.get((role, place), place)}"

    def panels(self, now: Situation) -> list[Board]:
        """The ring, with the places beside it in its middle."""
        colours = self._known.namer.colours
        first = str(min(self._numbers))
        starts = {self._square[role, first]: colours[role] for role in colours if (role, first) in self._square}
        places = [
            Place(f"ring:{number}", *ring_at(n, len(self._numbers)), f"square {number}", starts.get(str(number), ""))
            for n, number in enumerate(self._numbers)
        ]
        side = max(place.x for place in places)
        for n, role in enumerate(self._known.roles):
            for m, name in enumerate(self._beside):
                x, y = 1.5 + m * (side - 3), 1.2 + n * (side - 2.4) / max(1, len(self._known.roles) - 1)
                places.append(Place(f"{name}:{role}", x, y, f"{role}'s {name}", f"beside {name} {colours[role]}"))
        contents: dict[str, tuple[Piece, ...]] = {}
        for role, man, place in now.words(self._sign):
            spot = self._where(role, place)
            seat = self._known.roles.index(role)
            piece = Piece(f"{role} man {man}", "pawn", self._known.namer.colours[role], seat)
            contents[spot] = (*contents.get(spot, ()), piece)
        return [Board(self._sign[0], "squares", tuple(places), contents, look="ring")]

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The place of the man that moves."""
        if len(words) != 1 or now.mover is None:
            return ()
        places = [place for role, man, place in now.words(self._sign) if role == now.mover and man == words[0]]
        return (self._where(now.mover, places[0]),) if places else ()


def _counted_from_each_side(known: Known) -> dict[tuple[str, str], str]:
    places = {}
    for rule in known.game.sheet.rules:
        words = tuple(map(kif, arguments(rule.head)))
        if (
            not rule.body
            and len(words) == 3
            and words[0] in known.roles
            and is_number(words[1])
            and is_number(words[2])
        ):
            places[words[0], words[1]] = words[2]
    return places


class ColumnsPart:
    """Columns that are climbed: ``(position first 7 3)`` for roles, ``(runner 7 4)`` for the role that is climbing."""

    def __init__(self, known: Known, signs: Sequence[Signature], claimed: Signature | None) -> None:
        self._known = known
        self._signs = signs
        self._claimed = claimed
        self.fluents = frozenset(signs) | (frozenset({claimed}) if claimed else frozenset())
        self._heights = {
            kif(words[0]): int(kif(words[1]))
            for rule in known.game.sheet.rules
            if functor(rule.head) == "length" and not rule.body and len(words := arguments(rule.head)) == 2
        }

    def panels(self, now: Situation) -> list[Board]:
        """All columns, their middles level."""
        contents: dict[str, tuple[Piece, ...]] = {}
        for sign in self._signs:
            for words in now.words(sign):
                *owner, column, height = words
                piece = self._known.namer.piece(owner) if owner else Piece("runner", "peg", "white")
                spot = f"column:{column}:{height}"
                contents[spot] = (*contents.get(spot, ()), piece)
        for column, role in now.words(self._claimed) if self._claimed else ():
            piece = self._known.namer.piece([role])
            spot = f"column:{column}:{self._heights[column]}"
            contents[spot] = (*contents.get(spot, ()), piece)
        return [climbing_board(self._heights, contents)]

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """The columns that are climbed."""
        columns = [f"column:{word}" for word in words if word in self._heights]
        return tuple(dict.fromkeys(columns)) if len(columns) == len(words) else ()


def climbing_board(heights: dict[str, int], contents: dict[str, tuple[Piece, ...]]) -> Board:
    """Columns of squares of different heights, their middles level."""
    tallest = max(heights.values())
    places = [
        Place(f"column:{column}:{height}", float(x), (tallest - top) / 2 + height - 1, f"{column}, step {height}")
        for x, (column, top) in enumerate(heights.items())
        for height in range(1, top + 1)
    ]
    columns = tuple((float(x), column) for x, column in enumerate(heights))
    drops = {column: f"column:{column}" for column in heights}
    return Board("columns", "squares", tuple(places), contents, columns, drops=drops, look="columns")


class PointsPart(FluentPart):
    """Backgammon: ``(at white 24 2)``, each role counting from its own side, 25 being the bar; ``(off white 0)``."""

    def __init__(self, known: Known, sign: Signature, off: Signature | None) -> None:
        super().__init__(known, sign, off)
        self._off = off

    def _spot(self, role: str, point: int) -> str:
        seat = self._known.roles.index(role)
        if point >= 25 or point <= 0:
            return f"{'bar' if point >= 25 else 'off'}:{role}"
        return f"point:{point if seat == 0 else 25 - point}"

    def panels(self, now: Situation) -> list[Board]:
        """24 points, the bar, and the checkers borne off."""
        contents: dict[str, tuple[Piece, ...]] = {}
        for role, point, count in now.words(self._sign):
            contents[self._spot(role, int(point))] = self._checkers(role, int(count))
        for role, count in now.words(self._off) if self._off else ():
            contents[self._spot(role, 0)] = self._checkers(role, int(count))
        return [backgammon_board(self._known.roles, {spot: pieces for spot, pieces in contents.items() if pieces})]

    def _checkers(self, role: str, count: int) -> tuple[Piece, ...]:
        seat = self._known.roles.index(role)
        return (Piece(f"{role} checker", "disc", self._known.namer.colours[role], seat),) * min(count, MOST)

    def spots(self, name: str, words: Sequence[str], now: Situation) -> tuple[str, ...]:
        """From a point by the pips of a die."""
        if len(words) != 2 or now.mover is None or not all(map(is_number, words)):
            return ()
        start, pips = map(int, words)
        return self._spot(now.mover, start), self._spot(now.mover, start - pips)


def backgammon_board(roles: Sequence[str], contents: dict[str, tuple[Piece, ...]]) -> Board:
    """A board of backgammon, points numbered from the first role's side."""
    places = [Place(f"point:{n}", float(n), 0.0, f"point {n}", f"point {n}") for n in range(1, 25)]
    for seat, role in enumerate(roles):
        places.append(Place(f"bar:{role}", 0.0, 0.0, f"{role}'s bar", f"bar {seat}"))
        places.append(Place(f"off:{role}", 0.0, 0.0, f"{role}'s borne off", f"off {seat}"))
    return Board("points", "backgammon", tuple(places), contents)
