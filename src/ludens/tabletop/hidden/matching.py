"""Assigns hidden elements to places where each may lie, by augmenting paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from ludens.tabletop.material.equipment import Element

MayLie = Callable[[Element, Element], bool]
"""True if the second element may lie in the place of the first."""


def assign(
    slot: Element, pool: Sequence[Element], slot_of: dict[Element, Element], may_lie: MayLie, tried: set[Element]
) -> bool:
    """Find an element of the pool for a slot, by giving others to other slots if need be; False if there is none.
    ``slot_of`` has the slot of each element so far, and elements in ``tried`` stay where they are."""
    for face in pool:
        if face not in tried and may_lie(slot, face):
            tried.add(face)
            if face not in slot_of or assign(slot_of[face], pool, slot_of, may_lie, tried):
                slot_of[face] = slot
                return True
    return False


def random_matching(
    slots: Sequence[Element], first: Callable[[Element], bool], may_lie: MayLie, rng: Random
) -> dict[Element, Element]:
    """A random element for each slot, which may lie there if that is possible for all; constrained slots come
    ``first``. Not uniform."""
    slot_of: dict[Element, Element] = {}
    order = rng.sample(slots, len(slots))
    order.sort(key=first, reverse=True)
    pool = rng.sample(slots, len(slots))
    for slot in order:
        assign(slot, pool, slot_of, may_lie, set())
    faces = {slot: face for face, slot in slot_of.items()}
    left = iter([face for face in pool if face not in slot_of])
    return {slot: faces[slot] if slot in faces else next(left) for slot in slots}
