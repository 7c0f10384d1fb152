"""Games whose circuit can be read: the input of analysis and decomposition, independent of the backend."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.translate import Translation
from ludens.compiler.compile import Compilation
from ludens.core import State
from ludens.core.batch_game import BatchGame
from ludens.gdl.game import GdlGame, GdlMove
from ludens.gdl.terms import Term

Violation = Callable[[int, Translation], int]
"""Makes a literal for a turn, counted from 0 and up to the number of phases of the turn order, in a copy of the circuit
in which the turn is known."""


class CircuitRules(GdlGame, BatchGame):
    """A GDL game on batches that was compiled to a circuit."""

    circuit: Circuit
    """The rules as gates."""
    compilation: Compilation
    """The stages of its compilation; only games that were compiled as a whole have it."""
    fluent_numbers: Mapping[Term, int]
    """The number of each fluent."""
    move_texts: Sequence[Sequence[GdlMove]]

    def bits_of(self, state: State) -> NDArray[np.bool_]:
        """For each fluent whether it is true in a state."""
        packed = self.pack([state])[0]
        return np.unpackbits(packed, count=len(self.circuit.fluents), bitorder="little").view(np.bool_)

    def state_of(self, bits: NDArray[np.bool_]) -> State:
        """The state with these bits."""
        return self.unpack(np.packbits(bits, bitorder="little")[None])[0]

    @abstractmethod
    def is_never(self, violation: Violation) -> bool:
        """Whether a literal is proved to be false in every state that play can reach."""

    @abstractmethod
    def with_circuit(self, circuit: Circuit, name: str) -> CircuitRules:
        """Another game, computed in the same way by another circuit."""
