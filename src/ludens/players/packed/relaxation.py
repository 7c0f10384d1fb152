"""Delete relaxation on the circuit: how many steps a goal needs at least, and whether it can be reached at all.

In the relaxed rules nothing that was once possible is ever lost: a fluent may be true and false at once. A condition
becomes possible after at most as many steps as it really takes moves. `source/relaxation.hpp` counts the steps for 512
positions at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.circuit.gates import INPUT, NONE, TRUE
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core.block import LANES, row_array
from ludens.players.packed.machine import RelaxationStructure

MOST_PARTS = 1_000
MOST_GATES = 60_000
"""With more gates a step of the relaxation takes longer than hundreds of real moves."""
MOST_STEPS = 400
_SUM_ROWS = 16
_AND, _XOR, _MAJORITY, _PARITY = range(4)

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class RelaxedRules:
    """The part of a circuit on which a goal depends, as arrays."""

    early: Ints
    """Gates that depend on fluents only, in the order of evaluation (kind, node, three literals)."""
    late: Ints
    """Gates that depend on moves."""
    loops: Ints
    """Recursion: inputs and their updates (2, loops)."""
    fluents: Ints
    """Numbers, inputs and next literals (3, fluents) of the fluents that matter."""
    free: Ints
    """Inputs of which nothing is known."""
    moves: Ints
    """Inputs and legality (2, moves)."""
    parts: Ints
    """The literals whose conjunction is the goal."""
    literals: int

    def structure(self) -> RelaxationStructure:
        """The relaxed rules for machine code, with memory of their own."""
        found = RelaxationStructure()
        found.early_count, found.late_count = len(self.early), len(self.late)
        found.loop_count, found.fluent_count = self.loops.shape[1], self.fluents.shape[1]
        found.free_count, found.move_count = len(self.free), self.moves.shape[1]
        found.part_count, found.literals, found.most_steps = len(self.parts), self.literals, MOST_STEPS
        found.hold(
            early=self.early,
            late=self.late,
            loop_inputs=np.ascontiguousarray(self.loops[0]),
            loop_updates=np.ascontiguousarray(self.loops[1]),
            fluent_rows=np.ascontiguousarray(self.fluents[0]),
            fluent_inputs=np.ascontiguousarray(self.fluents[1]),
            next=np.ascontiguousarray(self.fluents[2]),
            free_inputs=self.free,
            does=np.ascontiguousarray(self.moves[0]),
            legal=np.ascontiguousarray(self.moves[1]),
            parts=self.parts,
            may=row_array(self.literals),
            sums=row_array(_SUM_ROWS),
            distances=np.zeros(LANES, np.uint16),
        )
        return found


def relax(game: CircuitRules, goal: int, extra: Iterable[int] = ()) -> RelaxedRules | None:
    """The relaxed rules for a goal of the only role; None if the goal depends on no fluent or on too many gates.

    ``extra`` are literals that hold wherever the goal does.
    """
    parts = goal_parts(game.circuit, goal)
    if not parts or len(parts) > MOST_PARTS:
        return None
    return _Builder(game).build(sorted({*parts, *extra}))


def relax_among(game: CircuitRules, members: Collection[int]) -> RelaxedRules | None:
    """The relaxed rules for some fluents, where nothing is known of all others, which may be true and false at once."""
    inputs = [game.circuit.fluent_inputs[number] for number in members]
    return _Builder(game, members).build(inputs)


def goal_parts(circuit: Circuit, goal: int) -> list[int]:
    """The literals whose conjunction is a goal of the first role; none if it always or never holds."""
    wanted = [found.literal for found in circuit.goals if (found.role, found.value) == (0, goal)]
    literals = [literal for literal in wanted if literal > TRUE]
    if len(literals) != 1 or len(wanted) != 1:
        return []
    return conjuncts(circuit, literals[0])


def conjuncts(circuit: Circuit, literal: int) -> list[int]:
    """The literals whose conjunction a literal is, with conjunctions among them taken apart."""
    gates, found, waiting, seen = circuit.gates, set[int](), [literal], set[int]()
    while waiting:
        literal = waiting.pop()
        node = literal >> 1
        if literal in seen:
            continue
        seen.add(literal)
        is_and = gates.left[node] != INPUT and not gates.is_xor[node] and gates.third[node] == NONE
        if is_and and not literal & 1:
            waiting += gates.reads(node)
        elif literal > TRUE:
            found.add(literal)
    return sorted(found)


class _Builder:
    """Collects the gates that a goal depends on."""

    def __init__(self, game: CircuitRules, known: Collection[int] | None = None) -> None:
        """With ``known``, nothing is known of other fluents."""
        self._circuit = circuit = game.circuit
        counting = game.counting_fluents & game.changing_fluents
        self._fluent_of = {
            literal >> 1: n
            for n, literal in enumerate(circuit.fluent_inputs)
            if not counting[n] and (known is None or n in known)
        }
        self._moves = {does >> 1: (does, legal) for _, does, legal in circuit.moves[0]}
        self._updates = {
            given >> 1: (given, update)
            for loop in circuit.loops
            for given, update in zip(loop.inputs, loop.updates, strict=True)
        }

    def build(self, parts: Sequence[int]) -> RelaxedRules | None:
        circuit, gates = self._circuit, self._circuit.gates
        needed = self._needed(parts)
        inner = sorted(node for node in needed if gates.left[node] != INPUT)
        if len(inner) > MOST_GATES:
            return None
        after_moves: set[int] = set(self._moves)
        early, late = list[tuple[int, ...]](), list[tuple[int, ...]]()
        for node in inner:
            reads = gates.reads(node)
            depends = any(literal >> 1 in after_moves for literal in reads)
            if depends:
                after_moves.add(node)
            (late if depends else early).append((self._kind(node), node, *reads, *[0] * (3 - len(reads))))
        known = needed & self._fluent_of.keys()
        numbers = [self._fluent_of[node] for node in sorted(known)]
        moves = [self._moves[node] for node in sorted(needed & self._moves.keys())]
        loops = [self._updates[node] for node in sorted(needed & self._updates.keys())]
        bound = {*known, *self._moves, *self._updates, *inner, 0}
        fluents = [numbers, [circuit.fluent_inputs[n] for n in numbers], [circuit.next[n] for n in numbers]]
        return RelaxedRules(
            early=np.array(early, np.int32).reshape(-1, 5),
            late=np.array(late, np.int32).reshape(-1, 5),
            loops=np.array(loops, np.int32).reshape(-1, 2).T,
            fluents=np.array(fluents, np.int32).reshape(3, -1),
            free=np.array([2 * node for node in sorted(needed - bound)], np.int32),
            moves=np.array(moves, np.int32).reshape(-1, 2).T,
            parts=np.array(parts, np.int32),
            literals=2 * len(gates),
        )

    def _kind(self, node: int) -> int:
        gates = self._circuit.gates
        if gates.third[node] == NONE:
            return _XOR if gates.is_xor[node] else _AND
        return _PARITY if gates.is_xor[node] else _MAJORITY

    def _needed(self, literals: Iterable[int]) -> set[int]:
        """All nodes on which literals may now or later depend."""
        circuit, gates = self._circuit, self._circuit.gates
        seen, waiting = {0}, [literal >> 1 for literal in literals]
        while waiting:
            node = waiting.pop()
            if node in seen:
                continue
            seen.add(node)
            if gates.left[node] != INPUT:
                waiting += [literal >> 1 for literal in gates.reads(node)]
            elif node in self._moves:
                waiting.append(self._moves[node][1] >> 1)
            elif node in self._updates:
                waiting.append(self._updates[node][1] >> 1)
            elif (number := self._fluent_of.get(node)) is not None:
                waiting.append(circuit.next[number] >> 1)
        return seen
