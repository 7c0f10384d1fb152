"""What a move reveals about hidden elements: it was legal, so some things cannot have been in its player's hand.

Most such evidence is about single elements ("none of this suit"). It is found by asking the rule again with one hidden
element replaced by each other one; random arrangements test whether constraints on single elements are complete. If
they are, a sample is checked by masks; otherwise the rule checks every sample.
"""

from __future__ import annotations

from random import Random
from typing import Any

from ludens.core import Move, Role
from ludens.tabletop.hidden.rearranging import with_faces
from ludens.tabletop.material.equipment import Element, Place
from ludens.tabletop.rule_game import RuleGame
from ludens.tabletop.table import Table

_SLOTS = 2
"""Slots of a hand that are tried for each element."""
_EXCHANGED_SLOTS = 12
"""The same for an element from another place that the rule reads, where the element swapped in matters, too."""
_TRIALS = 12
"""Random arrangements that test whether constraints on single elements are complete."""


class Evidence:
    """A move that a player made in a position, where its legality depended on places that not everybody sees."""

    __slots__ = ("_constraints", "game", "move", "named", "places", "role", "table")

    def __init__(
        self, game: RuleGame, table: Table, role: Role, move: Move, places: tuple[Place, ...], named: int
    ) -> None:
        self.game = game
        self.table = table
        self.role = role
        self.move = move
        self.places = places
        """The places that the rule read and not everybody sees."""
        self.named = named
        """The elements that the move names, as bits."""
        self._constraints: tuple[dict[Place, int], bool] | None = None

    def is_hidden_from(self, seat: int) -> bool:
        """True if a player does not see all of the places."""
        sees = self.game.inventory.sees
        return any(not sees[place.index] >> seat & 1 for place in self.places)

    def fits(self, faces: dict[Element, Element]) -> bool:
        """True if the move would have been legal with other elements in hidden places."""
        return self.move in self.game.choices(with_faces(self.table, faces), self.role)

    def relabel(self, faces: dict[Element, Element]) -> Evidence | None:
        """The same evidence with other elements in hidden places; None if the move names one of them, since it would
        have been another move."""
        moved = {slot: face for slot, face in faces.items() if slot is not face}
        if not moved:
            return self
        if self.named & sum(slot.bit for slot in moved):
            return None
        other = Evidence(self.game, with_faces(self.table, moved), self.role, self.move, self.places, self.named)
        if self._constraints is not None and self._constraints[1]:
            other._constraints = self._constraints  # complete constraints do not depend on where other elements lie
        return other

    def constraints(self) -> tuple[dict[Place, int], bool]:
        """For each place the elements that may have lain there, as bits, and whether these constraints are complete."""
        if self._constraints is None:
            self._constraints = self._find_constraints()
        return self._constraints

    def slots(self, place: Place) -> list[Element]:
        """The elements that lay at a place and are not named by the move."""
        return [element for element in self.table.contents[place.index] if not element.bit & self.named]

    def _find_constraints(self) -> tuple[dict[Place, int], bool]:
        inventory = self.game.inventory
        everybody = (1 << len(inventory.names)) - 1
        hidden = [
            element
            for element in inventory.elements
            if not element.is_endless
            and not element.bit & self.named
            and (place := self.table.where[element.index]) is not None
            and inventory.sees[place.index] != everybody
        ]
        everything = (1 << len(inventory.elements)) - 1
        masks: dict[Place, int] = {}
        for place in self.places:
            slots = self.slots(place)
            verdicts: dict[tuple[str, bool], bool] = {}
            mask = everything
            for face in hidden if slots else ():
                lies = self.table.where[face.index]
                is_exchange = lies is not place and lies in self.places
                case = face.name, is_exchange
                if case not in verdicts:
                    tried = slots[: _EXCHANGED_SLOTS if is_exchange else _SLOTS]
                    verdicts[case] = any(self.fits({slot: face, face: slot}) for slot in tried)
                if not verdicts[case]:
                    mask &= ~face.bit
            masks[place] = mask
        return masks, self._is_complete(masks, hidden)

    def _is_complete(self, masks: dict[Place, int], hidden: list[Element]) -> bool:
        """True if the masks agree with the rule on random arrangements."""
        rng = Random(f"{self.role}/{self.move}")
        where = {slot: place for place in self.places for slot in self.slots(place)}
        for trial in range(_TRIALS):
            faces = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
            if trial % 2:
                _respect(faces, where, masks, rng)
            expected = all(face.bit & masks[where[slot]] for slot, face in faces.items() if slot in where)
            if self.fits(faces) != expected:
                return False
        return True

    def __getstate__(self) -> tuple[Any, ...]:
        return (self.game, self.table, self.role, self.move, self.places, self.named)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.game, self.table, self.role, self.move, self.places, self.named = state
        self._constraints = None


def _respect(faces: dict[Element, Element], where: dict[Element, Place], masks: dict[Place, int], rng: Random) -> None:
    """Swap elements that may not lie where they do with others, where possible."""
    others = [slot for slot in faces if slot not in where]
    for slot, place in where.items():
        if slot in faces and not faces[slot].bit & masks[place]:
            good = [other for other in others if faces[other].bit & masks[place]]
            if good:
                other = rng.choice(good)
                faces[slot], faces[other] = faces[other], faces[slot]
