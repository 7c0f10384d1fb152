"""Determinisation: samples complete states that agree with all that a player knows.

What a player does not know is which element lies in which unknown place. A determinisation is therefore a permutation
of the elements that it cannot place, applied to the real table, and for secret places a new arrangement of what lies in
those it cannot see. Other players' past moves are evidence: one of them illegal refutes a determinisation. Samples are
drawn uniformly and rejected if they are refuted; where that takes too long, random swaps start from the real table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ludens.core import Role
from ludens.tabletop.hidden.evidence import Evidence
from ludens.tabletop.hidden.rearranging import with_faces
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.knowledge import viewers
from ludens.tabletop.material.equipment import SECRET, Dice, Element, Place, Player
from ludens.tabletop.rule import Rule
from ludens.tabletop.table import Table

DRAWS = 1000
"""Uniform draws that may fail before falling back to swaps; most fail at the first element that cannot lie there."""
TRIES = 60
"""Uniform draws that the rule checks before that fallback."""
SWAPS = 10
"""Swaps per unknown element in the fallback."""
CHECKED_SWAPS = 3
"""Swaps per unknown element if the rule has to check each."""


@dataclass(slots=True)
class Determinisation:
    """One way to fill in what a player does not see."""

    faces: dict[Element, Element]
    """For each element that the player cannot place: the element that lies there instead."""
    placed: dict[Place, tuple[Element, ...]]
    """The contents of each secret place that the player cannot see."""
    rolled: dict[Dice, tuple[Any, ...]]
    """The values of dice that the player cannot see."""

    def copy(self) -> Determinisation:
        """A copy that may be changed."""
        return Determinisation(dict(self.faces), dict(self.placed), dict(self.rolled))


class Sampler:
    """Draws determinisations for one player in one state."""

    def __init__(self, state: TableState, role: Role) -> None:
        table = state.table
        self.state = state
        self.role = role
        self.seat = table.inventory.seats[role]
        known = table.known[self.seat]
        self.unknown: list[Element] = [
            element for element in table.inventory.elements if not (known & element.bit or element.is_endless)
        ]
        """The elements that the player cannot place."""
        self.mask = sum(element.bit for element in self.unknown)
        self._allowed: dict[Element, int] = {}
        """The elements that may lie where an unknown element lies, as bits; anything if there is no entry."""
        self._doubtful: list[Evidence] = []
        """Evidence that the rule has to check for each sample."""
        if self.unknown:
            self._apply_evidence(state.evidence)
            self._apply_sets(table.within[self.seat])
        self._ordered = sorted(self._allowed.items(), key=lambda item: item[1].bit_count())
        self.unseen: list[Place] = list(self._unseen_places())
        """The secret places of which the player does not know what lies there."""
        self.cups: list[Dice] = [
            marker for marker in table.inventory.markers if isinstance(marker, Dice) and marker.is_hidden_from(role)
        ]
        """The dice that the player does not see."""
        self._asks_rule = bool(self._doubtful) or type(state.game.rule).possible is not Rule.possible

    def _apply_evidence(self, known: Sequence[Evidence]) -> None:
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
            masks, is_complete = evidence.constraints()
            for slot, place in concerned:
                self._allowed[slot] = self._allowed.get(slot, self.mask) & masks[place]
            if not is_complete and not evidence.table.known[self.seat] & self.mask:
                self._doubtful.append(evidence)

    def _apply_sets(self, within: Mapping[Element, int]) -> None:
        """Restrict each element that was mixed with others to the places of these."""
        for element, mask in within.items():
            if element.bit & self.mask:
                for slot in self.unknown:
                    if not slot.bit & mask:
                        self._allowed[slot] = self._allowed.get(slot, self.mask) & ~element.bit

    def _unseen_places(self) -> Iterator[Place]:
        table = self.state.table
        for place in table.inventory.places:
            if place.visibility == SECRET and not table.revealed[self.seat] >> place.index & 1:
                lying = table.contents[place.index]
                if not any(viewers(table, element, place) >> self.seat & 1 for element in lying):
                    yield place

    # Samples

    def truth(self) -> Determinisation:
        """The real table as a determinisation."""
        table = self.state.table
        return Determinisation(
            {element: element for element in self.unknown},
            {place: table.contents[place.index] for place in self.unseen},
            {dice: table.value(dice) for dice in self.cups},
        )

    def draw(self, rng: Random) -> Determinisation:
        """A sample that agrees with all the player knows; uniform, unless uniform draws keep failing."""
        tries = 0
        for _ in range(DRAWS):
            sample = self._draw_uniform(rng)
            if sample is None:
                continue
            if not self._asks_rule or self.agrees(sample):
                return sample
            tries += 1
            if tries == TRIES:
                break
        return self._mix(self.truth(), rng)

    def roll(self, rng: Random) -> dict[Dice, tuple[Any, ...]]:
        """Random values of the dice under other players' cups."""
        values = self.state.table.values
        return {dice: dice.shown([rng.choice(dice.faces) for _ in values[dice.index]]) for dice in self.cups}

    def repair(self, sample: Determinisation, rng: Random) -> Determinisation | None:
        """An earlier sample, changed as little as the player's present knowledge demands; None if that fails.

        An element that was seen is swapped with the one sampled in its place, which keeps uniform samples uniform.
        Elements that were lost from sight are swapped into a random place, and elements that cannot lie where they
        were sampled into a place where they can.
        """
        faces = dict(sample.faces)
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
        repaired = Determinisation(faces, self._rearrange(sample.placed, rng), self.roll(rng))
        return repaired if self.agrees(repaired) else None

    def _draw_uniform(self, rng: Random) -> Determinisation | None:
        """A uniform arrangement of the unknown elements; None if something lies where it cannot.

        Constrained places are filled first, so that wrong arrangements are rejected early.
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
        return Determinisation(faces, dict(zip(self.unseen, pool, strict=True)), self.roll(rng))

    def _mix(self, sample: Determinisation, rng: Random) -> Determinisation:
        """A consistent sample after many random swaps, each of which keeps it consistent."""
        faces, placed = sample.faces, sample.placed
        sample.rolled.update(self.roll(rng))
        for _ in range((CHECKED_SWAPS if self._asks_rule else SWAPS) * len(self.unknown)):
            one, other = rng.choice(self.unknown), rng.choice(self.unknown)
            if self.may_lie(one, faces[other]) and self.may_lie(other, faces[one]):
                swap(faces, one, other)
                if self._asks_rule and not self.agrees(sample):
                    swap(faces, one, other)
        for _ in range(CHECKED_SWAPS * len(self.unseen)):
            here, there = rng.choice(self.unseen), rng.choice(self.unseen)
            if placed[here] == placed[there]:
                continue
            placed[here], placed[there] = placed[there], placed[here]
            if not self.agrees(sample):
                placed[here], placed[there] = placed[there], placed[here]
        return sample

    def may_lie(self, slot: Element, face: Element) -> bool:
        """True if an element may lie in the place of another."""
        return bool(self._allowed.get(slot, self.mask) & face.bit)

    def _rearrange(self, before: dict[Place, tuple[Element, ...]], rng: Random) -> dict[Place, tuple[Element, ...]]:
        """The contents of the unseen places: as sampled before, as far as the elements in play allow it."""
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

    # Checking them

    def agrees(self, sample: Determinisation) -> bool:
        """True if the rules call the sampled table possible, and all moves of others would have been legal on it."""
        faces = sample.faces
        if not all(faces[slot].bit & mask for slot, mask in self._allowed.items()):
            return False
        if not self._asks_rule:
            return True
        return self.state.game.rule.possible(self.table_of(sample)) and all(
            evidence.fits(faces) for evidence in self._doubtful
        )

    def table_of(self, sample: Determinisation) -> Table:
        """The sampled table."""
        table = with_faces(self.state.table, sample.faces)
        for place, lying in sample.placed.items():
            table.contents[place.index] = lying
            for element in lying:
                if not element.is_endless:
                    table.where[element.index] = place
        for dice, shown in sample.rolled.items():
            table.values[dice.index] = shown
        if self.unknown or self.unseen:
            self._reset_unknown_attributes(table)
        return table

    def _reset_unknown_attributes(self, table: Table) -> None:
        """Reset attributes that the player does not know to their initial values."""
        rule, first = self.state.game.rule, self.state.game.first.attributes
        others = [player for player in table.inventory.players if player.name != self.role]
        hidden: list[tuple[Player | None, str]] = [(None, name) for name in rule.secrets]
        hidden += [(player, name) for player in others for name in rule.private]
        for key in hidden:
            table.attributes.pop(key, None)
            if key in first:
                table.attributes[key] = first[key]

    def world(self, sample: Determinisation) -> TableState:
        """The sampled state."""
        return type(self.state)(self.state.game, self.table_of(sample))

    def world_with_evidence(self, sample: Determinisation) -> TableState:
        """The sampled state with the evidence so far, translated to that state."""
        mixed = self.state.table.within[self.seat]
        faces = {slot: face for slot, face in sample.faces.items() if slot not in mixed and face not in mixed}
        evidence = tuple(after for one in self.state.evidence if (after := one.relabel(faces)) is not None)
        return type(self.state)(self.state.game, self.table_of(sample), evidence)


def _take_out(faces: dict[Element, Element], element: Element) -> None:
    """Put an element into its own place; the one sampled there goes to where the element was sampled."""
    displaced = faces.pop(element)
    if displaced is not element:
        slot = next(slot for slot, face in faces.items() if face is element)
        faces[slot] = displaced


def swap(faces: dict[Element, Element], one: Element, other: Element) -> None:
    """Swap the elements sampled in two places."""
    faces[one], faces[other] = faces[other], faces[one]
