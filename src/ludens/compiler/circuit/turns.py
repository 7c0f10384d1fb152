"""Fluents that change independently of the moves: whose turn it is, and what never changes.

If all lanes are kept in step, such fluents are known in each phase of the turn order, and everything that belongs to
the other roles' turns can be left out of the phase's circuit: about half of it in a game for two.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from ludens.compiler.circuit.circuit import Circuit, Goal
from ludens.compiler.circuit.gates import FALSE, TRUE
from ludens.compiler.circuit.translate import Translation
from ludens.gdl.chance.core_form import PERCEPT_FLUENT
from ludens.gdl.terms import functor

MAX_PHASES = 8


def turn_phases(circuit: Circuit) -> list[Circuit]:
    """The circuit for each phase of the turn order, with the fluents that are known in it replaced by their values."""
    return [specialise(circuit, known) if known else circuit for known in turn_order(circuit)]


def turn_order(circuit: Circuit) -> list[dict[int, int]]:
    """For each phase of the turn order the nodes of the fluents that are known in it, with their constants.

    A state in phase n is followed by one in phase n + 1, and after the last phase by one in the first, to which the
    initial state belongs. Without a turn order, there is one phase, in which nothing is known.
    """
    phases = 1
    known: list[tuple[list[int], list[list[bool]]]] = []
    for members in _autonomous_groups(circuit):
        values = _trajectory(circuit, members)
        if values is not None and math.lcm(phases, len(values)) <= MAX_PHASES:
            phases = math.lcm(phases, len(values))
            known.append((members, values))
    result = []
    for phase in range(phases):
        constants: dict[int, int] = {}
        for members, values in known:
            now = values[phase % len(values)]
            constants |= {
                circuit.fluent_inputs[n] >> 1: TRUE if now[place] else FALSE for place, n in enumerate(members)
            }
        result.append(constants)
    return result


def _autonomous_groups(circuit: Circuit) -> list[list[int]]:
    """Groups of fluents whose next values are those of fluents of the group, perhaps inverted, or constant."""
    fluent_of = {literal >> 1: n for n, literal in enumerate(circuit.fluent_inputs)}
    members = set(range(len(circuit.fluents)))

    def source(n: int) -> int | None:
        return fluent_of.get(circuit.next[n] >> 1)

    while True:
        leaving = {n for n in members if circuit.next[n] > TRUE and source(n) not in members}
        if not leaving:
            break
        members -= leaving
    group = {n: n for n in members}

    def root(n: int) -> int:
        while group[n] != n:
            group[n] = group[group[n]]
            n = group[n]
        return n

    for n in members:
        other = source(n)
        if circuit.next[n] > TRUE and other is not None:
            group[root(n)] = root(other)
    found: dict[int, list[int]] = defaultdict(list)
    for n in sorted(members):
        found[root(n)].append(n)
    return list(found.values())


def _trajectory(circuit: Circuit, members: list[int]) -> list[list[bool]] | None:
    """The values of a group from the initial state until they repeat; None if that takes too long."""
    place = {circuit.fluent_inputs[n] >> 1: position for position, n in enumerate(members)}
    first = [circuit.initial[n] for n in members]
    values = [first]
    while len(values) <= MAX_PHASES:
        now = values[-1]
        after = []
        for n in members:
            literal = circuit.next[n]
            after.append(literal == TRUE if literal <= TRUE else now[place[literal >> 1]] != bool(literal & 1))
        if after == first:
            return values
        values.append(after)
    return None


def without_percepts(circuit: Circuit) -> Circuit:
    """The circuit without the next values of percepts, which playouts do not need."""
    percepts = [functor(fluent) == PERCEPT_FLUENT for fluent in circuit.fluents]
    if not any(percepts):
        return circuit
    pairs = zip(circuit.next, percepts, strict=True)
    return replace(circuit, next=tuple(FALSE if is_percept else literal for literal, is_percept in pairs))


def specialise(circuit: Circuit, equal: Mapping[int, int]) -> Circuit:
    """The circuit with some nodes replaced by literals of earlier nodes, such as constants, and all that follows."""
    copy = Translation(circuit, {})
    for node in sorted(equal):
        copy.literal_of[node] = copy.literal(equal[node])
    fluent_inputs = copy.literals(circuit.fluent_inputs)
    moves = tuple(
        tuple((move, copy.literal(does), copy.literal(legal)) for move, does, legal in moves) for moves in circuit.moves
    )
    goals = tuple(Goal(goal.role, goal.value, copy.literal(goal.literal)) for goal in circuit.goals)
    next_, terminal, chance = copy.literals(circuit.next), copy.literal(circuit.terminal), copy.chance()
    return replace(
        circuit,
        gates=copy.gates,
        chance=chance,
        fluent_inputs=fluent_inputs,
        next=next_,
        moves=moves,
        terminal=terminal,
        goals=goals,
        loops=copy.loops(),
    )
