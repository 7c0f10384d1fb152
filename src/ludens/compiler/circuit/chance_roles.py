"""Chance roles of a compiled game: their moves are drawn by weights.

There are two kinds: the role ``random`` of GDL-II, and what `ludens.gdl.chance.core_form` makes of random variables.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ludens.compiler.circuit.gates import FALSE, Gates
from ludens.core import GameError
from ludens.gdl.chance.core_form import NOTHING, OPEN, SOURCE
from ludens.gdl.chance.outcomes import RANDOM_ROLE
from ludens.gdl.chance.random_variables import is_within
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import Term, arguments, functor, signature, sort_key
from ludens.gdl.write import kif

Moves = list[tuple[Term, int, int]]
"""Moves of a role: the term, the input that does it, and the literal that makes it legal."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The source of a chance role's moves."""

    weights: tuple[int, ...]
    """Of each move; all 1 for the role ``random`` of GDL-II."""
    owner: int | None = None
    """The number of the role in whose moves a random variable stands; None for the role ``random``."""
    variable: Term | None = None
    """The random variable whose events are drawn; None for the role ``random``."""
    faults: tuple[int, ...] = ()
    """Literals of which none may hold in a non-terminal state: the rules give two weights, or none, to draw by."""


def ordered_roles(named: Iterable[Term], moving: Iterable[Term]) -> list[Term]:
    """All roles: the players' roles, then the chance roles, some of which only have moves."""
    players = [role for role in dict.fromkeys(named) if not is_chance(role)]
    return players + sorted({role for role in (*named, *moving) if is_chance(role)}, key=sort_key)


def named_roles(sheet: RuleSheet, circuit_roles: Sequence[Term]) -> list[Term]:
    """The roles of a circuit that the rule sheet names, in its order: all but those that draw random variables."""
    named = [arguments(rule.head)[0] for rule in sheet.rules if signature(rule.head) == ("role", 1)]
    plain = [role for role in circuit_roles if functor(role) != SOURCE]
    return [role for role in dict.fromkeys([*named, *plain]) if role in plain]


def is_chance(role: Term) -> bool:
    """True for a role whose moves are drawn."""
    return role == RANDOM_ROLE or functor(role) == SOURCE


def without_wrapping(move: Term) -> Term:
    """A move as the rule sheet has it."""
    return arguments(move)[0] if functor(move) == OPEN else move


def find_chance(gates: Gates, roles: Sequence[Term], moves: list[Moves]) -> tuple[Chance, ...]:
    """How the last of the roles draw their moves. Each always has a legal one: `NOTHING` where there is no event.

    Raises `GameError` if a weight is no number.
    """
    return tuple(
        Chance((1,) * len(own)) if role == RANDOM_ROLE else _source(gates, roles, moves, number)
        for number, (role, own) in enumerate(zip(roles, moves, strict=True))
        if is_chance(role)
    )


def _source(gates: Gates, roles: Sequence[Term], moves: list[Moves], number: int) -> Chance:
    owner, variable = arguments(roles[number])
    own = moves[number]
    idle = next((does for move, does, _ in own if move == NOTHING), None)
    own[:] = [entry for entry in own if entry[0] != NOTHING]
    weights = []
    by_event = defaultdict(list)
    for move, _, legal in own:
        event, weight = arguments(move)
        if not (isinstance(weight, str) and weight.isascii() and weight.isdecimal()):
            raise GameError(f"the weight of {kif(event)} is an integer from 0 upwards, not {kif(weight)}")
        by_event[event].append(legal)
        weights.append(int(weight))
    own[:] = [entry for entry, weight in zip(own, weights, strict=True) if weight]
    weights = [weight for weight in weights if weight]
    nothing = gates.any_of(legal for _, _, legal in own) ^ 1
    faults = [gates.both(a, b) for legal in by_event.values() for n, a in enumerate(legal) for b in legal[:n]]
    wanting = [legal for move, _, legal in moves[roles.index(owner)] if is_within(variable, move)]
    faults.append(gates.both(nothing, gates.any_of(wanting)))
    if nothing != FALSE:
        own.append((NOTHING, gates.new_input() if idle is None else idle, nothing))
        weights.append(1)
    divisor = math.gcd(*weights) if nothing == FALSE else 1
    return Chance(
        tuple(weight // divisor for weight in weights),
        roles.index(owner),
        variable,
        tuple(fault for fault in faults if fault != FALSE),
    )
