"""Copies of a circuit in which some inputs are known, or stand for something else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ludens.compiler.chance import Chance
from ludens.compiler.circuit import Circuit, Loop
from ludens.compiler.gates import FALSE, INPUT, NONE, Gates


class Translation:
    """Copies those gates of a circuit that are asked for, and simplifies what follows from what is known."""

    def __init__(self, circuit: Circuit, known: Mapping[int, int]) -> None:
        self._circuit = circuit
        self.gates = Gates()
        self.literal_of: dict[int, int] = {0: FALSE, **known}
        """The literals of the copy for nodes of the circuit. Inputs that are given none until they are needed get a
        new input then."""

    def literal(self, wanted: int) -> int:
        """The literal of the copy for one of the circuit."""
        known = self.literal_of
        if wanted >> 1 not in known:
            self._copy(wanted >> 1)
        return known[wanted >> 1] ^ (wanted & 1)

    def literals(self, wanted: Iterable[int]) -> tuple[int, ...]:
        """The literals of the copy for some of the circuit."""
        return tuple(map(self.literal, wanted))

    def loops(self) -> tuple[Loop, ...]:
        """Copies of those loops that the copy needs so far."""
        needed: set[int] = set()
        while True:
            new = [
                n
                for n, loop in enumerate(self._circuit.loops)
                if n not in needed and any(literal >> 1 in self.literal_of for literal in loop.inputs)
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

    def _copy(self, root: int) -> None:
        old, gates, known = self._circuit.gates, self.gates, self.literal_of
        left, right, third, is_xor = old.left, old.right, old.third, old.is_xor
        stack = [root]
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
                continue
            a, b, c = left[node], right[node], third[node]
            if a == INPUT:
                known[node] = gates.new_input()
                continue
            missing = [literal >> 1 for literal in (a, b, c) if literal != NONE and literal >> 1 not in known]
            if missing:
                stack += missing
                continue
            stack.pop()
            a = known[a >> 1] ^ (a & 1)
            b = known[b >> 1] ^ (b & 1)
            if c == NONE:
                known[node] = gates.differ(a, b) if is_xor[node] else gates.both(a, b)
            else:
                c = known[c >> 1] ^ (c & 1)
                known[node] = gates.parity(a, b, c) if is_xor[node] else gates.majority(a, b, c)
