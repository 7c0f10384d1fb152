"""The values of a circuit's nodes in many states at once: the evidence for hypotheses about invariants.

Values are computed level by level with numpy, one bit for each lane, and every node's value is kept, unlike in
playouts. Nodes that have been equal in all states so far, perhaps inverted, form a class.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.gates import INPUT, NONE

Words = NDArray[np.uint64]
Places = NDArray[np.intp]

_EVERYWHERE = np.uint64(2**64 - 1)


class Signals:
    """A circuit's nodes, evaluated in `64 * width` states at once."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        gates = circuit.gates
        self.moves = [literal >> 1 for moves in circuit.moves for _, literal, _ in moves]
        self.follows_moves = reached_from(circuit, self.moves)
        """For each node whether it depends on what is done."""
        depth = [0] * len(gates)
        for node in range(1, len(gates)):
            if gates.left[node] != INPUT:
                depth[node] = 1 + max(depth[literal >> 1] for literal in gates.reads(node))
        depths = np.array(depth)
        self._before = _levels(circuit, np.where(self.follows_moves, 0, depths))
        self._after = _levels(circuit, np.where(self.follows_moves, depths, 0))
        self._fluents = np.array([literal >> 1 for literal in circuit.fluent_inputs if literal > 1], dtype=np.intp)
        self._held = np.array([literal > 1 for literal in circuit.fluent_inputs], dtype=np.bool_)

    def states(self, fluents: Words) -> Words:
        """The values of all nodes that do not depend on moves; ``fluents`` has a row for each fluent."""
        values = np.zeros((len(self.circuit.gates), fluents.shape[1]), np.uint64)
        values[self._fluents] = fluents[self._held]
        self._settle(values, self._before)
        return values

    def move(self, values: Words, lanes: Words, random: np.random.Generator) -> Words:
        """Make a random legal move of each role, and set the nodes that depend on it; returns where all have one."""
        for moves in self.circuit.moves:
            legal = read(values, [literal for _, _, literal in moves]) & lanes
            some = legal & random.integers(0, 2**64, legal.shape, np.uint64)
            lanes = lanes & np.bitwise_or.reduce(legal, axis=0)
            bits = bits_of(some | (legal & ~np.bitwise_or.reduce(some, axis=0)))
            order = random.permutation(len(moves))
            done = np.zeros_like(bits)
            done[order[bits[order].argmax(axis=0)], np.arange(bits.shape[1])] = True
            values[[literal >> 1 for _, literal, _ in moves]] = pack(done) & lanes
        self.follow(values)
        return lanes

    def follow(self, values: Words) -> None:
        """Set the nodes that depend on moves, which are set already."""
        self._settle(values, self._after)

    def _settle(self, values: Words, levels: Sequence[_Level]) -> None:
        """Evaluate, each loop to its fixpoint before the next."""
        _evaluate(values, levels)
        for loop in self.circuit.loops:
            inputs = [literal >> 1 for literal in loop.inputs]
            values[inputs] = 0
            while True:
                _evaluate(values, self._before)
                _evaluate(values, self._after)
                updates = read(values, loop.updates)
                if np.array_equal(updates, values[inputs]):
                    break
                values[inputs] = updates


def reached_from(circuit: Circuit, nodes: Iterable[int]) -> NDArray[np.bool_]:
    """For each node whether it depends on one of these, also through loops."""
    gates = circuit.gates
    reached = [False] * len(gates)
    for node in nodes:
        reached[node] = True
    loop_nodes = {literal >> 1: n for n, loop in enumerate(circuit.loops) for literal in loop.inputs}
    changed = True
    while changed:
        changed = False
        for node in range(1, len(gates)):
            if gates.left[node] != INPUT and not reached[node]:
                reached[node] = any(reached[literal >> 1] for literal in gates.reads(node))
        touched = {n for n, loop in enumerate(circuit.loops) if any(reached[literal >> 1] for literal in loop.updates)}
        for node, loop_number in loop_nodes.items():
            if loop_number in touched and not reached[node]:
                reached[node] = changed = True
    return np.array(reached)


@dataclass(frozen=True, slots=True)
class _Level:
    """Gates of one kind that can be evaluated at once."""

    nodes: Places
    is_xor: bool
    operands: tuple[tuple[Places, Words], ...]
    """For each of the two or three literals that they read, the nodes and the inversions."""


