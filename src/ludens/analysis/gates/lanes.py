"""Evaluate gates for many states at once: bit n of an integer belongs to state n."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ludens.analysis.gates.supports import flags
from ludens.compiler.circuit.circuit import Loop
from ludens.compiler.circuit.gates import INPUT, NONE, Gates


class Evaluation:
    """Computes literals of a graph of gates from given inputs; other inputs are false."""

    def __init__(self, gates: Gates, inputs: Mapping[int, int], states: int, loops: Sequence[Loop] = ()) -> None:
        self._gates = gates
        self._states = states
        self._all = (1 << states) - 1
        self._values: dict[int, int] = {0: 0, **inputs}
        self._loops = loops
        self._loop_of = {literal >> 1: loop for loop in loops for literal in loop.inputs}

    def literal(self, wanted: int) -> int:
        """The states, as bits, in which a literal holds."""
        if wanted >> 1 not in self._values:
            self._compute(wanted >> 1)
        value = self._values[wanted >> 1]
        return value ^ self._all if wanted & 1 else value

    def flags(self, wanted: int) -> NDArray[np.bool_]:
        """For each state whether a literal holds."""
        return flags(self.literal(wanted), self._states)

    def _compute(self, root: int) -> None:
        gates, values = self._gates, self._values
        stack = [root]
        while stack:
            node = stack[-1]
            if node in values:
                stack.pop()
                continue
            if gates.left[node] == INPUT:
                stack.pop()
                loop = self._loop_of.get(node)
                if loop is None:
                    values[node] = 0
                else:
                    self._find_fixpoint(loop)
                continue
            reads = gates.reads(node)
            missing = [literal >> 1 for literal in reads if literal >> 1 not in values]
            if missing:
                stack += missing
                continue
            stack.pop()
            values[node] = self._gate(node, [self.literal(literal) for literal in reads])

    def _gate(self, node: int, reads: Sequence[int]) -> int:
        if self._gates.third[node] == NONE:
            a, b = reads
            return a ^ b if self._gates.is_xor[node] else a & b
        a, b, c = reads
        return a ^ b ^ c if self._gates.is_xor[node] else (a & b) | (a & c) | (b & c)

    def _find_fixpoint(self, loop: Loop) -> None:
        """Find the least fixpoint of a loop, from all of its inputs false."""
        nodes = [literal >> 1 for literal in loop.inputs]
        now = [0] * len(nodes)
        while True:
            # Everything inside the loop is recomputed in each round.
            inner = Evaluation(
                self._gates, {**self._values, **dict(zip(nodes, now, strict=True))}, self._states, self._loops
            )
            after = [inner.literal(literal) for literal in loop.updates]
            if after == now:
                break
            now = after
        self._values.update(zip(nodes, now, strict=True))


def evaluate(
    gates: Gates, wanted: Iterable[int], inputs: Mapping[int, int], states: int, loops: Sequence[Loop] = ()
) -> list[int]:
    """For each of several literals the states, as bits, in which it holds; ``inputs`` are bits for nodes."""
    evaluation = Evaluation(gates, inputs, states, loops)
    return [evaluation.literal(literal) for literal in wanted]


def pack_bits(column: NDArray[np.bool_]) -> int:
    """The bits of a column of truth values, one for each state."""
    return int.from_bytes(np.packbits(column, bitorder="little").tobytes(), "little")
