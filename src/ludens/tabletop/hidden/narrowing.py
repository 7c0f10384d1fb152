"""Finds what each unknown element may be by asking a test about whole arrangements: "has it moved? Then it is no bomb."

The test may be the rule (`Rule.possible`), or a past turn: would it have been legal, and have looked the same? It is
asked with one element of another name in a place. The others stay, or go where they are proven to fit, along an
augmenting path. So a name is not excluded because the element that it replaces fits nowhere else. Random arrangements
within the constraints show whether there is more to the test than constraints on single elements.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from random import Random

from ludens.tabletop.hidden.matching import assign, random_matching
from ludens.tabletop.material.equipment import Element

PROOFS = 8
"""Random arrangements of the other elements that may prove where these fit, if no arrangement answers a question."""
CYCLES = 3
"""Exchanges of three elements that are tried before a name is excluded for lack of an arrangement."""
CULPRITS = 6
"""How often random arrangements may show that further places matter."""
Test = Callable[[Mapping[Element, Element]], bool]
"""True if an arrangement fits."""


class Narrowing:
    """Which names may lie in the places of unknown elements, according to a test that the elements as they are pass."""

    def __init__(self, unknown: Sequence[Element], masks: Mapping[Element, int], fits: Test, rng: Random) -> None:
        """``masks`` has what is known already: the elements, as bits, that may lie in a place; all if it is missing."""
        self._unknown = unknown
        self._masks = masks
        self.fits = fits
        """The test; it may be replaced by a stricter one."""
        self._rng = rng
        self._named: dict[str, list[Element]] = {}
        for element in unknown:
            self._named.setdefault(element.name, []).append(element)
        self._proven: dict[Element, set[str]] = {slot: {slot.name} for slot in unknown}
        self.excluded: dict[Element, set[str]] = {}
        """The names that cannot lie in a place."""
        self._probed: set[Element] = set()

    def probe(self, slots: Iterable[Element]) -> bool:
        """Find out about all names in these slots; False if some remain doubtful."""
        left = [
            (slot, name)
            for slot in slots
            if slot not in self._probed
            for name, faces in self._named.items()
            if any(self._may_lie(slot, face) for face in faces)
        ]
        self._probed.update(slot for slot, _ in left)
        proofs = PROOFS
        while left:
            doubtful = [(slot, name) for slot, name in left if not self._decide(slot, name)]
            if len(doubtful) == len(left):
                pairs = self._draw_pairs({slot for slot, _ in left})
                if not pairs or not proofs:
                    return self._settle(left)
                proofs -= 1
                self._fits(_exchanged(pairs))
            left = doubtful
        return True

    def _settle(self, left: Sequence[tuple[Element, str]]) -> bool:
        """If everything was probed: exclude names with which no arrangement of the others is left, unless an exchange
        of three elements fits; False if some remain doubtful."""
        if len(self._probed) < len(self._unknown):
            return False
        for slot, name in left:
            if name not in self._proven[slot] and not any(
                self._fits(self._draw_cycle(slot, name)) for _ in range(CYCLES)
            ):
                self.excluded.setdefault(slot, set()).add(name)
        return True

    def _draw_cycle(self, slot: Element, name: str) -> dict[Element, Element]:
        """An exchange of three elements, or two, that brings one of some name into a slot."""
        face = self._rng.choice([face for face in self._named[name] if self._may_lie(slot, face)])
        third = self._rng.choice([one for one in self._unknown if one is not slot and one is not face] or [slot])
        return {slot: face, face: third, third: slot} if third is not slot else {slot: face, face: slot}

    def _decide(self, slot: Element, name: str) -> bool:
        """Find out whether a name may lie in a slot; False if no arrangement answers that yet."""
        if name in self._proven[slot]:
            return True
        face = self._rng.choice([face for face in self._named[name] if self._may_lie(slot, face)])
        if self._fits({slot: face, face: slot}):
            return True
        arrangement = self._arrange(slot, face)
        if arrangement is None:
            return False
        if not self._fits(arrangement):
            self.excluded.setdefault(slot, set()).add(name)
        return True

    def _arrange(self, slot: Element, face: Element) -> dict[Element, Element] | None:
        """An arrangement with an element in a slot, and all others where they are proven to fit."""
        slot_of = {one: one for one in self._unknown}
        slot_of[face] = slot
        del slot_of[slot]
        pool = self._rng.sample(self._unknown, len(self._unknown))
        if not assign(face, pool, slot_of, lambda one, other: other.name in self._proven[one], {face}):
            return None
        return {slot: face for face, slot in slot_of.items() if slot is not face}

    def _fits(self, arrangement: Mapping[Element, Element]) -> bool:
        fits = self.fits(arrangement)
        if fits:
            for slot, face in arrangement.items():
                self._proven[slot].add(face.name)
        return fits

    def _may_lie(self, slot: Element, face: Element) -> bool:
        if not self._masks.get(slot, -1) & face.bit:
            return False
        return slot not in self.excluded or face.name not in self.excluded[slot]

    def is_complete(self, trials: int) -> bool:
        """True if random arrangements within the constraints pass the test. If one that exchanges pairs does not, the
        pair that matters is found and probed."""
        culprits = 0
        while trials > 0:
            trials -= 1
            if trials % 2:
                if not self._fits(self._draw_matching()):
                    return False
                continue
            pairs = self._draw_pairs(())
            if not pairs or self._fits(_exchanged(pairs)):
                continue
            while len(pairs) > 1:  # one half of them fails, if the test is about single elements
                half = pairs[: len(pairs) // 2]
                pairs = pairs[len(half) :] if self._fits(_exchanged(half)) else half
            slots = [slot for slot in pairs[0] if slot not in self._probed]
            culprits += 1
            if not slots or culprits > CULPRITS or not self.probe(slots):
                return False
            trials += 1
        return True

    def _draw_matching(self) -> dict[Element, Element]:
        constrained = {slot for slot in self._unknown if slot in self._masks or slot in self.excluded}
        found = random_matching(self._unknown, constrained.__contains__, self._may_lie, self._rng)
        return {slot: face for slot, face in found.items() if slot is not face}

    def _draw_pairs(self, fixed: Container[Element]) -> list[tuple[Element, Element]]:
        """Disjoint pairs of elements, other than these, that may be exchanged."""
        left = [slot for slot in self._rng.sample(self._unknown, len(self._unknown)) if slot not in fixed]
        found = []
        while left:
            one = left.pop()
            for at, other in enumerate(left):
                if other.name != one.name and self._may_lie(one, other) and self._may_lie(other, one):
                    found.append((one, other))
                    del left[at]
                    break
        return found


def _exchanged(pairs: Iterable[tuple[Element, Element]]) -> dict[Element, Element]:
    return {slot: face for one, other in pairs for slot, face in ((one, other), (other, one))}
