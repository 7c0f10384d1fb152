"""What past turns say about samples: which unknown elements may lie where, and which turns each sample has to pass."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random

from ludens.core import Deadline, OutOfTimeError
from ludens.tabletop.hidden.broad_turns import BROAD, narrow_turn
from ludens.tabletop.hidden.evidence import Evidence
from ludens.tabletop.hidden.narrowing import Narrowing
from ludens.tabletop.hidden.replay import Past, Rolls
from ludens.tabletop.hidden.unseen_choices import Images
from ludens.tabletop.material.equipment import Dice, Element

RULE_TRIALS = 12
"""Random arrangements that show whether the rule's own test is about single elements."""
SPOT_CHECKS, FIRST_CHECKS = 2, 400
"""Turns that are played again in a sample although they are constraints on single elements as far as is known: at a
clock; and without one in the first sample, half of that in the second, a third in the next, and so on."""


class Constraints:
    """The constraints of one player in one state."""

    def __init__(
        self, past: Past, unknown: Sequence[Element], cups: Sequence[Dice], within: Mapping[Element, int]
    ) -> None:
        """``within`` has, for elements that were mixed with others, these others as bits."""
        self._past = past
        self._unknown = unknown
        self._mask = sum(element.bit for element in unknown)
        self.allowed: dict[Element, int] = {}
        """The elements that may lie where an unknown element lies, as bits; anything if there is no entry."""
        self.doubtful: list[tuple[int, Evidence]] = []
        """Evidence that the rule has to check for each sample, and the turns that it is from."""
        self.doubtful_turns: list[int] = []
        """Turns that are played again in each sample, the latest first."""
        self._trusted: list[int] = []
        """Turns that are constraints on single elements as far as is known; a few are played again in each sample."""
        self._checked = 0
        """Samples whose trusted turns were played again."""
        self._broad: dict[int, list[Evidence]] = {}
        """The turns in which the rule looked at a board, and the moves of others in them."""
        self.is_narrow = False
        """True if there are constraints found by asking about whole arrangements, of which a matching is a sample."""
        if unknown:
            self._apply_evidence()
            self._apply_sets(within)
        if unknown or cups:
            self._apply_turns(cups)
        self._apply_broad_turns()
        self.ordered: list[tuple[Element, int]] = []
        """The same as ``allowed``, sorted by how few elements may lie there."""
        self._order()

    @property
    def asks_rule(self) -> bool:
        """True if the rule has to check each sample."""
        return bool(self.doubtful or self.doubtful_turns)

    def may_lie(self, slot: Element, face: Element) -> bool:
        """True if an element may lie in the place of another."""
        return bool(self.allowed.get(slot, self._mask) & face.bit)

    # What they come from

    def _apply_evidence(self) -> None:
        """Constrain where unknown elements may lie, as far as the moves of others reveal it.

        Constraints on single elements only hold if none were lost from sight since: an element that was is itself in
        earlier turns, so there the rule has to check each sample.
        """
        for number, evidence in self._past.evidence():
            if evidence.named & self._mask:
                continue
            concerned = [
                (slot, place) for place in evidence.places for slot in evidence.slots(place) if slot.bit & self._mask
            ]
            if not concerned:
                continue
            is_old = number <= self._past.last_loss
            if len(evidence.places) > BROAD:
                if is_old:
                    self.doubtful.append((number, evidence))
                else:
                    self._broad.setdefault(number, []).append(evidence)
                continue
            masks, is_complete = evidence.constraints()
            if is_old:
                if not is_complete or any(mask & self._mask != self._mask for mask in masks.values()):
                    self.doubtful.append((number, evidence))
                continue
            for slot, place in concerned:
                self._restrict(slot, masks[place])
            if not is_complete:
                self.doubtful.append((number, evidence))

    def _apply_sets(self, within: Mapping[Element, int]) -> None:
        """Restrict each element that was mixed with others to the places of these."""
        for element, mask in within.items():
            if element.bit & self._mask:
                for slot in self._unknown:
                    if not slot.bit & mask:
                        self._restrict(slot, ~element.bit)

    def _apply_turns(self, cups: Sequence[Dice]) -> None:
        """Constrain where unknown elements may lie by what past turns did. A turn that depends on one unknown element
        is a constraint on what lies in its place; others are played again in each sample."""
        slots = {element.bit: element for element in self._unknown}
        for number in self._past.doubtful_turns(self._mask, cups):
            bit = self._past.only_slot(number, self._mask)
            if bit:
                slot = slots[bit]
                self._restrict(slot, self._past.allowed_in(number, slot, self._unknown))
            elif self._past.is_broad(number, BROAD):
                self._broad.setdefault(number, [])
            else:
                self.doubtful_turns.append(number)

    def _apply_broad_turns(self) -> None:
        """Constrain unknown elements by turns in which the rule looked at a board."""
        for number, evidence in sorted(self._broad.items()):
            found = narrow_turn(self._past, number, evidence, self._unknown, self.allowed)
            self._exclude(found.excluded)
            if found.is_complete:
                self._trusted.append(number)
            else:
                self.doubtful += [(number, one) for one in evidence]
                self.doubtful_turns.append(number)

    def narrow(self, fits: Callable[[Images], bool], rng: Random, deadline: Deadline) -> bool:
        """Constrain unknown elements by a test of whole arrangements, as far as it is about single elements; False if
        nothing was found. Raises `OutOfTimeError` at the deadline."""

        def fits_in_time(faces: Images) -> bool:
            if deadline.remaining() <= 0:
                raise OutOfTimeError("the time for this computation is over")
            return fits(faces)

        narrowing = Narrowing(self._unknown, self.allowed, fits_in_time, rng)
        if not (narrowing.probe(self._unknown) and narrowing.is_complete(RULE_TRIALS)):
            return False
        self._exclude(narrowing.excluded)
        self._order()
        return bool(narrowing.excluded)

    def _exclude(self, excluded: Mapping[Element, Collection[str]]) -> None:
        """Keep elements of some names away from places."""
        for slot, names in excluded.items():
            if slot.bit & self._mask:
                self.is_narrow = True
                self._restrict(slot, ~sum(face.bit for face in self._unknown if face.name in names))

    def _restrict(self, slot: Element, mask: int) -> None:
        """Let only these elements, given as bits, lie in the place of another."""
        self.allowed[slot] = self.allowed.get(slot, self._mask) & mask

    def _order(self) -> None:
        self.ordered = sorted(self.allowed.items(), key=lambda item: item[1].bit_count())

    # Checking samples

    def are_met(self, faces: Images) -> bool:
        """True if every element lies where it may."""
        return all(faces[slot].bit & mask for slot, mask in self.allowed.items())

    def is_refuted(self, faces: Images, rolls: Rolls) -> bool:
        """True if doubtful evidence or a doubtful turn contradicts a sample. What does is the first to be tried next
        time."""
        images = self._past.images(faces)
        for at, (number, evidence) in enumerate(self.doubtful):
            if not evidence.fits(images[number - 1]):
                self.doubtful.insert(0, self.doubtful.pop(at))
                return True
        for at, number in enumerate(self.doubtful_turns):
            if self._past.contradicts(number, images, rolls):
                self.doubtful_turns.insert(0, self.doubtful_turns.pop(at))
                return True
        return False

    def is_trust_right(self, faces: Images, rolls: Rolls, rng: Random) -> bool:
        """False if a turn contradicts a sample although it seemed to be a constraint on single elements. From then on
        it is played again in each sample."""
        images = self._past.images(faces)
        self._checked += 1
        most = SPOT_CHECKS if Deadline.of_thread() else max(SPOT_CHECKS, FIRST_CHECKS // self._checked)
        for number in rng.sample(self._trusted, min(len(self._trusted), most)):
            if self._past.contradicts(number, images, rolls):
                self._trusted.remove(number)
                self.doubtful_turns.insert(0, number)
                return False
        return True

    def contradictions(self, faces: Images, rolls: Rolls) -> int:
        """How much of the past contradicts a sample in which everything lies where it may."""
        images = self._past.images(faces)
        return sum(not evidence.fits(images[number - 1]) for number, evidence in self.doubtful) + sum(
            self._past.mismatch(number, images, rolls) for number in self.doubtful_turns
        )
