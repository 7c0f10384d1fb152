"""The game that is left from a position on: without the fluents that can no longer change.

A set of fluents is settled if, as long as they keep their values, every move that is still possible leaves them
unchanged: the next value of each is a constant, or the same after each move that some role has left. The largest such
set is found by starting with all fluents and removing those that a possible move may change, until none is left to
remove. With settled fluents as constants, moves on filled cells disappear, and a board may fall into parts that no
longer affect each other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ludens.analysis.budget import Pulse, no_pulse
from ludens.analysis.gates.lanes import evaluate
from ludens.analysis.gates.supports import bits_of
from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.gates import FALSE, INPUT, TRUE
from ludens.compiler.circuit.turns import specialise
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import State
from ludens.gdl.terms import Term

LARGEST_CONE = 4_000
"""With more gates than this a fluent is not settled unless its next value is a constant."""


@dataclass(frozen=True)
class Residual:
    """A game from one position on."""

    whole: CircuitRules
    """The game to which the position belongs."""
    circuit: Circuit
    """The rules that are left, without settled fluents and without moves that are no longer possible."""
    kept: NDArray[np.int64]
    """The numbers of its fluents in the whole game."""
    settled: Mapping[Term, bool]
    """The fluents that can no longer change, with their values."""

    @cached_property
    def game(self) -> CircuitRules:
        """The game that begins with the position."""
        return self.whole.with_circuit(self.circuit, self.whole.name)

    @property
    def moves(self) -> int:
        """The number of moves, of all roles, that are still possible."""
        return sum(map(len, self.circuit.moves))

    def state(self, state: State) -> State:
        """A later state of the whole game as one of the residual game."""
        return self.game.state_of(self.whole.bits_of(state)[self.kept])


def find_residual(game: CircuitRules, state: State, pulse: Pulse = no_pulse) -> Residual:
    """The game from a position on."""
    circuit = game.circuit
    bits = game.bits_of(state).tolist()
    candidates = list(range(len(bits)))
    while True:
        pulse()
        left = _with_constants(circuit, {n: bits[n] for n in candidates})
        moves = _PossibleMoves(left)
        staying = [n for n in candidates if moves.always_give(left.next[n], value=bits[n])]
        if len(staying) == len(candidates):
            break
        candidates = staying
    kept = sorted(set(range(len(bits))) - set(candidates))
    smaller = circuit_without(replace(circuit, initial=tuple(bits)), candidates)
    settled = {circuit.fluents[n]: bits[n] for n in candidates}
    return Residual(game, smaller, np.array(kept, np.int64), settled)


def circuit_without(circuit: Circuit, fluents: Collection[int]) -> Circuit:
    """The circuit with some fluents as constants of their first values, and without moves that these make illegal."""
    left = _with_constants(circuit, {n: circuit.initial[n] for n in fluents})
    gone = set(fluents)
    kept = [n for n in range(len(circuit.fluents)) if n not in gone]
    return replace(
        left,
        fluents=tuple(circuit.fluents[n] for n in kept),
        fluent_inputs=tuple(left.fluent_inputs[n] for n in kept),
        initial=tuple(circuit.initial[n] for n in kept),
        next=tuple(left.next[n] for n in kept),
        moves=tuple(tuple(move for move in moves if move[2] != FALSE) for moves in left.moves),
    )


class _PossibleMoves:
    """The moves that the roles have left, of which each role makes exactly one."""

    def __init__(self, circuit: Circuit) -> None:
        self._circuit = circuit
        self._role_of: dict[int, int] = {}
        for role, moves in enumerate(circuit.moves):
            self._role_of.update((does >> 1, role) for _, does, _ in moves if does > TRUE)

    def always_give(self, literal: int, *, value: bool) -> bool:
        """Whether a literal has a value whichever of them are made.

        False also where that cannot be seen from the moves of one role alone.
        """
        if literal in {TRUE, FALSE}:
            return (literal == TRUE) == value
        role = self._deciding_role(literal)
        if role is None:
            return False
        circuit = self._circuit
        possible = [does for _, does, legal in circuit.moves[role] if legal != FALSE]
        inputs = {does >> 1: 1 << place for place, does in enumerate(possible) if does > TRUE}
        (holds,) = evaluate(circuit.gates, [literal], inputs, len(possible))
        return holds == (bits_of(range(len(possible))) if value else 0)

    def _deciding_role(self, literal: int) -> int | None:
        """The role whose moves alone decide a literal; None if there is none, or if its cone is large."""
        gates = self._circuit.gates
        seen, stack = {literal >> 1}, [literal >> 1]
        roles: set[int | None] = set()
        while stack:
            node = stack.pop()
            if gates.left[node] == INPUT:
                if node:  # node 0 is the constant
                    roles.add(self._role_of.get(node))
            else:
                fresh = {read >> 1 for read in gates.reads(node)} - seen
                seen |= fresh
                stack += fresh
            if None in roles or len(roles) > 1 or len(seen) > LARGEST_CONE:
                return None
        return roles.pop() if roles else None


def _with_constants(circuit: Circuit, values: Mapping[int, bool]) -> Circuit:
    """The circuit with some fluents as constants; moves that these make illegal are never made."""
    known = {circuit.fluent_inputs[n] >> 1: TRUE if value else FALSE for n, value in values.items()}
    first = specialise(circuit, known)
    never = {does >> 1: FALSE for moves in first.moves for _, does, legal in moves if legal == FALSE and does > TRUE}
    return specialise(first, never)
