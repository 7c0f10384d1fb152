"""Copies of a circuit in which some inputs are constants or replaced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ludens.compiler.circuit.chance_roles import Chance
from ludens.compiler.circuit.circuit import Circuit, Loop
from ludens.compiler.circuit.gates import FALSE, INPUT, NONE, Gates


class Translation:
    """Copies the requested gates of a circuit, and propagates known values."""

    def __init__(self, circuit: Circuit, known: Mapping[int, int], gates: Gates | None = None) -> None:
        """The copy is added to ``gates``, if they are given."""
        self._circuit = circuit
        self.gates = Gates() if gates is None else gates
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
            x, y, z = known.get(a >> 1), known.get(b >> 1), FALSE if c == NONE else known.get(c >> 1)
            if x is None or y is None or z is None:
                stack += [literal >> 1 for literal, new in ((a, x), (b, y), (c, z)) if new is None]
                continue
            stack.pop()
            x, y, z = x ^ (a & 1), y ^ (b & 1), z ^ (c & 1)
            if c == NONE:
                known[node] = gates.differ(x, y) if is_xor[node] else gates.both(x, y)
            else:
                known[node] = gates.parity(x, y, z) if is_xor[node] else gates.majority(x, y, z)
