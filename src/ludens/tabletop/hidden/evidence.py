"""What a move reveals about hidden elements: it was legal and did what it did, so some things cannot have been in its
player's hand.

Most such evidence is about single elements ("none of this suit"). It is found by asking the rule again with one hidden
element replaced by each other one; random arrangements test whether constraints on single elements are complete. If
they are, a sample is checked by masks; otherwise the rule checks every sample.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random

from ludens.core import Move, Role
from ludens.tabletop.actions.basic import Action
from ludens.tabletop.actions.randomness import SEPARATOR
from ludens.tabletop.hidden.rearranging import with_faces
from ludens.tabletop.hidden.table_state import TableState
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
    """A move that a player made in a position, where the list of its moves depended on places that not all see."""

    __slots__ = ("_constraints", "action", "game", "move", "named", "places", "role", "table")

    def __init__(
        self, game: RuleGame, table: Table, role: Role, move: Move, action: Action, places: tuple[Place, ...]
    ) -> None:
        self.game = game
        self.table = table
        self.role = role
        self.move = move
        self.action = action.describe()
        """All that the move did, in words."""
        self.places = places
        """The places that the rule read and not everybody sees."""
        self.named = bits_of(action.moved_elements())
        """The elements that the move names, as bits."""
        self._constraints: tuple[dict[Place, int], bool] | None = None

    @classmethod
    def of_turn(cls, state: TableState) -> tuple[Evidence, ...]:
        """What the last turn reveals; kept with the state."""
        found: tuple[Evidence, ...] | None = state.kept.get("evidence")
        if found is None:
            found = state.kept["evidence"] = tuple(cls._find(state))
        return found

    @classmethod
    def _find(cls, state: TableState) -> Iterator[Evidence]:
        turn, previous = state.turn, state.previous
        if turn is not None and previous is not None:
            for (role, action, text), drawn in zip(turn.done, turn.outcomes, strict=True):
                if places := previous.places_read(role):
                    move = text.partition(SEPARATOR)[0] if drawn else text
                    yield cls(state.game, turn.before, role, move, action, places)

    def is_hidden_from(self, seat: int) -> bool:
        """True if a player does not see all of the places."""
        sees = self.game.inventory.sees
        return any(not sees[place.index] >> seat & 1 for place in self.places)

    def fits(self, faces: Mapping[Element, Element]) -> bool:
        """True if the move would have been legal, and the same, with other elements in hidden places."""
        found = self.game.choices(with_faces(self.table, faces), self.role).get(self.move)
        return found is not None and found[0].describe() == self.action

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
        if self._is_complete(masks, hidden):
            return masks, True
        if not any(self._allow_in_other_slots(masks, place, hidden) for place in self.places):
            return masks, False
        return masks, self._is_complete(masks, hidden)

    def _allow_in_other_slots(self, masks: dict[Place, int], place: Place, hidden: list[Element]) -> bool:
        """Allow elements that fit in a slot that was not tried yet, because the rule looks at their order; False if
        there are none."""
        slots = self.slots(place)
        verdicts: dict[str, bool] = {}
        for face in hidden:
            if face.bit & masks[place]:
                continue
            if face.name not in verdicts:
                verdicts[face.name] = any(self.fits({slot: face, face: slot}) for slot in slots)
            if verdicts[face.name]:
                masks[place] |= face.bit
        return any(verdicts.values())

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


def _respect(faces: dict[Element, Element], where: dict[Element, Place], masks: dict[Place, int], rng: Random) -> None:
    """Swap elements that may not lie where they do with others, where possible."""
    others = [slot for slot in faces if slot not in where]
    for slot, place in where.items():
        if slot in faces and not faces[slot].bit & masks[place]:
            good = [other for other in others if faces[other].bit & masks[place]]
            if good:
                other = rng.choice(good)
                faces[slot], faces[other] = faces[other], faces[slot]


def bits_of(elements: Iterable[Element]) -> int:
    """Elements as bits."""
    found = 0
    for element in elements:
        found |= element.bit
    return found
