"""Copies of a circuit in which some inputs are constants or replaced."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ludens.compiler.circuit.chance_roles import Chance
from ludens.compiler.circuit.circuit import Circuit, Loop
from ludens.compiler.circuit.gates import FALSE, Gates
from ludens.compiler.passes.library import ADDRESS, COUNT, allocating_function

UNKNOWN = -1
"""In place of a literal that the copy does not have."""

_translate = allocating_function("translate", None, ADDRESS, ADDRESS, ADDRESS, ADDRESS, COUNT)


class Translation:
    """Copies the requested gates of a circuit, and propagates known values."""

    def __init__(self, circuit: Circuit, known: Mapping[int, int], gates: Gates | None = None) -> None:
        """The copy is added to ``gates``, if they are given."""
        self._circuit = circuit
        self.gates = Gates() if gates is None else gates
        self.literal_of = array("i", (UNKNOWN,)) * len(circuit.gates)
        """The literals of the copy for nodes of the circuit, or `UNKNOWN`. Inputs that are given none until they are
        needed get a new input then."""
        self.literal_of[0] = FALSE
        for node, literal in known.items():
            self.literal_of[node] = literal

    def literal(self, wanted: int) -> int:
        """The literal of the copy for one of the circuit."""
        return self.literals((wanted,))[0]

    def literals(self, wanted: Iterable[int]) -> tuple[int, ...]:
        """The literals of the copy for some of the circuit."""
        given, known = array("i", wanted), self.literal_of
        if (new := len(self._circuit.gates) - len(known)) > 0:
            known.extend((UNKNOWN,) * new)
        places = known.buffer_info()[0], given.buffer_info()[0]
        self.gates.add(_translate, self._circuit.gates.address, *places, len(given))
        return tuple([known[literal >> 1] ^ (literal & 1) for literal in given])

    def loops(self) -> tuple[Loop, ...]:
        """Copies of those loops that the copy needs so far."""
        needed: set[int] = set()
        while True:
            new = [
                n
                for n, loop in enumerate(self._circuit.loops)
                if n not in needed and any(self.literal_of[literal >> 1] != UNKNOWN for literal in loop.inputs)
            ]
            if not new:
                break
            for n in new:
                needed.add(n)
                self.literals((*self._circuit.loops[n].inputs, *self._circuit.loops[n].updates))
        loops = [self._circuit.loops[n] for n in sorted(needed)]
        return tuple(Loop(self.literals(loop.inputs), self.literals(loop.updates)) for loop in loops)

    def chance(self) -> tuple[Chance, ...]:
        """What draws moves, for the copy."""
        return tuple(replace(chance, faults=self.literals(chance.faults)) for chance in self._circuit.chance)
