"""Repairs a determinisation after an unexpected move, without access to the real table: the paper's 3♠ example.

Jane thought that George had only 2♦ and 7♥, and George plays 3♠: on Jane's table 3♠ is swapped with one of the two. If
he passes instead, the cards that he could have played are swapped away.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from random import Random

from ludens.core import Move, Role
from ludens.tabletop.errors import RuleError
from ludens.tabletop.hidden.determinisation import Determinisation, Sampler, swap
from ludens.tabletop.hidden.percepts import new_elements
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.material.equipment import Element, Place

Sight = tuple[str, str]
"""The name of an element, and of the place where it was seen."""


def make_legal(sampler: Sampler, sample: Determinisation, role: Role, move: Move, rng: Random) -> bool:
    """Change a determinisation so that the move is legal for another role; False if no way is found.

    Only elements that the sampler's player cannot place are swapped: first those that the move names into the role's
    own places; then, elements that would make the move illegal out of them.
    """
    state = sampler.world(sample)
    if move in state.legal_moves(role):
        return True
    _hand_over(sampler, sample, role, move, rng)
    state = sampler.world(sample)
    if move in state.legal_moves(role):
        return True
    where = sampler.state.table.where
    slots = [slot for slot in sampler.unknown if (place := where[slot.index]) is not None and place.owner == role]
    named = set(_names_in(state, move))
    fitting = _sufficient_names(state, role, move, slots, sample, named)
    for slot in rng.sample(slots, len(slots)):
        face = sample.faces[slot]
        if face.name in fitting or face.name in named:
            continue
        good = [
            other
            for other in sampler.unknown
            if sample.faces[other].name in fitting
            and other not in slots
            and sampler.may_lie(slot, sample.faces[other])
            and sampler.may_lie(other, face)
        ]
        if not good:
            return False
        swap(sample.faces, slot, rng.choice(good))
    return move in sampler.world(sample).legal_moves(role)


def _hand_over(sampler: Sampler, sample: Determinisation, role: Role, move: Move, rng: Random) -> None:
    """Swap the elements that a move names into the role's own places."""
    where, faces = sampler.state.table.where, sample.faces
    own = [slot for slot in sampler.unknown if (place := where[slot.index]) is not None and place.owner == role]
    named = _names_in(sampler.state, move)
    missing = Counter(named) - Counter(element.name for element in _holdings(sampler.world(sample), role))
    for name in missing.elements():
        elsewhere = [slot for slot in sampler.unknown if faces[slot].name == name and slot not in own]
        rng.shuffle(elsewhere)
        for source in elsewhere:
            spare = [slot for slot in own if faces[slot].name not in named and sampler.may_lie(slot, faces[source])]
            spare = [slot for slot in spare if sampler.may_lie(source, faces[slot])] or spare
            if spare:
                swap(faces, source, rng.choice(spare))
                break


def _holdings(state: TableState, role: Role) -> list[Element]:
    """What lies at a role's own places."""
    table = state.table
    return [
        element for place in table.inventory.places if place.owner == role for element in table.contents[place.index]
    ]


def _sufficient_names(
    state: TableState, role: Role, move: Move, slots: Iterable[Element], sample: Determinisation, named: set[str]
) -> set[str]:
    """The names of elements that allow the move if they lie in the places of these slots with nothing but the elements
    that the move names."""
    places = {place for slot in slots if (place := state.table.where[sample.faces[slot].index]) is not None}
    found: set[str] = set()
    tried: set[str] = set()
    for face in sample.faces.values():
        if face.name in tried:
            continue
        tried.add(face.name)
        table = state.table.copy()
        for place in places:
            kept = tuple(element for element in table.contents[place.index] if element.name in named)
            table.contents[place.index] = (*kept, face)
            table.where[face.index] = place
        try:
            if move in state.game.choices(table, role):
                found.add(face.name)
        except RuleError:  # the rule cannot handle so few elements, so this excludes nothing
            found.add(face.name)
    return found


@lru_cache(maxsize=64)
def _pattern(names: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def _names_in(state: TableState, move: Move) -> list[str]:
    """The elements that a move names."""
    names = state.game.inventory.named["element"]
    return _pattern(frozenset(names)).findall(move) if names else []


def match_sights(
    sampler: Sampler, sample: Determinisation, wanted: Counter[Sight], after: TableState, rng: Random
) -> bool:
    """Change a determinisation so that elements come to the places where they were seen; False if impossible.

    ``after`` is the state that the unchanged determinisation leads to.
    """
    faces = sample.faces
    pairs = mismatches(wanted, new_sights(after, sampler.seat))
    if not pairs:
        return False
    for name, wrong in pairs:
        there = next((slot for slot, face in faces.items() if face is wrong), None)
        sources = [slot for slot, face in faces.items() if face.name == name and slot is not there]
        sources = [slot for slot in sources if there is not None and sampler.may_lie(there, faces[slot])]
        if there is None or not sources:
            return False
        swap(faces, there, rng.choice(sources))
    return True


def new_sights(state: TableState, seat: int) -> list[tuple[Element, Place]]:
    """The elements that a player sees since the last turn, and where."""
    table = state.table
    return [
        (element, place)
        for element in new_elements(state.table, state.turn, seat)
        if (place := table.where[element.index])
    ]


def mismatches(wanted: Counter[Sight], found: list[tuple[Element, Place]]) -> list[tuple[str, Element]]:
    """The names that should have been seen, each with the element that was seen in its place."""
    missing, extra = wanted.copy(), []
    for element, place in found:
        sight = element.name, str(place)
        if missing[sight] > 0:
            missing[sight] -= 1
        else:
            extra.append((element, place))
    pairs: list[tuple[str, Element]] = []
    for name, place_name in missing.elements():
        wrong = next((one for one in extra if str(one[1]) == place_name), None)
        if wrong is not None:
            extra.remove(wrong)
            pairs.append((name, wrong[0]))
    return pairs
