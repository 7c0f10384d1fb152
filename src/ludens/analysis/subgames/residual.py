"""The game that is left from a position on: without the fluents that can no longer change.

A set of fluents is settled if, as long as they keep their values, every move that is still possible leaves them
unchanged. The largest such set is found by starting with all fluents and removing those that a possible move may
change, until none is left to remove. With settled fluents as constants, moves on filled cells disappear, and a board
may fall into parts that no longer affect each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ludens.analysis.budget import Pulse, no_pulse
from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.gates import FALSE, TRUE
from ludens.compiler.circuit.turns import specialise
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import State
from ludens.gdl.terms import Term


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
        staying = [n for n in candidates if left.next[n] == (TRUE if bits[n] else FALSE)]
        if len(staying) == len(candidates):
            break
        candidates = staying
    kept = sorted(set(range(len(bits))) - set(candidates))
    smaller = replace(
        left,
        fluents=tuple(circuit.fluents[n] for n in kept),
        fluent_inputs=tuple(left.fluent_inputs[n] for n in kept),
        initial=tuple(bits[n] for n in kept),
        next=tuple(left.next[n] for n in kept),
        moves=tuple(tuple(move for move in moves if move[2] != FALSE) for moves in left.moves),
    )
    settled = {circuit.fluents[n]: bits[n] for n in candidates}
    return Residual(game, smaller, np.array(kept, np.int64), settled)


def _with_constants(circuit: Circuit, values: Mapping[int, bool]) -> Circuit:
    """The circuit with some fluents as constants; moves that these make illegal are never made."""
    known = {circuit.fluent_inputs[n] >> 1: TRUE if value else FALSE for n, value in values.items()}
    first = specialise(circuit, known)
    never = {does >> 1: FALSE for moves in first.moves for _, does, legal in moves if legal == FALSE and does > TRUE}
    return specialise(first, never)
