"""Stage 4: an order of evaluation, and a place in memory for every value.

Gates are ordered depth first from the outputs, so that a value is used soon after it is computed, and the slot of a
value that nobody needs any more is used again: the working set of a large circuit then fits the cache. Gates of one
kind are drawn together into runs, so that the interpreter branches once a run and not once a gate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.circuit import Loop
from ludens.compiler.gates import INPUT, Gates

AND, AND_NOT, NOR, XOR, COPY, NOT = range(6)
"""Kinds of operations: a & b, a & ~b, ~(a | b), a ^ b, a, ~a."""

ZERO_SLOT = 0
"""A slot that is always zero."""

_WINDOW = 128
"""How far ahead of its turn a gate may be drawn into a run."""


@dataclass(frozen=True)
class Segment:
    """A stretch of operations; a loop is repeated until its inputs do not change."""

    operations: NDArray[np.uint32]
    """Rows of (first slot, second slot, result slot)."""
    runs: NDArray[np.uint32]
    """Rows of (kind, number of operations)."""
    feedback: NDArray[np.uint32]
    """For a loop: rows of (input slot, update slot); empty otherwise."""


@dataclass(frozen=True)
class Schedule:
    """What to compute, in order."""

    segments: tuple[Segment, ...]
    slots: int
    """How many values must be kept at once."""

    @property
    def operations(self) -> int:
        """The number of operations in one evaluation, each loop counted once."""
        return sum(len(segment.operations) for segment in self.segments)


_Operation = tuple[int, int, int, int]
"""Kind, first node, second node, result: a node, or minus the number of an output less one."""


class _Scheduler:
    def __init__(
        self,
        gates: Gates,
        inputs: Mapping[int, int],
        aliases: Mapping[int, int],
        loops: Sequence[Loop],
        first_free: int,
    ) -> None:
        self.gates = gates
        self.inputs = inputs
        self.aliases = aliases
        self.first_free = first_free
        self.loop_of = {literal >> 1: loop for loop in loops for literal in loop.inputs}
        self.updates: dict[int, int] = {}
        """The nodes that hold the updates of loops, by literal; numbered behind all gates."""
        self.done: set[int] = {0}
        self.parts: list[tuple[list[_Operation], Loop | None]] = [([], None)]

    def reads(self, node: int) -> tuple[int, ...]:
        if node in self.aliases:
            return (self.aliases[node] >> 1,)
        if self.gates.left[node] == INPUT:
            return ()
        return (self.gates.left[node] >> 1, self.gates.right[node] >> 1)

    def visit(self, root: int, stop: frozenset[int] = frozenset()) -> None:
        """Emit a node after all that it reads."""
        stack = [root]
        while stack:
            node = stack[-1]
            if node in self.done or node in stop:
                stack.pop()
                continue
            loop = self.loop_of.get(node)
            if loop is not None and not stop:
                stack.pop()
                self.emit_loop(loop)
                continue
            missing = [other for other in self.reads(node) if other not in self.done and other not in stop]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            self.done.add(node)
            self.emit(node)

    def emit(self, node: int) -> None:
        operations = self.parts[-1][0]
        if node in self.aliases:
            literal = self.aliases[node]
            operations.append((NOT if literal & 1 else COPY, literal >> 1, literal >> 1, node))
        elif self.gates.left[node] != INPUT:
            operations.append(self.operation(node))

    def operation(self, node: int) -> _Operation:
        a, b = self.gates.left[node], self.gates.right[node]
        if self.gates.is_xor[node]:
            return XOR, a >> 1, b >> 1, node
        if a & 1 and b & 1:
            return NOR, a >> 1, b >> 1, node
        if a & 1:
            a, b = b, a
        return (AND_NOT if b & 1 else AND), a >> 1, b >> 1, node

    def emit_loop(self, loop: Loop) -> None:
        """Emit what the loop reads from outside, then its body as a part of its own."""
        inside = self.body(loop)
        inputs = frozenset(literal >> 1 for literal in loop.inputs)
        for node in sorted(inside):
            for other in self.reads(node):
                if other not in inside and other not in inputs:
                    self.visit(other)
        self.done |= inputs
        self.parts.append(([], loop))
        for node in sorted(inside):
            if node not in self.done:
                self.done.add(node)
                self.emit(node)
        self.parts[-1][0].extend(self.positive(literal) for literal in loop.updates)
        self.parts.append(([], None))

    def positive(self, literal: int) -> _Operation:
        """An operation that gives a literal a node of its own, so that an inversion need not be remembered."""
        self.updates[literal] = len(self.gates) + len(self.updates)
        return NOT if literal & 1 else COPY, literal >> 1, literal >> 1, self.updates[literal]

    def body(self, loop: Loop) -> set[int]:
        """The gates between a loop's inputs and its updates."""
        depends: dict[int, bool] = {literal >> 1: True for literal in loop.inputs}
        stack = [literal >> 1 for literal in loop.updates]
        while stack:
            node = stack[-1]
            if node in depends:
                stack.pop()
                continue
            missing = [other for other in self.reads(node) if other not in depends]
            if missing:
                stack.extend(missing)
            else:
                stack.pop()
                depends[node] = any(depends[other] for other in self.reads(node))
        inputs = {literal >> 1 for literal in loop.inputs}
        return {node for node, inside in depends.items() if inside and node not in inputs}


