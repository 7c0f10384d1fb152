"""Guessing what a player does not see: complete worlds that agree with all it knows.

What a player does not know is which element lies in which unknown place. A guess is therefore a permutation of the
elements that it cannot place, applied to the real table, and for secret places a new arrangement of what lies in
those it cannot see. Other players' past moves are evidence: a guess in which one of them would not have been legal is
wrong. Guesses are drawn uniformly and thrown away if they are wrong; where that takes too long, they are found by
swaps, starting from a guess that is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from ludens.core import Role
from ludens.tabletop.equipment import SECRET, Dice, Element, Place, Player
from ludens.tabletop.evidence import Evidence
from ludens.tabletop.knowledge import seen_by
from ludens.tabletop.rearranging import with_faces
from ludens.tabletop.rule import Rule
from ludens.tabletop.table import Table

if TYPE_CHECKING:
    from ludens.tabletop.state import TabletopState

DRAWS = 1000
"""Uniform draws that may fail before the search by swaps; most fail at the first element that cannot lie there."""
TRIES = 60
"""Uniform draws about which the rule is asked before that search."""
SWAPS = 10
"""Swaps that are tried for each unknown element in that search."""
CHECKED_SWAPS = 3
"""The same where the rule has to be asked about each."""


@dataclass(slots=True)
class Guess:
    """What a player takes for true."""

    faces: dict[Element, Element]
    """For each element that the player cannot place: what is guessed to lie where it lies."""
    placed: dict[Place, tuple[Element, ...]]
    """What is guessed to lie at each secret place that the player cannot see."""
    rolled: dict[Dice, tuple[Any, ...]]
    """What dice that the player cannot see are guessed to show."""

    def copy(self) -> Guess:
        """The same guess, to be changed."""
        return Guess(dict(self.faces), dict(self.placed), dict(self.rolled))


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
        self._allowed: dict[Element, int] = {}
        """For each place of an unknown element, given by that element, what may lie there, as bits, if not anything."""
        self._doubtful: list[Evidence] = []
        """What has to be asked about each guess."""
        if self.unknown:
            self._take_evidence(state.evidence)
            self._take_sets(table.within[self.seat])
        self._ordered = sorted(self._allowed.items(), key=lambda item: item[1].bit_count())
        self.unseen: list[Place] = list(self._unseen_places())
        """The secret places of which the player does not know what lies there."""
        self.cups: list[Dice] = [
            marker for marker in table.kit.markers if isinstance(marker, Dice) and marker.is_hidden_from(role)
        ]
        """The dice that the player does not see."""
        self._asks_rule = bool(self._doubtful) or type(state.game.rule).possible is not Rule.possible

    def _take_evidence(self, known: Sequence[Evidence]) -> None:
        mixed = self.state.table.within[self.seat]
        for evidence in known:
            if evidence.role == self.role or evidence.named & self.mask or not evidence.is_hidden_from(self.seat):
                continue
            concerned = [
                (slot, place)
                for place in evidence.places
                for slot in evidence.slots(place)
                if slot.bit & self.mask and slot not in mixed
            ]
            if not concerned:
                continue
            masks, tells_all = evidence.learned()
            for slot, place in concerned:
                self._allowed[slot] = self._allowed.get(slot, self.mask) & masks[place]
            if not tells_all and not evidence.table.known[self.seat] & self.mask:
                self._doubtful.append(evidence)

    def _take_sets(self, within: Mapping[Element, int]) -> None:
        """An element that got mixed with others lies where one of them lies."""
        for element, mask in within.items():
            if element.bit & self.mask:
                for slot in self.unknown:
                    if not slot.bit & mask:
                        self._allowed[slot] = self._allowed.get(slot, self.mask) & ~element.bit

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
        table = self.state.table
        return Guess(
            {element: element for element in self.unknown},
            {place: table.contents[place.index] for place in self.unseen},
            {dice: table.value(dice) for dice in self.cups},
        )

    def fresh(self, rng: Random) -> Guess:
        """A guess that agrees with all the player knows; uniform, unless uniform draws keep failing."""
        tries = 0
        for _ in range(DRAWS):
            guess = self._draw(rng)
            if guess is None:
                continue
            if not self._asks_rule or self.agrees(guess):
                return guess
            tries += 1
            if tries == TRIES:
                break
        return self._mixed(self.truth(), rng)

    def roll(self, rng: Random) -> dict[Dice, tuple[Any, ...]]:
        """What the dice under others' cups may show: anything, as many of them as there are."""
        values = self.state.table.values
        return {dice: dice.shown([rng.choice(dice.faces) for _ in values[dice.index]]) for dice in self.cups}

    def repaired(self, guess: Guess, rng: Random) -> Guess | None:
        """A guess from before, changed no more than what is known now demands; None if that does not do.

        An element that was seen is swapped into its place with what was guessed to lie there, which keeps uniform
        guesses uniform. Elements that were lost from sight are swapped into a random place, and what cannot lie where
        it was guessed into one where it can.
        """
        faces = dict(guess.faces)
        for element in [slot for slot in faces if not self.mask & slot.bit]:
            _take_out(faces, element)
        for element in self.unknown:
            if element not in faces:
                faces[element] = element
                swap(faces, element, rng.choice(list(faces)))
        for slot in self._allowed:
            if not self.may_lie(slot, faces[slot]):
                good = [
                    other
                    for other in self.unknown
                    if self.may_lie(slot, faces[other]) and self.may_lie(other, faces[slot])
                ]
                if good:
                    swap(faces, slot, rng.choice(good))
        repaired = Guess(faces, self._replaced(guess.placed, rng), self.roll(rng))
        return repaired if self.agrees(repaired) else None

    def _draw(self, rng: Random) -> Guess | None:
        """A uniform arrangement of what is not known; None if something lies where it cannot.

        Places of which something is known are filled first, so that a wrong arrangement is given up early.
        """
        left = self.unknown[:]
        faces: dict[Element, Element] = {}
        for slot, mask in self._ordered:
            number = int(rng.random() * len(left))
            face = left[number]
            if not face.bit & mask:
                return None
            left[number] = left[-1]
            left.pop()
            faces[slot] = face
        rng.shuffle(left)
        faces.update(
            zip([slot for slot in self.unknown if slot not in faces] if faces else self.unknown, left, strict=True)
        )
        contents = self.state.table.contents
        pool = [contents[place.index] for place in self.unseen]
        rng.shuffle(pool)
        return Guess(faces, dict(zip(self.unseen, pool, strict=True)), self.roll(rng))

    def _mixed(self, guess: Guess, rng: Random) -> Guess:
        """A guess that agrees, after many random swaps each of which keeps it so."""
        faces, placed = guess.faces, guess.placed
        guess.rolled.update(self.roll(rng))
        for _ in range((CHECKED_SWAPS if self._asks_rule else SWAPS) * len(self.unknown)):
            one, other = rng.choice(self.unknown), rng.choice(self.unknown)
            if self.may_lie(one, faces[other]) and self.may_lie(other, faces[one]):
                swap(faces, one, other)
                if self._asks_rule and not self.agrees(guess):
                    swap(faces, one, other)
        for _ in range(CHECKED_SWAPS * len(self.unseen)):
            here, there = rng.choice(self.unseen), rng.choice(self.unseen)
            if placed[here] == placed[there]:
                continue
            placed[here], placed[there] = placed[there], placed[here]
            if not self.agrees(guess):
                placed[here], placed[there] = placed[there], placed[here]
        return guess

    def may_lie(self, slot: Element, face: Element) -> bool:
        """True if nothing speaks against an element in the place of another."""
        return bool(self._allowed.get(slot, self.mask) & face.bit)

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
        faces = guess.faces
        if not all(faces[slot].bit & mask for slot, mask in self._allowed.items()):
            return False
        if not self._asks_rule:
            return True
        return self.state.game.rule.possible(self.applied(guess)) and all(
            evidence.fits(faces) for evidence in self._doubtful
        )

    def applied(self, guess: Guess) -> Table:
        """The table that the player would have if the guess were right."""
        table = with_faces(self.state.table, guess.faces)
        for place, lying in guess.placed.items():
            table.contents[place.index] = lying
            for element in lying:
                if not element.is_endless:
                    table.where[element.index] = place
        for dice, shown in guess.rolled.items():
            table.values[dice.index] = shown
        if self.unknown or self.unseen:
            self._forget(table)
        return table

    def _forget(self, table: Table) -> None:
        """Let attributes that the player does not know be as at the beginning."""
        rule, first = self.state.game.rule, self.state.game.first.attributes
        others = [player for player in table.kit.players if player.name != self.role]
        hidden: list[tuple[Player | None, str]] = [(None, name) for name in rule.secrets]
        hidden += [(player, name) for player in others for name in rule.private]
        for key in hidden:
            table.attributes.pop(key, None)
            if key in first:
                table.attributes[key] = first[key]

    def world(self, guess: Guess) -> TabletopState:
        """The complete state that a guess stands for."""
        return type(self.state)(self.state.game, self.applied(guess))

    def with_past(self, guess: Guess) -> TabletopState:
        """The same with what players have shown on the way, as it would have happened in that world."""
        mixed = self.state.table.within[self.seat]
        faces = {slot: face for slot, face in guess.faces.items() if slot not in mixed and face not in mixed}
        evidence = tuple(after for one in self.state.evidence if (after := one.relabelled(faces)) is not None)
        return type(self.state)(self.state.game, self.applied(guess), evidence)


def _take_out(faces: dict[Element, Element], element: Element) -> None:
    """Let an element lie in its own place; what was guessed there goes to where the element was guessed."""
    guessed = faces.pop(element)
    if guessed is not element:
        slot = next(slot for slot, face in faces.items() if face is element)
        faces[slot] = guessed


def swap(faces: dict[Element, Element], one: Element, other: Element) -> None:
    """Exchange what is guessed to lie in two places."""
    faces[one], faces[other] = faces[other], faces[one]
