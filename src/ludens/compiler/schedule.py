"""Stage 4: an order of evaluation, and a place in memory for every value.

Gates are ordered depth first from the outputs, so that a value is used soon after it is computed, and the slot of a
value that nobody needs any more is used again: the working set of a large circuit then fits the cache. Gates of one
kind are drawn together into runs, so that the interpreter branches once a run and not once a gate.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.circuit import Loop
from ludens.compiler.cover import COPY, INVERT, Cover, Operation, cover, inverse
from ludens.compiler.gates import Gates

ZERO_SLOT = 0
"""A slot that is always zero."""

_WINDOW = 1024
"""How far ahead of its turn a gate may be drawn into a run."""


@dataclass(frozen=True)
class Segment:
    """A stretch of operations; a loop is repeated until its inputs do not change."""

    operations: NDArray[np.uint32]
    """Rows of the slots of three inputs, unused ones first, and of the result."""
    runs: NDArray[np.uint32]
    """Rows of (truth table, number of operations)."""
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


_Part = tuple[list[Operation], Loop | None]


class _Scheduler:
    """Puts operations in order, depth first. The result of an operation is a node, or minus an output slot less one."""

    def __init__(self, gates: Gates, found: Cover, inputs: Iterable[int], loops: Sequence[Loop]) -> None:
        self.operations = found.operations
        self.inverted = found.inverted
        self.loop_of = {literal >> 1: loop for loop in loops for literal in loop.inputs}
        self.updates: dict[int, int] = {}
        """The nodes that hold the updates of loops, by literal; numbered behind all gates."""
        self.first_update = len(gates)
        self.done: set[int] = {0, *inputs}
        self.parts: list[_Part] = [([], None)]

    def visit(self, root: int) -> None:
        """Emit a node after all that it reads."""
        done, operations = self.done, self.operations
        stack = [root]
        while stack:
            node = stack[-1]
            if node in done:
                stack.pop()
                continue
            operation = operations.get(node)
            if operation is None:
                stack.pop()
                self.emit_loop(self.loop_of[node])
                continue
            missing = [other for other in operation.reads if other not in done]
            if missing:
                stack += reversed(missing)
            else:
                stack.pop()
                done.add(node)
                self.parts[-1][0].append(operation)

    def copy(self, literal: int, result: int) -> Operation:
        node = literal >> 1
        is_inverted = (node in self.inverted) != bool(literal & 1)
        return Operation(INVERT if is_inverted else COPY, (node,), result)

    def emit_output(self, literal: int, slot: int, is_shared: bool) -> None:
        """Emit the operation that puts a literal into an output slot: the gate itself if nobody else reads it."""
        node = literal >> 1
        operation = self.operations.get(node)
        if is_shared or node in self.done or operation is None:
            self.visit(node)
            self.parts[-1][0].append(self.copy(literal, -1 - slot))
            return
        for other in operation.reads:
            self.visit(other)
        if node in self.done:  # a loop among what it reads has brought it along
            self.emit_output(literal, slot, is_shared=True)
            return
        is_inverted = (node in self.inverted) != bool(literal & 1)
        self.parts[-1][0].append(inverse(operation, -1 - slot) if is_inverted else replace(operation, result=-1 - slot))

    def emit_loop(self, loop: Loop) -> None:
        """Emit what the loop reads from outside, then its body as a part of its own."""
        body = self.body(loop)
        inputs = {literal >> 1 for literal in loop.inputs}
        inside = {*body, *inputs}
        updates = [literal >> 1 for literal in loop.updates]
        for other in (*(read for node in body for read in self.operations[node].reads), *updates):
            if other not in inside:
                self.visit(other)
        self.done |= inputs
        operations = [self.operations[node] for node in body if node not in self.done]
        self.done |= inside
        for literal in loop.updates:
            # A node of its own, so that an inversion need not be remembered.
            self.updates[literal] = self.first_update + len(self.updates)
            operations.append(self.copy(literal, self.updates[literal]))
        self.parts += [(operations, loop), ([], None)]

    def body(self, loop: Loop) -> list[int]:
        """The nodes between a loop's inputs and its updates, each after what it reads."""
        depends: dict[int, bool] = {literal >> 1: True for literal in loop.inputs}
        found = []
        stack = [literal >> 1 for literal in loop.updates]
        while stack:
            node = stack[-1]
            operation = self.operations.get(node)
            if node in depends:
                stack.pop()
            elif operation is None:
                depends[node] = False
            else:
                missing = [other for other in operation.reads if other not in depends]
                if missing:
                    stack += missing
                else:
                    depends[node] = any(depends[other] for other in operation.reads)
                    if depends[node]:
                        found.append(node)
        return found


