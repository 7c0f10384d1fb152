"""Fluents that count steps: found in the circuit, and for how many steps it does not matter what they count.

A step counter makes a new position of every visit to an old one. Breadth-first search may leave it out: the first visit
has made the fewest steps, and whatever can be done after a later one can be done after the first, as long as the end
and the goals do not depend on the count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.gates import FALSE, INPUT, TRUE, Gates
from ludens.compiler.circuit.translate import UNKNOWN, Translation
from ludens.core.batch_game import CountingHorizon


def find_counters(circuit: Circuit) -> NDArray[np.bool_]:
    """The fluents that no move has an influence on, and that have none on legal moves and the other fluents."""
    fluent_of = {literal >> 1: n for n, literal in enumerate(circuit.fluent_inputs)}
    moved = _dependent_nodes(circuit, (does >> 1 for moves in circuit.moves for _, does, _ in moves))
    kept = {n for node, n in fluent_of.items() if node in moved}
    updates = {
        literal >> 1: update
        for loop in circuit.loops
        for literal, update in zip(loop.inputs, loop.updates, strict=True)
    }
    waiting = [legal >> 1 for moves in circuit.moves for _, _, legal in moves] + [circuit.next[n] >> 1 for n in kept]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if circuit.gates.left[node] != INPUT:
            waiting += [literal >> 1 for literal in circuit.gates.reads(node)]
        elif node in updates:
            waiting.append(updates[node] >> 1)
        elif (n := fluent_of.get(node)) is not None and n not in kept:
            kept.add(n)
            waiting.append(circuit.next[n] >> 1)
    return np.array([n not in kept for n in range(len(circuit.fluents))], np.bool_)


def _dependent_nodes(circuit: Circuit, nodes: Iterable[int]) -> set[int]:
    """All nodes whose value may now or later depend on one of these."""
    readers: dict[int, list[int]] = defaultdict(list)
    gates = circuit.gates
    for node in range(1, len(gates)):
        if gates.left[node] != INPUT:
            for literal in gates.reads(node):
                readers[literal >> 1].append(node)
    for loop in circuit.loops:
        for literal, update in zip(loop.inputs, loop.updates, strict=True):
            readers[update >> 1].append(literal >> 1)
    for literal, following in zip(circuit.fluent_inputs, circuit.next, strict=True):
        readers[following >> 1].append(literal >> 1)
    found = set(nodes)
    waiting = list(found)
    while waiting:
        new = [node for node in readers[waiting.pop()] if node not in found]
        found.update(new)
        waiting += new
    return found


class Timelessness(CountingHorizon):
    """For how many steps from a position the end and the goals do not depend on the count."""

    def __init__(self, circuit: Circuit, counting: NDArray[np.bool_], bits: NDArray[np.bool_]) -> None:
        self._circuit = circuit
        self._counting = [int(n) for n in np.flatnonzero(counting)]
        self._values = tuple(bool(bits[n]) for n in self._counting)
        self._gates = Gates()
        """Shared by all steps, so that equal functions have equal literals."""
        self._inputs: dict[int, int] = {}
        self._first: tuple[int, ...] | None = None
        self._step = -1
        self._ended = bool(circuit.loops) and bool(self._counting)
        self._history: set[tuple[bool, ...]] = set()
        self.forever = not self._counting
        """True once it is known that the count never matters."""

    def holds_through(self, step: int) -> bool:
        """True if the count does not matter in positions that are up to so many steps away."""
        while not self._ended and not self.forever and self._step < step:
            self._advance()
        return self.forever or not self._ended

    def _advance(self) -> None:
        """Compare the functions of the next step with those of the first."""
        circuit = self._circuit
        known = dict(self._inputs)
        for n, value in zip(self._counting, self._values, strict=True):
            known[circuit.fluent_inputs[n] >> 1] = TRUE if value else FALSE
        copy = Translation(circuit, known)
        copy.gates = self._gates
        found = copy.literals((circuit.terminal, *(goal.literal for goal in circuit.goals)))
        following = copy.literals(circuit.next[n] for n in self._counting)
        counted = {circuit.fluent_inputs[n] >> 1 for n in self._counting}
        for node, literal in enumerate(copy.literal_of):
            if node and node not in counted and literal != UNKNOWN and circuit.gates.left[node] == INPUT:
                self._inputs[node] = literal
        if self._first is None:
            self._first = found
        self._ended = found != self._first
        self._step += 1
        self._history.add(self._values)
        self._values = tuple(literal == TRUE for literal in following)
        self.forever = not self._ended and self._values in self._history
