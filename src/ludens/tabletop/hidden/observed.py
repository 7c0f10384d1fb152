"""What a player observed in each turn of a match, and turns played again so that they fit it."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from ludens.core import JointMove, LudensError, Move, Role
from ludens.tabletop.actions.randomness import SEPARATOR
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.material.equipment import Position
from ludens.tabletop.material.inventory import Inventory

ALL = 200
"""Moves of the others from which likely ones are chosen."""
AT_PLACE, NEAR_PLACE = 20.0, 4.0
"""How much more often moves are tried that name a place of the percepts, or its neighbour."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What a player did, perceived and saw in a turn, and what it could do afterwards."""

    role: Role
    move: Move | None
    percepts: tuple[str, ...]
    seen: Mapping[str, Any]
    legal_moves: frozenset[Move]
    places: tuple[str, ...]
    """The positions that the turn names."""
    near: frozenset[str]
    """Their neighbours."""
    shown: Mapping[Role, Move]
    """The moves of others that the percepts show."""
    is_open: bool
    """True if these are all moves of others."""

    def fits(self, state: TableState) -> bool:
        """True if the player would have observed the same on the way into a state."""
        view: Any = state.view(self.role)
        return (
            tuple(state.percepts(self.role)) == self.percepts
            and view.observation == self.seen
            and frozenset(state.legal_moves(self.role)) == self.legal_moves
        )


def observed_in(state: TableState, role: Role) -> Observed:
    """What a player observed in the last turn; kept with the state."""
    key: Hashable = "observed", role
    found: Observed | None = state.kept.get(key)
    if found is None:
        turn = state.turn
        acted = turn.done if turn is not None else ()
        move = next((text for mover, _, text in acted if mover == role), None)
        percepts = tuple(state.percepts(role))
        places = named_places(state.game.inventory, " ".join((*percepts, move or "")))
        named = state.game.inventory.named["place"]
        positions = [place for name in places if isinstance(place := named.get(name), Position)]
        near = frozenset(other.name for place in positions for other in place.neighbours)
        view: Any = state.view(role)
        legal = frozenset(state.legal_moves(role))
        others = [(mover, text) for mover, _, text in acted if mover != role]
        shown = {mover: text.partition(SEPARATOR)[0] for mover, text in others if f"{mover}: {text}" in percepts}
        is_open = len(shown) == len(others)
        found = state.kept[key] = Observed(role, move, percepts, view.observation, legal, places, near, shown, is_open)
    return found


@lru_cache(maxsize=20_000)
def named_places(inventory: Inventory, text: str) -> tuple[str, ...]:
    """The positions that a text names."""
    return tuple(_pattern(inventory).findall(text))


@lru_cache(maxsize=64)
def _pattern(inventory: Inventory) -> re.Pattern[str]:
    names = {place.name for place in inventory.positions}
    return re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))


def play_turn(world: TableState, joint_move: JointMove, observed: Observed, rng: Random) -> TableState | None:
    """The state after a joint move; None if it is not legal, or does not fit what the player observed."""
    try:
        after = world.play(world.resolve(joint_move, rng))
    except LudensError:
        return None
    return after if observed.fits(after) else None


def likely_moves(world: TableState, observed: Observed, most: int, rng: Random) -> Iterable[dict[Role, Move]]:
    """The same, mostly those first that name a place which the percepts name, or its neighbour: if something was taken
    there, it was by one of these. Without the player's own move, whose places say nothing about the others."""
    if observed.move is not None or not observed.places:
        return joint_moves(world, observed, most, rng)
    inventory, places = world.game.inventory, set(observed.places)
    order: list[tuple[float, int, dict[Role, Move]]] = []
    for number, option in enumerate(joint_moves(world, observed, ALL, rng)):
        named = named_places(inventory, " ".join(option.values()))
        weight = AT_PLACE if not places.isdisjoint(named) else NEAR_PLACE if not observed.near.isdisjoint(named) else 1
        order.append((-(rng.random() ** (1 / weight)), number, option))
    return [option for _, _, option in sorted(order)[:most]]


def joint_moves(world: TableState, observed: Observed, most: int, rng: Random) -> Iterable[dict[Role, Move]]:
    """The moves that the player knows, with others of the others in random order."""
    own = dict(observed.shown)
    if observed.move is not None:
        own[observed.role] = observed.move
    unknown = [role for role in world.game.roles if role not in own and role != observed.role]
    others = {role: legal for role in unknown if (legal := world.legal_moves(role))}
    if world.is_race or len(others) > 1:
        return [{**own, **{role: rng.choice(legal) for role, legal in others.items()}} for _ in range(most)]
    for role, legal in others.items():
        return [{**own, role: move} for move in rng.sample(legal, min(len(legal), most))]
    return [own]
