"""Gates evaluated one by one in plain Python, with an integer as wide as there are lanes: what the compiler is
compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludens.compiler.circuit.gates import INPUT, Gates


def evaluate(gates: Gates, inputs: Mapping[int, int], literals: Sequence[int], lanes: int) -> list[int]:
    """The values of literals; ``inputs`` gives the value of each input node, bit n of which belongs to lane n."""
    everywhere = (1 << lanes) - 1
    values = [0] * len(gates)

    def value(literal: int) -> int:
        return values[literal >> 1] ^ (everywhere if literal & 1 else 0)

    for node in range(1, len(gates)):
        if gates.left[node] == INPUT:
            values[node] = inputs.get(node, 0)
            continue
        a, b, *third = map(value, gates.reads(node))
        if third:
            (c,) = third
            values[node] = a ^ b ^ c if gates.is_xor[node] else (a & b) | (a & c) | (b & c)
        else:
            values[node] = a ^ b if gates.is_xor[node] else a & b
    return [value(literal) for literal in literals]


def counting_pattern(bit: int, lanes: int) -> int:
    """A value in which lane n has the given bit of the number n."""
    return sum(((n >> bit) & 1) << n for n in range(lanes))
