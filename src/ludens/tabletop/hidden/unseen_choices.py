"""What other players chose unseen: which elements they could have chosen, and the same choice in a sampled world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import comb, perm
from random import Random

from ludens.core import LudensError, Move, Role
from ludens.tabletop.actions.basic import Action, Del, Set
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.material.equipment import Element

Images = Mapping[Element, Element]
"""The elements that replace others; those that are missing stay themselves."""


def elements_of(action: Action) -> Iterable[Element]:
    """The elements that an action names."""
    yield from action.moved_elements()
    for part in action.parts:
        if isinstance(part, Set | Del) and isinstance(part.of, Element):
            yield part.of


def is_restricted(state: TableState, mover: Role, action: Action) -> bool:
    """True if a player that took elements from their places could not have taken any others from there as well."""
    moved, table = action.moved_elements(), state.table
    places = {place for element in moved if (place := table.where[element.index]) is not None}
    lying = [element for place in places for element in table.contents[place.index]]
    taken = [other.moved_elements() for other in _similar_choices(state, mover, action).values()]
    if len(moved) == 1:
        return len({element.name for (element,) in taken}) < len({element.name for element in lying})
    if len(set(action.touched_places())) == 1:
        return len(set(map(frozenset, taken))) < comb(len(lying), len(moved))
    return len(set(taken)) < perm(len(lying), len(moved))


def counterpart(
    world: TableState, mover: Role, action: Action, name: Move, images: Images, rng: Random | None = None
) -> Move:
    """The move in a world that does with other elements what an unseen action did; the same name if there is none.
    With ``rng``, a random one of those that differ in attributes and endless elements only."""
    similar = _similar_choices(world, mover, action)
    if rng is not None:
        finite = Counter(images.get(element, element).name for element in _finite(action))
        options = [text for text, other in similar.items() if Counter(one.name for one in _finite(other)) == finite]
        return rng.choice(options) if options else name
    wanted = Counter(images.get(element, element).name for element in action.moved_elements())
    if name in similar and wanted == Counter(element.name for element in action.moved_elements()):
        return name
    for text, other in similar.items():
        if Counter(element.name for element in other.moved_elements()) == wanted:
            return text
    return name


def _finite(action: Action) -> list[Element]:
    """The elements that an action moves, without endless ones."""
    return [element for element in action.moved_elements() if not element.is_endless]


def _similar_choices(world: TableState, mover: Role, action: Action) -> dict[Move, Action]:
    """What a player could do in a world that does the same with other elements."""
    try:
        choices = world.actions(mover)
    except LudensError:
        return {}
    places, kinds = action.touched_places(), [type(part) for part in action.parts]
    return {
        text: other
        for text, (other, _) in choices.items()
        if other.touched_places() == places
        and [type(part) for part in other.parts] == kinds
        and len(other.moved_elements()) == len(action.moved_elements())
    }


def exchange_choice(
    world: TableState, mover: Role, action: Action, images: dict[Element, Element], rng: Random
) -> None:
    """Let a player choose other elements in a world if it could not choose those that replace the real ones."""
    moved = action.moved_elements()
    wanted = Counter(images.get(element, element).name for element in moved)
    similar = [other.moved_elements() for other in _similar_choices(world, mover, action).values()]
    if not similar or any(Counter(element.name for element in other) == wanted for other in similar):
        return
    slots = {face: slot for slot, face in images.items()}
    for element, face in zip(moved, rng.choice(similar), strict=True):
        now = images.get(element, element)
        if now is not face and face in slots and now in slots:
            slot = slots[face]
            images[element], images[slot] = face, now
            slots[face], slots[now] = element, slot
