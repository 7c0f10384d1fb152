"""From the fluents of a GDL game to panels: boards and their contents, heaps, hands and counters.

The rules declare none of it, so it is inferred once for each game from all known fluents, and cached; the card may give
hints.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

from ludens.core import Move, Role
from ludens.drawing.fluents.boards import OVERLAYS, grid_of_moves, grids_of, several_boards
from ludens.drawing.fluents.graph import graph_of
from ludens.drawing.fluents.grid import GridPart
from ludens.drawing.fluents.hands import DicePart, DoorsPart, HandsPart, ThingsPart
from ludens.drawing.fluents.heaps import HeapsPart, HousesPart, PegsPart, PitsPart
from ludens.drawing.fluents.known import Known, Part, Situation
from ludens.drawing.fluents.nested import nested_of
from ludens.drawing.fluents.places import PlacesPart, places_of
from ludens.drawing.fluents.rest import RestPart, ScoresPart, code_guesses, percept_lines
from ludens.drawing.fluents.tracks import ColumnsPart, PointsPart, RacePart, RingPart, TrackPart
from ludens.drawing.hints import Hints
from ludens.drawing.looks.cards import are_cards, is_card
from ludens.drawing.model import Facts, Panel, Picture
from ludens.drawing.sight import FactsSeen
from ludens.gdl.board import find_grids
from ludens.gdl.game import GdlGame, GdlMove
from ludens.gdl.logic.strata import Signature
from ludens.gdl.source import GdlError
from ludens.gdl.terms import Term, arguments, functor, signature
from ludens.gdl.write import kif

_TURN = frozenset({"control", "turn", "to_move", "whose_turn", "mover"})
"""Usual names of the fluent for the role to move."""
_LONGEST_TRACK = 80
_SHORTEST_RACE = 6
_FEWEST_HOUSES = 4
_POSITIONS = frozenset({"at", "pos", "position", "location", "loc", "place", "square", "stands", "token", "runner"})
"""Names of fluents for the position of a runner."""
_HANDS = frozenset({"hand", "in_hand", "hold", "holds", "holding", "held", "has", "has_card", "card", "cards", "dealt"})
"""Usual names of the fluent for cards in hands."""
_NAME_WORDS = re.compile(r"[^\W\d_]+|\d+")
_DICE = frozenset({"dice", "die", "thrown", "rolled"})


class GdlReader:
    """Reads the states of one game into pictures."""

    def __init__(self, game: GdlGame, hints: Hints, picture: str, seconds: float = math.inf) -> None:
        self.game = game
        self.hints = hints
        self._known = Known(game, hints, picture, seconds)
        self.is_provisional = not self._known.is_whole
        """True if more seconds might show fluents that it does not know."""
        self._turn = next((sign for sign in self._known.facts if sign[1] == 1 and sign[0].lower() in _TURN), None)
        self.parts = self._find_parts()

    def _find_parts(self) -> list[Part]:
        known = self._known
        parts: list[Part] = list(self._named_parts())
        taken = {sign for part in parts for sign in part.fluents}
        taken |= {sign for sign in known.facts if known.hints.parts.get(sign[0]) == "none"}
        counted = [sign for sign in sorted(known.facts) if known.hints.parts.get(sign[0]) == "score"]
        taken |= set(counted)
        taken |= {self._turn} if self._turn else set()
        for sign in sorted(set(known.facts) - taken):
            if nested := nested_of(known, sign):
                parts.append(nested)
                taken |= nested.fluents
        free = {
            sign: facts
            for sign, facts in known.facts.items()
            if sign not in taken and known.hints.parts.get(sign[0]) not in OVERLAYS
        }
        start = [fact for sign in free for fact in known.start.get(sign, ())]
        grids = find_grids(start, [fact for facts in free.values() for fact in facts])
        if several := several_boards(known, free):
            grids = [several, *(grid for grid in grids if grid.fluent != several.fluent)]
        boards = grids_of(known, grids or grid_of_moves(known, free))
        taken |= {sign for board in boards for sign in board.fluents}
        parts = [*boards, *parts]
        scores = counted
        for sign in sorted(set(known.facts) - taken):
            if part := self._infer_part(sign):
                parts.append(part)
                taken |= part.fluents
            elif self._is_score(sign):
                scores.append(sign)
                taken.add(sign)
        if scores:
            parts.append(ScoresPart(known, scores))
        parts.append(RestPart(sorted(set(known.facts) - taken)))
        return parts

    def _named_parts(self) -> Iterator[Part]:
        """The parts that the card names."""
        known = self._known
        for sign in sorted(known.facts):
            match known.hints.parts.get(sign[0]), sign[1]:
                case "heaps", 2:
                    yield HeapsPart(known, sign)
                case "pits", 3:
                    yield PitsPart(known, sign, next(iter(known.fluents_named("stores")), None))
                case "pegs", 2:
                    yield PegsPart(known, sign)
                case "track", 1:
                    yield TrackPart(known, sign, walks=len(known.start.get(sign, ())) == 1)
                case "ring", 3:
                    yield RingPart(known, sign)
                case "points", 3:
                    yield PointsPart(known, sign, next(iter(known.fluents_named("off")), None))
                case "dice", _:
                    yield DicePart(sign)
                case "doubles", 2 if known.is_number(sign, 1):
                    yield DicePart(sign, repeats=True)
                case ("cards" | "pieces" | "tiles") as kind, 2 if known.is_role(sign, 0):
                    yield HandsPart(known, sign, kind)
                case ("cards" | "pieces" | "tiles") as kind, _:
                    yield ThingsPart(known, sign, kind)
        if columns := known.fluents_named("columns"):
            yield ColumnsPart(known, columns, next(iter(known.fluents_named("claimed")), None))
        if doors := known.fluents_named("doors"):
            yield DoorsPart(known, doors)

    def _infer_part(self, sign: Signature) -> Part | None:
        """Infer the part of a fluent from its arguments."""
        known = self._known
        start = known.start.get(sign, [])
        if self._is_race(sign):
            return RacePart(known, sign)
        if self._are_houses(sign):
            return HousesPart(known, sign)
        if part := graph_of(known, sign) or places_of(known, sign):
            return part
        if sign[0].lower() in _DICE and sign[1] >= 1 and all(known.is_number(sign, n) for n in range(sign[1])):
            return DicePart(sign)
        if sign[1] == 1 and len(start) > 1:
            if known.is_number(sign, 0) and not known.is_role(sign, 0):
                return TrackPart(known, sign, walks=False) if known.span(sign, 0) <= _LONGEST_TRACK else None
            return ThingsPart(known, sign, self._kind_of_things(sign, 0), are_words=self._are_words(sign, 0))
        if sign[1] == 2 and known.is_role(sign, 0) and self._is_held(sign):
            return HandsPart(known, sign, self._kind_of_things(sign, 1), are_words=self._are_words(sign, 1))
        if self._is_stock(sign):
            return HandsPart(known, sign, "pieces")
        is_counted = sign[1] == 2 and len(start) > 1 and known.is_number(sign, 1) and known.is_unique(sign, [0])
        if is_counted and not known.is_role(sign, 0):
            return HeapsPart(known, sign)
        is_sowed = sign[1] == 3 and known.is_role(sign, 0) and known.is_number(sign, 1) and known.is_number(sign, 2)
        if is_sowed and len(known.roles) == 2 and len(start) >= 6 and known.is_unique(sign, [0, 1]):
            return PitsPart(known, sign, None)
        return None

    def _kind_of_things(self, sign: Signature, n: int) -> str:
        known = self._known
        are_held = known.picture == "cards" or are_cards(known.domain(sign, n)) or sign[0].lower() in _HANDS
        return "cards" if are_held else "pieces"

    def _are_words(self, sign: Signature, n: int) -> bool:
        """True if things read like playing cards by chance, as ``c4`` does beside ``a1``."""
        return self._known.picture != "cards" and not all(map(is_card, self._known.domain(sign, n)))

    def _is_held(self, sign: Signature) -> bool:
        """True if roles hold things: cards, or things that first moves choose from."""
        known = self._known
        things = known.domain(sign, 1)
        has_several = len(known.start.get(sign, ())) > len(known.roles)
        if are_cards(things) or (sign[0].lower() in _HANDS and not known.is_number(sign, 1)):
            return True
        return has_several and (known.picture == "cards" or len(known.words_of_moves() & set(things)) > 1)

    def _is_stock(self, sign: Signature) -> bool:
        """True if the fluent counts how many things of each kind a role has: ``(in_hand black pawn 2)``."""
        known = self._known
        return (
            sign[1] == 3
            and known.is_role(sign, 0)
            and not known.is_number(sign, 1)
            and known.is_number(sign, 2)
            and len(known.start.get(sign, ())) > len(known.roles)
            and known.is_unique(sign, [0, 1])
        )

    def _is_race(self, sign: Signature) -> bool:
        """True if runners stand on numbered squares, by name and range."""
        known = self._known
        return (
            sign[0].lower() in _POSITIONS
            and 2 <= sign[1] <= 3
            and known.is_number(sign, sign[1] - 1)
            and not (sign[1] == 2 and known.is_number(sign, 0))
            and known.is_unique(sign, range(sign[1] - 1))
            and _SHORTEST_RACE <= known.span(sign, sign[1] - 1) <= _LONGEST_TRACK
        )

    def _are_houses(self, sign: Signature) -> bool:
        """True if the fluent counts things in rows of places without an owner."""
        known = self._known
        return (
            sign[1] == 3
            and not known.is_role(sign, 0)
            and known.is_number(sign, 2)
            and len(known.start.get(sign, ())) >= _FEWEST_HOUSES
            and len(known.domain(sign, 0)) * len(known.domain(sign, 1)) == len(known.start.get(sign, ()))
            and known.is_unique(sign, [0, 1])
        )

    def _is_score(self, sign: Signature) -> bool:
        return sign[1] == 2 and self._known.is_role(sign, 0)

    @property
    def has_places(self) -> bool:
        """True if the game has something to click: not only words and numbers."""
        return any(not isinstance(part, ScoresPart | RestPart | DicePart) for part in self.parts)

    # One state

    def _situation(self, seen: FactsSeen, role: Role | None) -> Situation:
        plain = self._known.plain
        turn = [kif(arguments(fact)[0]) for fact in seen.certain if signature(fact) == self._turn]
        mover = role if role is not None else turn[0] if len(turn) == 1 else None
        return Situation.of(map(plain, seen.certain), map(plain, seen.possible), role, mover)

    def picture(self, seen: FactsSeen, role: Role | None) -> Picture:
        """All panels of the visible part of a state."""
        now = self._situation(seen, role)
        panels: list[Panel] = [panel for part in self.parts for panel in part.panels(now)]
        if guesses := code_guesses(seen.history):
            panels += guesses
        elif lines := percept_lines(seen.history):
            panels.append(Facts("Your moves and percepts", tuple(lines)))
        to_move = tuple(words[0] for words in now.words(self._turn)) if self._turn else ()
        return Picture(tuple(panels), to_move)

    def clicks(self, moves: Iterable[Move], seen: FactsSeen, role: Role | None) -> dict[Move, tuple[str, ...]]:
        """The spots of each move, given as text in either syntax; empty if it is not on a board."""
        now = self._situation(seen, role)
        return {move: self._spots(move, now) for move in moves}

    def spot_of(self, fact: Term) -> str:
        """The spot that a fact is about; empty if it is about none, or about several."""
        plain = self._known.plain(fact)
        part = next((part for part in self.parts if signature(plain) in part.fluents), None)
        if isinstance(part, GridPart) and (spot := part.spot_of(plain)):
            return spot
        nothing = Situation({}, {}, None, None)
        spots = part.spots(functor(plain), list(map(kif, arguments(plain))), nothing) if part is not None else ()
        return spots[0] if len(spots) == 1 else ""

    def _spots(self, move: Move, now: Situation) -> tuple[str, ...]:
        try:
            term = move.term if isinstance(move, GdlMove) else self.game.read(move)
        except GdlError:
            return ()
        words = [kif(word) for word in self._known.plain.words(term)]
        held: tuple[str, ...] = ()
        for part in self._likely(functor(term)):
            if held and not isinstance(part, PlacesPart):
                continue
            if spots := part.spots(functor(term), words, now):
                if not isinstance(part, HandsPart):
                    return *held, *spots
                held = spots
        return held

    def _likely(self, name: str) -> list[Part]:
        """The parts that a move may belong to, likeliest first: of ``cell1`` and ``cell2`` the first for ``mark1``."""
        words = _name_words(name)
        return sorted(
            self.parts,
            key=lambda part: (
                not any(words & _name_words(sign[0]) for sign in part.fluents),
                isinstance(part, ThingsPart),  # things without a place often also have one in another fluent
            ),
        )


def _name_words(name: str) -> set[str]:
    """The words and the number that the name of a fluent or move is made of."""
    return set(_NAME_WORDS.findall(name.lower()))
