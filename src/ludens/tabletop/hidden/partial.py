"""Partial worlds: tables that agree with what a player sees and can do now, if no whole history was found in time.

What the player sees is taken from its view, what it does not see from particles of an earlier turn: their hidden
elements stay where they were, as far as these places are still unseen, and the others go to unseen places at random.
Tables on which the player could do something else, or that the rule calls impossible, are changed until they fit.
Of the hidden places of the real table only this is used: which elements lie there at all, not where, unless they are
endless.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ludens.core import Deadline, LudensError, Role
from ludens.tabletop.hidden.determinisation import unseen_places
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.knowledge import viewers
from ludens.tabletop.material.equipment import SECRET, Element, Place
from ludens.tabletop.table import Table

WORLDS, CHANGES = 24, 30
"""Partial worlds, and changes that are tried to make one fit."""
SHARE = 0.2
"""The part of the time left to a player that they may take."""


def partial_worlds(state: TableState, role: Role, before: Sequence[TableState], rng: Random) -> list[TableState]:
    """Worlds that agree with what a player sees in a state, from particles of an earlier turn; at least one, also when
    time is over. Those in which the player could do something else are returned only if there are no others."""
    legal = set(state.legal_moves(role))
    deadline = Deadline.share(SHARE)
    fitting: list[TableState] = []
    others: list[TableState] = []
    for source in rng.choices(before, k=WORLDS):
        hidden = _Hidden(state, role, source, rng)
        for _ in range(CHANGES):
            world = hidden.world()
            if _fits(world, role, legal):
                fitting.append(world)
                break
            if deadline.remaining() <= 0:
                break
            hidden.change()
        else:
            others.append(world)
        if deadline.remaining() <= 0:
            break
    return fitting or others or [world]


def _fits(world: TableState, role: Role, legal: set[str]) -> bool:
    try:
        return world.game.is_possible(world.table) and set(world.legal_moves(role)) == legal
    except LudensError:  # the rule cannot handle such a table
        return False


class _Hidden:
    """What lies at unseen places of one world."""

    def __init__(self, state: TableState, role: Role, source: TableState, rng: Random) -> None:
        self._state, self._role, self._source, self._rng = state, role, source, rng
        seat = state.table.inventory.seats[role]
        self._unseen = unseen_places(state.table, seat)
        self._lying: dict[Place, tuple[Element, ...]] = dict.fromkeys(self._unseen, ())
        missing = {
            element for place in self._unseen for element in state.table.contents[place.index] if not element.is_endless
        }
        displaced: list[tuple[Element, ...]] = []
        for place, lying in _hidden_contents(source.table, seat).items():
            kept = tuple(element for element in lying if element.is_endless or element in missing)
            missing.difference_update(kept)
            if place in self._lying:
                self._lying[place] = kept
            else:
                displaced.append(kept)
        for lying in (*displaced, *((element,) for element in sorted(missing, key=lambda one: one.index))):
            self._put(lying)

    def _put(self, lying: tuple[Element, ...]) -> None:
        """Put elements to an empty place, or to others if there is none."""
        places = [place for place in self._unseen if not self._lying[place]] or self._unseen
        if places:
            place = self._rng.choice(places)
            self._lying[place] = (*self._lying[place], *lying)

    def change(self) -> None:
        """Move the contents of a place elsewhere."""
        filled = [place for place in self._unseen if self._lying[place]]
        if filled:
            here = self._rng.choice(filled)
            there = self._rng.choice(self._unseen)
            self._lying[here], self._lying[there] = self._lying[there], self._lying[here]

    def world(self) -> TableState:
        """The state with these contents. It has no history."""
        state, source = self._state, self._source.table
        table = state.table.copy()
        for place in self._unseen:
            table.contents[place.index] = lying = self._lying[place]
            for element in lying:
                if not element.is_endless:
                    table.where[element.index] = place
        rule = state.game.rule
        others = [player for player in table.inventory.players if player.name != self._role]
        for key in [(None, name) for name in rule.secrets] + [(one, name) for one in others for name in rule.private]:
            table.attributes.pop(key, None)
            if key in source.attributes:
                table.attributes[key] = source.attributes[key]
        world = type(state)(state.game, table)
        world.kept["sampled for", self._role] = state
        return world


def _hidden_contents(table: Table, seat: int) -> dict[Place, tuple[Element, ...]]:
    """What lies at secret places where a player does not see it."""
    found: dict[Place, tuple[Element, ...]] = {}
    for place in table.inventory.places:
        if place.visibility == SECRET:
            lying = tuple(one for one in table.contents[place.index] if not viewers(table, one, place) >> seat & 1)
            if lying:
                found[place] = lying
    return found
