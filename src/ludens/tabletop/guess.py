"""Guessing what a player does not see: complete worlds that agree with all it knows.

What a player does not know is which element lies in which unknown place. A guess is therefore a permutation of the
elements that it cannot place, applied to the real table, and for secret places a new arrangement of what lies in
those it cannot see. Other players' past moves are evidence: a guess in which one of them would not have been legal is
wrong. Guesses are drawn uniformly and thrown away if they are wrong; where that takes too long, they are found by
swaps, starting from a guess that is right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from ludens.core import Role
from ludens.tabletop.equipment import SECRET, Element, Place
from ludens.tabletop.knowledge import seen_by
from ludens.tabletop.table import Table

if TYPE_CHECKING:
    from ludens.tabletop.state import Evidence, TabletopState

TRIES = 60
"""Uniform draws before the search by swaps."""
SWAPS = 3
"""Swaps that are tried for each unknown element in that search."""


@dataclass(slots=True)
class Guess:
    """What a player takes for true."""

    faces: dict[Element, Element]
    """For each element that the player cannot place: what is guessed to lie where it lies."""
    placed: dict[Place, tuple[Element, ...]]
    """What is guessed to lie at each secret place that the player cannot see."""

    def copy(self) -> Guess:
        """The same guess, to be changed."""
        return Guess(dict(self.faces), dict(self.placed))


class Guesser:
    """Guesses for one player in one state."""

    def __init__(self, state: TabletopState, role: Role) -> None:
        table = state.table
        self.state = state
        self.role = role
        self.seat = table.kit.seats[role]
        known = table.known[self.seat]
        self.unknown: list[Element] = [
            element for element in table.kit.elements if not (known & element.bit or element.is_endless)
        ]
        """The elements that the player cannot place."""
        self.mask = sum(element.bit for element in self.unknown)
        within = table.within[self.seat]
        self._within = {element: within[element] & self.mask for element in self.unknown if element in within}
        self.unseen: list[Place] = list(self._unseen_places())
        """The secret places of which the player does not know what lies there."""
        bit = 1 << self.seat
        self._evidence = [
            evidence
            for evidence in state.evidence
            if evidence[3] & bit
            and evidence[1] != role
            and not evidence[4] & self.mask
            and not evidence[0].known[self.seat] & self.mask
        ]

    def _unseen_places(self) -> Iterator[Place]:
        table = self.state.table
        for place in table.kit.places:
            if place.visibility == SECRET and not table.found[self.seat] >> place.index & 1:
                lying = table.contents[place.index]
                if not any(seen_by(table, element, place) >> self.seat & 1 for element in lying):
                    yield place

    # Guesses

    def truth(self) -> Guess:
        """The guess that is right."""
        contents = self.state.table.contents
        return Guess(
            {element: element for element in self.unknown}, {place: contents[place.index] for place in self.unseen}
        )

    def fresh(self, rng: Random) -> Guess:
        """A guess that agrees with all the player knows; uniform, unless uniform draws keep failing."""
        for _ in range(TRIES):
            guess = self._draw(rng)
            if guess is not None and self.agrees(guess):
                return guess
        return self._mixed(self.truth(), rng)

    def repaired(self, guess: Guess, rng: Random) -> Guess | None:
        """A guess from before, changed no more than what is known now demands; None if that does not do.

        An element that was seen is swapped into its place with what was guessed to lie there, which keeps uniform
        guesses uniform. Elements that were lost from sight are swapped into a random place.
        """
        faces = dict(guess.faces)
        for element in [slot for slot in faces if not self.mask & slot.bit]:
            _take_out(faces, element)
        for element in self.unknown:
            if element not in faces:
                faces[element] = element
                _swap(faces, element, rng.choice(list(faces)))
        repaired = Guess(faces, self._replaced(guess.placed, rng))
        return repaired if self._keeps_within(faces) and self.agrees(repaired) else None

    def _draw(self, rng: Random) -> Guess | None:
        """A uniform arrangement; None if elements of which more is known have no place left."""
        free = dict.fromkeys(self.unknown)
        faces: dict[Element, Element] = {}
        for element, mask in sorted(self._within.items(), key=lambda item: item[1].bit_count()):
            slots = [slot for slot in free if slot.bit & mask]
            if not slots:
                return None
            slot = rng.choice(slots)
            del free[slot]
            faces[slot] = element
        rest = [element for element in self.unknown if element not in self._within] if self._within else self.unknown[:]
        rng.shuffle(rest)
        faces.update(zip(free, rest, strict=True))
        contents = self.state.table.contents
        pool = [contents[place.index] for place in self.unseen]
        rng.shuffle(pool)
        return Guess(faces, dict(zip(self.unseen, pool, strict=True)))

    def _mixed(self, guess: Guess, rng: Random) -> Guess:
        """A guess that agrees, after many random swaps each of which keeps it so."""
        for _ in range(SWAPS * len(self.unknown)):
            one, other = rng.choice(self.unknown), rng.choice(self.unknown)
            _swap(guess.faces, one, other)
            if not (self._keeps_within(guess.faces) and self.agrees(guess)):
                _swap(guess.faces, one, other)
        for _ in range(SWAPS * len(self.unseen)):
            here, there = rng.choice(self.unseen), rng.choice(self.unseen)
            placed = guess.placed
            if placed[here] == placed[there]:
                continue
            placed[here], placed[there] = placed[there], placed[here]
            if not self.agrees(guess):
                placed[here], placed[there] = placed[there], placed[here]
        return guess

    def _replaced(self, before: dict[Place, tuple[Element, ...]], rng: Random) -> dict[Place, tuple[Element, ...]]:
        """What lies at the unseen places: as guessed before, as far as there is as much of it as there should be."""
        contents = self.state.table.contents
        pool = [contents[place.index] for place in self.unseen]
        rng.shuffle(pool)
        placed: dict[Place, tuple[Element, ...]] = {}
        for place in rng.sample(self.unseen, len(self.unseen)):
            lying = before.get(place)
            if lying is not None and lying in pool:
                pool.remove(lying)
                placed[place] = lying
        for place in self.unseen:
            if place not in placed:
                placed[place] = pool.pop()
        return placed

    # Judging them

    def agrees(self, guess: Guess) -> bool:
        """True if the rules think the guess possible, and all that others did would have been legal."""
        game = self.state.game
        if not game.rule.possible(self.applied(guess)):
            return False
        return all(self._was_legal(evidence, guess) for evidence in self._evidence)

    def _was_legal(self, evidence: Evidence, guess: Guess) -> bool:
        table, role, move, _, _ = evidence
        return move in self.state.game.choices(with_faces(table, guess.faces), role)

    def _keeps_within(self, faces: dict[Element, Element]) -> bool:
        return not self._within or all(
            slot.bit & self._within[face] for slot, face in faces.items() if face in self._within
        )

    def applied(self, guess: Guess) -> Table:
        """The table that the player would have if the guess were right."""
        table = with_faces(self.state.table, guess.faces)
        for place, lying in guess.placed.items():
            table.contents[place.index] = lying
            for element in lying:
                if not element.is_endless:
                    table.where[element.index] = place
        if self.unknown or self.unseen:
            first = self.state.game.first.attributes
            for name in self.state.game.rule.secrets:
                table.attributes.pop((None, name), None)
                if (None, name) in first:
                    table.attributes[(None, name)] = first[(None, name)]
        return table

    def world(self, guess: Guess) -> TabletopState:
        """The complete state that a guess stands for."""
        return type(self.state)(self.state.game, self.applied(guess))


def with_faces(table: Table, faces: dict[Element, Element]) -> Table:
    """A table on which other elements lie where these lie."""
    changed = table.copy()
    moved = {slot: face for slot, face in faces.items() if slot is not face}
    if not moved:
        return changed
    for index in {place.index for slot in moved if (place := table.where[slot.index]) is not None}:
        changed.contents[index] = tuple([moved.get(element, element) for element in table.contents[index]])
    for slot, face in moved.items():
        changed.where[face.index] = table.where[slot.index]
        changed.owners[face.index] = table.owners[slot.index]
    _carry_attributes(table, changed, moved)
    among = sum(slot.bit for slot in moved)
    for seat, known in enumerate(table.known):
        if known & among:
            seen = sum(face.bit for slot, face in moved.items() if slot.bit & known)
            changed.known[seat] = known & ~among | seen
        if table.within[seat]:
            changed.within[seat] = {
                moved.get(slot, slot): _carried(mask, moved, among) for slot, mask in table.within[seat].items()
            }
    return changed


def _carry_attributes(table: Table, changed: Table, moved: dict[Element, Element]) -> None:
    """What was set of an element that nobody could see belongs to whatever lies there."""
    kept = [(of, name) for of, name in table.attributes if isinstance(of, Element) and of in moved]
    for key in kept:
        changed.attributes.pop(key, None)
    for of, name in kept:
        assert isinstance(of, Element)
        changed.attributes[(moved[of], name)] = table.attributes[(of, name)]


def _carried(mask: int, moved: dict[Element, Element], among: int) -> int:
    return mask & ~among | sum(face.bit for slot, face in moved.items() if slot.bit & mask)


def _take_out(faces: dict[Element, Element], element: Element) -> None:
    """Let an element lie in its own place; what was guessed there goes to where the element was guessed."""
    guessed = faces.pop(element)
    if guessed is not element:
        slot = next(slot for slot, face in faces.items() if face is element)
        faces[slot] = guessed


def _swap(faces: dict[Element, Element], one: Element, other: Element) -> None:
    faces[one], faces[other] = faces[other], faces[one]