def schedule(
    gates: Gates,
    inputs: Mapping[int, int],
    outputs: Sequence[tuple[int, int]],
    aliases: Mapping[int, int],
    loops: Sequence[Loop],
) -> Schedule:
    """Order the gates that the outputs need.

    ``inputs`` gives the slots of input nodes, ``outputs`` are literals with the slots that must hold them in the end,
    ``aliases`` are input nodes that take their value from a literal.
    """
    first_free = 1 + max([0, *inputs.values(), *(slot for _, slot in outputs)])
    scheduler = _Scheduler(gates, inputs, aliases, loops, first_free)
    scheduler.done.update(inputs)
    for literal, slot in outputs:
        scheduler.visit(literal >> 1)
        kind = NOT if literal & 1 else COPY
        scheduler.parts[-1][0].append((kind, literal >> 1, literal >> 1, -1 - slot))
    parts = [part for part in scheduler.parts if part[0]]
    return _assign_slots(parts, inputs, first_free, scheduler.updates)


def _assign_slots(
    parts: Sequence[tuple[list[_Operation], Loop | None]],
    inputs: Mapping[int, int],
    first_free: int,
    updates: Mapping[int, int],
) -> Schedule:
    ordered = [(_draw_together(operations) if loop is None else operations, loop) for operations, loop in parts]
    last_use = _last_uses(ordered)
    slot_of: dict[int, int] = {0: ZERO_SLOT, **inputs}
    free: list[int] = []
    slots = first_free
    segments = []
    time = 0
    dying: dict[int, list[int]] = defaultdict(list)
    for node, when in last_use.items():
        if node not in slot_of:
            dying[when].append(node)
    for operations, loop in ordered:
        if loop is not None:
            for literal in loop.inputs:
                slot_of[literal >> 1] = slots
                slots += 1
        rows = []
        for _, a, b, result in operations:
            first, second = slot_of[a], slot_of[b]
            for node in dying.get(time, ()):
                free.append(slot_of[node])
            if result < 0:
                target = -1 - result
            elif free:
                target = slot_of[result] = free.pop()
            else:
                target = slot_of[result] = slots
                slots += 1
            rows.append((first, second, target))
            time += 1
        feedback = []
        if loop is not None:
            pairs = zip(loop.inputs, loop.updates, strict=True)
            feedback = [(slot_of[literal >> 1], slot_of[updates[update]]) for literal, update in pairs]
        segments.append(Segment(_table(rows, 3), _runs(operations), _table(feedback, 2)))
    return Schedule(tuple(segments), slots)


def _last_uses(parts: Sequence[tuple[list[_Operation], Loop | None]]) -> dict[int, int]:
    """The time of the last operation that reads each node; what a loop touches lives until after it."""
    last: dict[int, int] = {}
    time = 0
    for operations, loop in parts:
        for _, a, b, result in operations:
            last[a] = last[b] = time
            if result >= 0:
                last.setdefault(result, time)
            time += 1
        if loop is not None:
            touched = {node for _, a, b, result in operations for node in (a, b, result) if node >= 0}
            for node in touched | {literal >> 1 for literal in loop.inputs}:
                last[node] = max(last.get(node, 0), time)
    return last


def _draw_together(operations: Sequence[_Operation]) -> list[_Operation]:
    """The operations in an order in which those of one kind stand together, without moving any far ahead."""
    pending: dict[int, int] = {}
    position = {result: n for n, (_, _, _, result) in enumerate(operations)}
    readers: dict[int, list[int]] = defaultdict(list)
    for n, (_, a, b, _) in enumerate(operations):
        waits = {position[node] for node in (a, b) if node in position}
        pending[n] = len(waits)
        for other in waits:
            readers[other].append(n)
    ready: list[list[int]] = [[] for _ in range(6)]
    ordered: list[_Operation] = []
    entered = 0
    emitted = 0
    kind = 0

    def enter(limit: int) -> int:
        nonlocal entered
        while entered < min(limit, len(operations)):
            if pending[entered] == 0:
                ready[operations[entered][0]].append(entered)
            entered += 1
        return entered

    enter(_WINDOW)
    while emitted < len(operations):
        if not ready[kind]:
            kind = max(range(6), key=lambda k: len(ready[k]))
        n = ready[kind].pop(0)
        ordered.append(operations[n])
        emitted += 1
        for reader in readers[n]:
            pending[reader] -= 1
            if pending[reader] == 0 and reader < entered:
                ready[operations[reader][0]].append(reader)
        enter(emitted + _WINDOW)
    return ordered


def _runs(operations: Iterable[_Operation]) -> NDArray[np.uint32]:
    runs: list[tuple[int, int]] = []
    for kind, *_ in operations:
        if runs and runs[-1][0] == kind:
            runs[-1] = (kind, runs[-1][1] + 1)
        else:
            runs.append((kind, 1))
    return _table(runs, 2)


def _table(rows: Sequence[Sequence[int]], width: int) -> NDArray[np.uint32]:
    return np.array(rows, dtype=np.uint32).reshape(len(rows), width)