def _levels(circuit: Circuit, depths: Places) -> list[_Level]:
    gates = circuit.gates
    columns = [np.array(column[: len(gates)]) for column in (gates.left, gates.right, gates.third)]
    # Kinds of gates are kept apart: two bits below the depth.
    kinds = depths * 4 + 2 * np.array(gates.is_xor[: len(gates)]) + (columns[2] != NONE)
    order = np.argsort(kinds, kind="stable")
    levels = []
    for nodes in np.split(order, np.flatnonzero(np.diff(kinds[order])) + 1):
        if depths[nodes[0]]:
            operands = [column[nodes] for column in columns if column[nodes[0]] != NONE]
            pairs = tuple((literals >> 1, _inversion(literals)) for literals in operands)
            levels.append(_Level(nodes, gates.is_xor[nodes[0]], pairs))
    return levels


def _inversion(literals: Places) -> Words:
    return np.where(literals & 1, _EVERYWHERE, np.uint64(0))[:, None]


def _evaluate(values: Words, levels: Sequence[_Level]) -> None:
    for level in levels:
        a, b, *more = (values[nodes] ^ inversion for nodes, inversion in level.operands)
        if level.is_xor:
            values[level.nodes] = a ^ b ^ more[0] if more else a ^ b
        else:
            values[level.nodes] = (a & b) | (more[0] & (a | b)) if more else a & b


def read(values: Words, literals: Sequence[int]) -> Words:
    """The values of literals."""
    array = np.array(literals, dtype=np.intp)
    result: Words = values[array >> 1] ^ _inversion(array)
    return result


def bits_of(values: Words) -> NDArray[np.uint8]:
    """Rows of words as rows of bits, 64 for each word."""
    return np.unpackbits(np.ascontiguousarray(values).view(np.uint8), axis=1, bitorder="little")


def pack(bits: NDArray[np.uint8] | NDArray[np.bool_]) -> Words:
    """Rows of bits, a multiple of 64, as rows of words."""
    return np.packbits(bits, axis=1, bitorder="little").view(np.uint64)


class Partition:
    """Nodes in classes of those that have always been equal, or always each other's inversion."""

    def __init__(self, nodes: Sequence[int]) -> None:
        self.nodes = np.array(nodes, dtype=np.intp)
        """In ascending order, the constant first."""
        self._classes = np.zeros(len(nodes), np.uint64)
        self._inverted: NDArray[np.bool_] | None = None
        self._place = {node: place for place, node in enumerate(nodes)}
        self._random = np.random.default_rng(1)

    def refine(self, values: Words, lanes: Words) -> None:
        """Split classes by the values that their nodes have in some lanes."""
        if not lanes.any():
            return
        rows = values[self.nodes]
        if self._inverted is None:
            word = int(np.flatnonzero(lanes)[0])
            lane = np.uint64(int(lanes[word]) & -int(lanes[word]))
            self._inverted = (rows[:, word] & lane) != 0
        rows[self._inverted] ^= _EVERYWHERE
        rows &= lanes
        # A multiplicative hash: it separates different nodes except for collisions, which a later proof would catch.
        factors = self._random.integers(0, 2**64, (2, rows.shape[1]), np.uint64) | np.uint64(1)
        mixed = (rows ^ (rows >> np.uint64(32))) * factors[0]
        mixed ^= mixed >> np.uint64(29)
        keys = (mixed * factors[1]).sum(axis=1, dtype=np.uint64) + self._classes * np.uint64(0x9E3779B97F4A7C15)
        self._classes = np.unique(keys, return_inverse=True)[1].astype(np.uint64)

    def part(self, node: int) -> None:
        """Put a node into a class of its own."""
        self._classes[self._place[node]] = self._classes.max() + np.uint64(1)

    def are_together(self, node: int, other: int) -> bool:
        """Whether two nodes are in one class."""
        return bool(self._classes[self._place[node]] == self._classes[self._place[other]])

    def representatives(self) -> dict[int, int]:
        """For each node that is not the first of its class, the literal of that first one which it equals."""
        if self._inverted is None:
            return {}
        first: dict[int, int] = {}
        found = {}
        inverted = self._inverted.tolist()
        nodes = self.nodes.tolist()
        for place, number in enumerate(self._classes.tolist()):
            other = first.setdefault(number, place)
            if other != place:
                found[nodes[place]] = 2 * nodes[other] ^ int(inverted[place] != inverted[other])
        return found
