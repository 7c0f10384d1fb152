"""Repairing a guess for what really happened, where nobody has the real table: the paper's 3♠ example.

Jane thought that George had only 2♦ and 7♥, and George plays 3♠: on Jane's table 3♠ is swapped with one of the two. If
he passes instead, what would have let him play is swapped away.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from random import Random

from ludens.core import Move, Role
from ludens.tabletop.equipment import Element, Place
from ludens.tabletop.errors import RuleError
from ludens.tabletop.guess import Guess, Guesser, swap
from ludens.tabletop.percepts import new_elements
from ludens.tabletop.state import TabletopState

Sight = tuple[str, str]
"""The name of an element, and of the place where it was seen."""


def make_legal(guesser: Guesser, guess: Guess, role: Role, move: Move, rng: Random) -> bool:
    """Change a guess so that another role could make a move; False if no way is found.

    Only elements that the guesser's player cannot place are swapped: first those that the move names into the role's
    own places, then those away that alone would not have allowed it.
    """
    state = guesser.world(guess)
    if move in state.legal_moves(role):
        return True
    _hand_over(guesser, guess, role, move, rng)
    state = guesser.world(guess)
    if move in state.legal_moves(role):
        return True
    where = guesser.state.table.where
    slots = [slot for slot in guesser.unknown if (place := where[slot.index]) is not None and place.owner == role]
    named = set(_named(state, move))
    fitting = _alone(state, role, move, slots, guess, named)
    for slot in rng.sample(slots, len(slots)):
        face = guess.faces[slot]
        if face.name in fitting or face.name in named:
            continue
        good = [
            other
            for other in guesser.unknown
            if guess.faces[other].name in fitting
            and other not in slots
            and guesser.may_lie(slot, guess.faces[other])
            and guesser.may_lie(other, face)
        ]
        if not good:
            return False
        swap(guess.faces, slot, rng.choice(good))
    return move in guesser.world(guess).legal_moves(role)


def _hand_over(guesser: Guesser, guess: Guess, role: Role, move: Move, rng: Random) -> None:
    """Swap the elements that a move names into the role's own places."""
    where, faces = guesser.state.table.where, guess.faces
    own = [slot for slot in guesser.unknown if (place := where[slot.index]) is not None and place.owner == role]
    named = _named(guesser.state, move)
    missing = Counter(named) - Counter(element.name for element in _held(guesser.world(guess), role))
    for name in missing.elements():
        elsewhere = [slot for slot in guesser.unknown if faces[slot].name == name and slot not in own]
        rng.shuffle(elsewhere)
        for source in elsewhere:
            spare = [slot for slot in own if faces[slot].name not in named and guesser.may_lie(slot, faces[source])]
            spare = [slot for slot in spare if guesser.may_lie(source, faces[slot])] or spare
            if spare:
                swap(faces, source, rng.choice(spare))
                break


def _held(state: TabletopState, role: Role) -> list[Element]:
    """What lies at a role's own places."""
    table = state.table
    return [element for place in table.kit.places if place.owner == role for element in table.contents[place.index]]


def _alone(
    state: TabletopState, role: Role, move: Move, slots: Iterable[Element], guess: Guess, named: set[str]
) -> set[str]:
    """The names of elements each of which would allow the move if it lay alone, but for those that the move names, in
    the places of these slots."""
    places = {place for slot in slots if (place := state.table.where[guess.faces[slot].index]) is not None}
    found: set[str] = set()
    tried: set[str] = set()
    for face in guess.faces.values():
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
        except RuleError:  # the rule cannot do with so little, so nothing is learned
            found.add(face.name)
    return found


@lru_cache(maxsize=64)
def _pattern(names: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def _named(state: TabletopState, move: Move) -> list[str]:
    """The elements that a move names."""
    names = state.game.kit.named["element"]
    return _pattern(frozenset(names)).findall(move) if names else []


def make_seen(guesser: Guesser, guess: Guess, wanted: Counter[Sight], after: TabletopState, rng: Random) -> bool:
    """Change a guess so that other elements come to the places where they were seen; False if that is not possible.

    ``after`` is what the guess as it is has led to.
    """
    faces = guess.faces
    pairs = unlike(wanted, newly_known(after, guesser.seat))
    if not pairs:
        return False
    for name, wrong in pairs:
        there = next((slot for slot, face in faces.items() if face is wrong), None)
        sources = [slot for slot, face in faces.items() if face.name == name and slot is not there]
        sources = [slot for slot in sources if there is not None and guesser.may_lie(there, faces[slot])]
        if there is None or not sources:
            return False
        swap(faces, there, rng.choice(sources))
    return True


def newly_known(state: TabletopState, seat: int) -> list[tuple[Element, Place]]:
    """The elements that a player sees since the last turn, and where."""
    table = state.table
    return [(element, place) for element in new_elements(state, seat) if (place := table.where[element.index])]


def unlike(wanted: Counter[Sight], found: list[tuple[Element, Place]]) -> list[tuple[str, Element]]:
    """What should have been seen, each with an element that was seen there instead."""
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
