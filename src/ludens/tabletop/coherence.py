"""Repairing a guessed table for a move that was really made, where nobody has the real table: the paper's 3♠ example.

Jane thought that George had only 2♦ and 7♥, and George plays 3♠: on Jane's table 3♠ is swapped with one of the two.
"""

from __future__ import annotations

from random import Random

from ludens.core import Move, Role
from ludens.tabletop.equipment import Element
from ludens.tabletop.rearranging import with_faces
from ludens.tabletop.state import TabletopState
from ludens.tabletop.wording import tokens, unquoted

TRIES = 200
"""Random swaps that are tried when the obvious ones do not do."""


def make_legal(state: TabletopState, observer: Role, role: Role, move: Move, rng: Random) -> TabletopState | None:
    """The guessed state changed so that a move of another role is legal in it; None if no swap is found.

    Only elements that the observer cannot place are swapped: first those that the move names with what is guessed to
    lie at the role's own places, then any at random.
    """
    if move in state.legal_moves(role):
        return state
    table = state.table
    known = table.known[table.kit.seats[observer]]
    unknown = [element for element in table.kit.elements if not (known & element.bit or element.is_endless)]
    if not unknown:
        return None

    def own(guess: TabletopState) -> list[Element]:
        return [element for element in unknown if (place := guess.table.where[element.index]) and place.owner == role]

    named = {unquoted(token) for token in tokens(move.replace('"', " "))}
    for element in [element for element in unknown if element.name in named and element not in own(state)]:
        spare = [other for other in own(state) if other.name not in named]
        if spare:
            state = _swapped(state, element, rng.choice(spare))
    for _ in range(TRIES):
        if move in state.legal_moves(role):
            return state
        held = own(state)
        if not held:
            return None
        state = _swapped(state, rng.choice(unknown), rng.choice(held))
    return None


def _swapped(state: TabletopState, one: Element, other: Element) -> TabletopState:
    if one is other:
        return state
    return TabletopState(state.game, with_faces(state.table, {one: other, other: one}), state.evidence)