def schedule(
    gates: Gates,
    inputs: Mapping[int, int],
    outputs: Sequence[tuple[int, int]],
    loops: Sequence[Loop],
    *,
    in_runs: bool,
) -> Schedule:
    """Order the operations that the outputs need.

    ``inputs`` gives the slots of input nodes, ``outputs`` are literals with the slots that must hold them in the end.
    With ``in_runs``, operations of one kind are drawn together for the interpreter; straight-line code is better off
    with values that are used at once.
    """
    first_free = 1 + max([0, *inputs.values(), *(slot for _, slot in outputs)])
    updates = [literal for loop in loops for literal in loop.updates]
    roots = [literal >> 1 for literal in (*(literal for literal, _ in outputs), *updates)]
    found = cover(gates, roots)
    scheduler = _Scheduler(gates, found, inputs, loops)
    readers = Counter([*roots, *(other for operation in found.operations.values() for other in operation.reads)])
    for literal, slot in outputs:
        scheduler.emit_output(literal, slot, is_shared=readers[literal >> 1] > 1)
    parts = [part for part in scheduler.parts if part[0]]
    if in_runs:
        parts = [(_draw_together(operations) if loop is None else operations, loop) for operations, loop in parts]
    return _assign_slots(parts, inputs, first_free, scheduler.updates)


def _assign_slots(
    parts: Sequence[_Part],
    inputs: Mapping[int, int],
    first_free: int,
    updates: Mapping[int, int],
) -> Schedule:
    last_use = _last_uses(parts)
    slot_of: dict[int, int] = {0: ZERO_SLOT, **inputs}
    free: list[int] = []
    slots = first_free
    segments = []
    time = 0
    dying: dict[int, list[int]] = defaultdict(list)
    for node, when in last_use.items():
        if node not in slot_of:
            dying[when].append(node)
    for operations, loop in parts:
        if loop is not None:
            for literal in loop.inputs:
                slot_of[literal >> 1] = slots
                slots += 1
        rows = []
        for operation in operations:
            result = operation.result
            reads = [slot_of[node] for node in operation.reads]
            for node in dying.get(time, ()):
                free.append(slot_of[node])
            if result < 0:
                target = -1 - result
            elif free:
                target = slot_of[result] = free.pop()
            else:
                target = slot_of[result] = slots
                slots += 1
            rows.append((*[ZERO_SLOT] * (3 - len(reads)), *reads, target))
            time += 1
        feedback = []
        if loop is not None:
            pairs = zip(loop.inputs, loop.updates, strict=True)
            feedback = [(slot_of[literal >> 1], slot_of[updates[update]]) for literal, update in pairs]
        segments.append(Segment(_table(rows, 4), _runs(operations), _table(feedback, 2)))
    return Schedule(tuple(segments), slots)


def _last_uses(parts: Sequence[_Part]) -> dict[int, int]:
    """The time of the last operation that reads each node; what a loop touches lives until after it."""
    last: dict[int, int] = {}
    time = 0
    for operations, loop in parts:
        for operation in operations:
            for node in operation.reads:
                last[node] = time
            if operation.result >= 0:
                last.setdefault(operation.result, time)
            time += 1
        if loop is not None:
            touched = {node for operation in operations for node in (*operation.reads, operation.result) if node >= 0}
            for node in touched | {literal >> 1 for literal in loop.inputs}:
                last[node] = max(last.get(node, 0), time)
    return last


def _draw_together(operations: Sequence[Operation]) -> list[Operation]:
    """The operations in an order in which those of one kind stand together, without moving any far ahead."""
    total = len(operations)
    position = {operation.result: n for n, operation in enumerate(operations)}
    waits = [0] * total
    readers: list[list[int]] = [[] for _ in range(total)]
    for n, operation in enumerate(operations):
        for node in operation.reads:
            other = position.get(node)
            if other is not None:
                waits[n] += 1
                readers[other].append(n)
    ready: dict[int, deque[int]] = {operation.table: deque() for operation in operations}
    kinds = list(ready.values())
    queue = [ready[operation.table] for operation in operations]
    ordered: list[Operation] = []
    entered = 0
    current = kinds[0]
    while len(ordered) < total:
        while entered < total and entered < len(ordered) + _WINDOW:
            if not waits[entered]:
                queue[entered].append(entered)
            entered += 1
        if not current:
            current = max(kinds, key=len)
        n = current.popleft()
        ordered.append(operations[n])
        for reader in readers[n]:
            waits[reader] -= 1
            if not waits[reader] and reader < entered:
                queue[reader].append(reader)
    return ordered


def _runs(operations: Iterable[Operation]) -> NDArray[np.uint32]:
    return _table([(table, len(list(run))) for table, run in groupby(operation.table for operation in operations)], 2)


def _table(rows: Sequence[Sequence[int]], width: int) -> NDArray[np.uint32]:
    return np.array(rows, dtype=np.uint32).reshape(len(rows), width)
