"""Replaces hidden elements by others, with all that belongs to their places."""

from __future__ import annotations

from collections.abc import Mapping

from ludens.tabletop.material.equipment import Element
from ludens.tabletop.table import Table


def with_faces(table: Table, faces: Mapping[Element, Element]) -> Table:
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
                moved.get(slot, slot): _carry_mask(mask, moved, among) for slot, mask in table.within[seat].items()
            }
    return changed


def _carry_attributes(table: Table, changed: Table, moved: dict[Element, Element]) -> None:
    """Move attributes of a hidden element to the element that replaces it."""
    kept = [(of, name) for of, name in table.attributes if isinstance(of, Element) and of in moved]
    for key in kept:
        changed.attributes.pop(key, None)
    for of, name in kept:
        assert isinstance(of, Element)
        changed.attributes[(moved[of], name)] = table.attributes[(of, name)]


def _carry_mask(mask: int, moved: dict[Element, Element], among: int) -> int:
    return mask & ~among | sum(face.bit for slot, face in moved.items() if slot.bit & mask)
