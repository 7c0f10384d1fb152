"""What each player knows of where elements lie, kept up to date by the actions.

For each player a table has the elements whose places the player knows. Everything else could lie anywhere among the
places of what it does not know, except elements that got mixed with others under its eyes (``within``): of these it
knows the set in which they lie.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludens.tabletop.material.equipment import SECRET, Element, Place
from ludens.tabletop.table import Table

FACE = "face"
"""The attribute of an element that lies face ``"up"`` (all see it) or ``"down"`` (nobody does), wherever it lies."""


def viewers(table: Table, element: Element, place: Place) -> int:
    """The players that see the face of an element at a place, as bits."""
    inventory = table.inventory
    if FACE in inventory.changed or FACE in element.attributes:
        face = table.get(FACE, of=element)
        if face == "up":
            return (1 << len(inventory.names)) - 1
        if face == "down":
            return 0
    if place.visibility == SECRET:
        owner = table.owners[element.index] or element.attributes.get("player")
        return 1 << inventory.seats[owner] if owner is not None else 0
    return inventory.sees[place.index]


def note_move(table: Table, element: Element, source: Place | None, to: Place, before: Sequence[Element]) -> None:
    """Update everybody's knowledge after a move. ``before`` is what lay at the source, including the element."""
    forget_places(table, source, to)
    if element.is_endless:
        return
    sees_target = viewers(table, element, to)
    sees_source = viewers(table, element, source) if source is not None else 0
    among = 0
    if source is not None and not source.is_ordered:
        # Who sees neither source nor target cannot know which of the hidden elements was moved.
        for other in before:
            among |= other.bit
    for seat in range(len(table.known)):
        if sees_target >> seat & 1:
            learn(table, seat, element)
        elif among and not sees_source >> seat & 1:
            blur(table, seat, among)


def note_shuffle(table: Table, place: Place) -> None:
    """Make everybody forget the order of a place that was shuffled."""
    lying = table.contents[place.index]
    for seat in range(len(table.known)):
        blur(table, seat, sum(element.bit for element in lying if not viewers(table, element, place) >> seat & 1))


def note_face(table: Table, element: Element) -> None:
    """Show everybody an element that was turned over."""
    place = table.where[element.index]
    if place is not None:
        seen = viewers(table, element, place)
        for seat in range(len(table.known)):
            if seen >> seat & 1:
                learn(table, seat, element)


def learn(table: Table, seat: int, element: Element) -> None:
    """Record that a player knows where an element lies."""
    if not table.known[seat] & element.bit:
        table.write(table.known, seat, table.known[seat] | element.bit)
    if element in table.within[seat]:
        kept = {other: mask for other, mask in table.within[seat].items() if other is not element}
        table.write(table.within, seat, kept)


def blur(table: Table, seat: int, among: int) -> None:
    """Reduce a player's knowledge of some elements, given as bits: each lies where one of them lies."""
    known, within = table.known[seat], table.within[seat]
    if not known & among and not within:
        return
    changed = dict(within)
    for element in table.inventory.elements:
        possible = changed.get(element, element.bit if known & element.bit else 0)
        if possible & among:
            changed[element] = possible | among
    table.write(table.within, seat, changed)
    table.write(table.known, seat, known & ~among)


def find_out(table: Table, seat: int, place: Place) -> None:
    """Reveal a secret place to a player, until its contents change or, if it is empty, anybody moves."""
    table.write(table.revealed, seat, table.revealed[seat] | 1 << place.index)


def forget_places(table: Table, source: Place | None, to: Place) -> None:
    """Make players forget what they found out about secret places that have changed since."""
    secret = [place for place in (source, to) if place is not None and place.visibility == SECRET]
    if not secret or not any(table.revealed):
        return
    changed = sum({1 << place.index for place in secret})
    for seat, found in enumerate(table.revealed):
        if found:
            places = table.inventory.places
            empty = sum(1 << n for n in range(len(places)) if found >> n & 1 and not table.contents[n])
            table.write(table.revealed, seat, found & ~(changed | empty))
