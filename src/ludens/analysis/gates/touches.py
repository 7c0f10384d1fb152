"""The fluents that each move touches in each phase: its effects, and the conditions of its legality.

Where one role chooses, effects are exact. Where several choose at once, the moves of a role are classified by their
effects, whatever the others do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ludens.analysis.budget import Pulse, no_pulse, watch
from ludens.analysis.gates.choices import Choices, Effects
from ludens.analysis.gates.phases import Phase
from ludens.analysis.gates.supports import Bits, circuit_supports
from ludens.compiler.circuit.gates import NONE, TRUE, Gates

UNKNOWN = -1
"""Stands for the next value of a fluent where several roles choose at once."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The moves of one role in one phase."""

    phase: int
    role: int
    moves: tuple[int, ...]
    """The numbers of the moves; their indices in this list are the bits of sets of moves."""
    effects: dict[int, Effects]
    """The effects of the moves, by fluent."""
    conditions: tuple[tuple[int, ...], ...]
    """For each move the conditions of its legality: literals of the phase."""


def conjuncts(gates: Gates, literal: int) -> list[int]:
    """The literals whose conjunction a literal is, as far as the gates show."""
    if literal == TRUE:
        return []
    found, stack = [], [literal]
    while stack:
        part = stack.pop()
        node = part >> 1
        if part & 1 or gates.left[node] < 0 or gates.is_xor[node] or gates.third[node] != NONE:
            found.append(part)
        else:
            stack += gates.reads(node)
    return sorted(set(found))


def find_turns(phases: list[Phase], pulse: Pulse = no_pulse) -> tuple[list[Turn], list[list[int]]]:
    """The moves of all roles in all phases, and for each phase the default next values."""
    turns: list[Turn] = []
    defaults = []
    for number, phase in enumerate(phases):
        effects, default = _effects(phase, pulse)
        defaults.append(default)
        for role, possible in enumerate(phase.possible):
            conditions = tuple(
                tuple(conjuncts(phase.gates, phase.legal[role][move])) for move in watch(possible, pulse)
            )
            turns.append(Turn(number, role, possible, effects.get(role, {}), conditions))
    return turns, defaults


def _effects(phase: Phase, pulse: Pulse) -> tuple[dict[int, dict[int, Effects]], list[int]]:
    """The effects of each role's moves, and the default next values."""
    if len(phase.choosers) != 1:
        return _joint_effects(phase, pulse), list(phase.default)
    (role,) = phase.choosers
    choices = Choices(phase, role)
    effects, default = {}, []
    for fluent in range(len(phase.circuit.fluents)):
        pulse()
        value, found = choices.effects(fluent)
        default.append(value)
        if found:
            effects[fluent] = found
    return {role: effects}, default


def _joint_effects(phase: Phase, pulse: Pulse) -> dict[int, dict[int, Effects]]:
    """For each role and fluent the moves on which the fluent's next value can depend, grouped by their effect."""
    found: dict[int, dict[int, Effects]] = {}
    for role in phase.choosers:
        choices = Choices(phase, role)
        found[role] = {}
        for n in range(len(phase.circuit.fluents)):
            pulse()
            if classes := choices.classes(n):
                found[role][n] = tuple((mask, UNKNOWN) for mask in classes)
    return found


def conditions(phases: list[Phase]) -> Iterator[Bits]:
    """Sets of fluents that decide together whether a move is legal."""
    for phase in phases:
        for role, possible in enumerate(phase.possible):
            for move in possible:
                for part in conjuncts(phase.gates, phase.legal[role][move]):
                    yield phase.support(part)


def dependencies(phases: list[Phase], turns: list[Turn], defaults: list[list[int]]) -> Iterator[Bits]:
    """Sets of fluents of which one decides another's next value."""
    for phase, default in zip(phases, defaults, strict=True):
        if len(phase.choosers) > 1:
            supports = circuit_supports(phase.circuit)
            fluents = (1 << len(phase.circuit.fluents)) - 1
            for n, literal in enumerate(phase.circuit.next):
                yield supports.of(literal) & fluents | 1 << n
        else:
            for n, literal in enumerate(default):
                yield phase.support(literal) | 1 << n
    for turn in turns:
        for n, effects in turn.effects.items():
            for _, literal in effects:
                if literal != UNKNOWN:
                    yield phases[turn.phase].support(literal) | 1 << n
