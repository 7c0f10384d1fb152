"""The Referee's draws: each depends on the seed, the turn and its purpose alone, so that a record can be recomputed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ludens.core import JointMove, Move, Role, State


def substitute(seed: int, turn: int, role: Role, legal: Sequence[Move]) -> Move:
    """The uniformly random legal move of a role whose player failed."""
    return Random(f"{seed}/{turn}/substitute/{role}").choice(legal)


def resolve_chance(seed: int, turn: int, state: State, chosen: JointMove) -> JointMove:
    """The joint move with chance resolved."""
    return state.resolve(chosen, Random(f"{seed}/{turn}/chance"))


def substitute_order(seed: int, turn: int, roles: Sequence[Role]) -> list[Role]:
    """The order in which substitutes enter a race that nobody has won."""
    return Random(f"{seed}/{turn}/race").sample(roles, len(roles))


def player_seed(seed: int, number: int) -> int:
    """The seed of the player of the role with this number."""
    return seed + 1 + number
