"""The fluents and moves that the value of a literal can depend on, as sets of bits.

Computed from the gates alone, so a literal may depend on less than its support, never on more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from ludens.analysis.budget import TooEntangledError
from ludens.compiler.circuit.circuit import Circuit, Loop
from ludens.compiler.circuit.gates import INPUT, NONE, Gates

Bits = int
"""A set of small numbers, a bit for each."""
MOST_BYTES = 128 << 20
"""The most memory for the supports of one circuit."""


def members(bits: Bits) -> Iterator[int]:
    """The numbers in a set, in ascending order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def bits_of(numbers: Iterable[int]) -> Bits:
    """The set of some numbers."""
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


def flags(bits: Bits, count: int) -> NDArray[np.bool_]:
    """A set as an array of flags."""
    data = np.frombuffer(bits.to_bytes((count + 7) // 8, "little"), np.uint8)
    return np.unpackbits(data, bitorder="little")[:count].astype(np.bool_)


class Supports:
    """The inputs that each node of a graph of gates depends on, each input standing for a set of bits."""

    def __init__(self, gates: Gates, inputs: Mapping[int, Bits], loops: Iterable[Loop] = ()) -> None:
        self._gates = gates
        self._known: list[Bits] = []
        self._bytes = 0
        self._inputs = dict(inputs)
        loops = list(loops)
        while True:
            self._known = []
            self._bytes = 0
            self._extend()
            changed = False
            for loop in loops:
                whole = 0
                for literal in loop.updates:
                    whole |= self._known[literal >> 1]
                for literal in loop.inputs:
                    changed = changed or self._inputs.get(literal >> 1, 0) != whole
                    self._inputs[literal >> 1] = whole
            if not changed:
                break

    def of(self, literal: int) -> Bits:
        """The support of a literal; gates may have been added since."""
        if literal >> 1 >= len(self._known):
            self._extend()
        return self._known[literal >> 1]

    def _extend(self) -> None:
        gates, known = self._gates, self._known
        left, right, third = gates.left, gates.right, gates.third
        for node in range(len(known), len(gates)):
            if left[node] == INPUT:
                known.append(self._inputs.get(node, 0))
            else:
                one, other = known[left[node] >> 1], known[right[node] >> 1]
                both = one | other
                if third[node] != NONE:
                    both |= known[third[node] >> 1]
                if both in (one, other):  # one object for many equal sets: with thousands of moves they are large
                    known.append(one if both == one else other)
                else:
                    known.append(both)
                    self._bytes += both.bit_length() >> 3
                    if self._bytes > MOST_BYTES:
                        raise TooEntangledError("too many gates depend on too many moves to follow them in memory")


def circuit_supports(circuit: Circuit) -> Supports:
    """Supports of a circuit: bit n is fluent n; the moves of all roles follow, role after role."""
    inputs = {literal >> 1: 1 << n for n, literal in enumerate(circuit.fluent_inputs)}
    place = len(circuit.fluents)
    for moves in circuit.moves:
        for _, does, _ in moves:
            if does > 1:  # constants have no support
                inputs[does >> 1] = 1 << place
            place += 1
    return Supports(circuit.gates, {node: bits for node, bits in inputs.items() if node}, circuit.loops)
