"""Effects and preconditions of single moves, by the paper's definition 1 on ground instances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ludens.analysis.decompose import Decomposition
from ludens.analysis.phases import Phase
from ludens.analysis.supports import Bits, flags, members
from ludens.analysis.touches import UNKNOWN, Turn, conjuncts
from ludens.compiler.circuit.gates import FALSE, TRUE
from ludens.gdl.terms import Term


@dataclass(frozen=True, slots=True)
class MoveEffects:
    """What one move of one role may do; fluents that tell whose turn it is are left out, as in the paper."""

    role: Term
    move: Term
    positive: frozenset[Term]
    """Fluents that it may make true."""
    negative: frozenset[Term]
    """Fluents that it may make false."""
    preconditions: frozenset[Term]
    """Fluents that its legality or its effects depend on."""

    @property
    def is_noop(self) -> bool:
        """Whether it does nothing, whatever holds."""
        return not self.positive and not self.negative


def move_effects(whole: Decomposition) -> list[MoveEffects]:
    """The effects of all moves, over all phases of the turn order.

    Where several roles choose at once, a move counts as making every fluent true and false that it can have an
    influence on. Empty for a game that was found to be in one piece without looking at effects.
    """
    found: dict[tuple[int, int], list[Bits]] = {}
    for turn in whole.turns:
        for place, number in enumerate(turn.moves):
            own = found.setdefault((turn.role, number), [0, 0, 0])
            for which, bits in enumerate(_of_move(turn, place, whole.phases[turn.phase])):
                own[which] |= bits
    circuit = whole.circuit

    def terms(bits: Bits) -> frozenset[Term]:
        return frozenset(circuit.fluents[n] for n in members(bits))

    return [
        MoveEffects(circuit.roles[role], circuit.moves[role][number][0], *map(terms, bits))
        for (role, number), bits in sorted(found.items())
    ]


def roles_affecting(whole: Decomposition) -> dict[Term, frozenset[Term]]:
    """For each fluent the roles that have a move with an effect on it."""
    found: dict[Term, set[Term]] = {}
    for effects in move_effects(whole):
        for fluent in effects.positive | effects.negative:
            found.setdefault(fluent, set()).add(effects.role)
    return {fluent: frozenset(roles) for fluent, roles in found.items()}


def _of_move(turn: Turn, place: int, phase: Phase) -> Iterator[Bits]:
    """Positive effects, negative effects and preconditions of a move."""
    positive = negative = preconditions = 0
    for part in turn.conditions[place]:
        preconditions |= phase.support(part)
    for fluent, effects in turn.effects.items():
        for mask, literal in effects:
            if not flags(mask, len(turn.moves))[place]:
                continue
            if literal == UNKNOWN:
                positive |= 1 << fluent
                negative |= 1 << fluent
                continue
            preconditions |= phase.support(literal)
            # A next value that holds only where the fluent holds already makes nothing true.
            if literal != FALSE and phase.inputs[fluent] not in conjuncts(phase.gates, literal):
                positive |= 1 << fluent
            if literal != TRUE:
                negative |= 1 << fluent
    yield from (positive, negative, preconditions)
