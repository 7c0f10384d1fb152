"""Stage 4: an order of evaluation, and a place in memory for every value.

Gates are ordered depth first from the outputs, so that a value is used soon after it is computed, and the slot of a
value that is no longer needed is reused: the working set of a large circuit then fits the cache. Gates of one
kind are drawn together into runs, so that the interpreter branches once a run and not once a gate.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.circuit.circuit import Loop
from ludens.compiler.native.cover import COPY, INVERT, Cover, Operation

ZERO_SLOT = 0
"""A slot that is always zero."""

_UNUSED = tuple((ZERO_SLOT,) * (3 - inputs) for inputs in range(4))

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


class _LoopScheduler:
    """Puts operations in order so that the body of each loop stands by itself."""

    def __init__(self, found: Cover, inputs: Iterable[int], loops: Sequence[Loop]) -> None:
        self.operations = found.operations
        self.loop_of = {literal >> 1: loop for loop in loops for literal in loop.inputs}
        self.done: set[int] = {0, *inputs}
        self.parts: list[_Part] = [([], None)]

    def visit(self, root: int) -> None:
        """Emit a node after all that it reads."""
        stack = [root]
        while stack:
            node = stack[-1]
            operation = self.operations.get(node)
            if node in self.done:
                stack.pop()
            elif operation is None:
                stack.pop()
                self.emit_loop(self.loop_of[node])
            elif missing := [other for other in operation.reads if other not in self.done]:
                stack += reversed(missing)
            else:
                stack.pop()
                self.done.add(node)
                self.parts[-1][0].append(operation)

    def emit_loop(self, loop: Loop) -> None:
        """Emit what the loop reads from outside, then its body as a part of its own."""
        body = self.body(loop)
        inputs = {literal >> 1 for literal in loop.inputs}
        inside = {*body, *inputs}
        updates = [literal >> 1 for literal in loop.updates]
        for other in (*(read for node in body for read in self.operations[node].reads), *updates):
            if other not in inside:
                self.visit(other)
        self.done |= inside
        self.parts += [([self.operations[node] for node in body], loop), ([], None)]

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
            elif missing := [other for other in operation.reads if other not in depends]:
                stack += missing
            else:
                depends[node] = any(depends[other] for other in operation.reads)
                if depends[node]:
                    found.append(node)
        return found


def schedule(
    found: Cover, inputs: Mapping[int, int], outputs: Sequence[tuple[int, int]], loops: Sequence[Loop], *, in_runs: bool
) -> Schedule:
    """Order the operations that the outputs need, and give their values slots.

    ``inputs`` gives the slots of input nodes, ``outputs`` are literals with the slots that must hold them in the end.
    With ``in_runs``, operations of one kind are drawn together for the interpreter; straight-line code is better off
    with values that are used at once.
    """
    parts: list[_Part] = [(list(found.operations.values()), None)]
    if loops:
        scheduler = _LoopScheduler(found, inputs, loops)
        for literal, _ in outputs:
            scheduler.visit(literal >> 1)
        parts = [part for part in scheduler.parts if part[0] or part[1]]
    if in_runs:
        parts = [(_group_by_kind(operations) if loop is None else operations, loop) for operations, loop in parts]
    return _Slots(found, inputs, outputs, loops).assign(parts)


class _Slots:
    """Finds places for values. A value that is an output is computed in its output slot, where others read it too."""

    def __init__(
        self, found: Cover, inputs: Mapping[int, int], outputs: Sequence[tuple[int, int]], loops: Sequence[Loop]
    ) -> None:
        self.found = found
        self.slot_of: dict[int, int] = {0: ZERO_SLOT, **inputs}
        self.copies: list[Operation] = []
        """Copies for outputs that are inputs, or that another output has computed."""
        for literal, slot in outputs:
            node = literal >> 1
            if node in found.operations and node not in self.slot_of and self._is_direct(literal):
                self.slot_of[node] = slot
            else:
                self.copies.append(Operation(COPY if self._is_direct(literal) else INVERT, (node,), -1 - slot))
        self.slots = 1 + max([0, *inputs.values(), *(slot for _, slot in outputs)])
        self.free: list[int] = []
        for loop in loops:
            for literal in loop.inputs:
                self.slot_of[literal >> 1] = self.slots
                self.slots += 1

    def _is_direct(self, literal: int) -> bool:
        return (literal >> 1 in self.found.inverted) == bool(literal & 1)

    def assign(self, parts: Sequence[_Part]) -> Schedule:
        """The schedule of operations in an order that is given."""
        parts = [self._append_updates(part) for part in parts]
        if self.copies:
            parts.append((self.copies, None))
        dying = self._last_reads(parts)
        segments = []
        time = 0
        for operations, loop in parts:
            rows = []
            for operation in operations:
                reads = [self.slot_of[node] for node in operation.reads]
                self.free += [self.slot_of[node] for node in dying.get(time, ())]
                rows.append((*_UNUSED[len(reads)], *reads, self._slot_for(operation.result)))
                time += 1
            self.free += [self.slot_of[node] for node in dying.get(-time, ())]
            feedback = []
            if loop is not None:
                updates = [row[3] for row in rows[len(rows) - len(loop.updates) :]]
                feedback = [
                    (self.slot_of[literal >> 1], slot) for literal, slot in zip(loop.inputs, updates, strict=True)
                ]
            segments.append(Segment(_table(rows, 4), _runs(operations), _table(feedback, 2)))
        return Schedule(tuple(segments), self.slots)

    def _append_updates(self, part: _Part) -> _Part:
        """The operations of a loop followed by copies of its updates, in slots that nothing else uses."""
        operations, loop = part
        if loop is None:
            return part
        copies = []
        for literal in loop.updates:
            table = COPY if self._is_direct(literal) else INVERT
            copies.append(Operation(table, (literal >> 1,), -1 - self.slots))
            self.slots += 1
        return [*operations, *copies], loop

    def _slot_for(self, result: int) -> int:
        if result < 0:
            return -1 - result
        slot = self.slot_of.get(result)
        if slot is None:
            if self.free:
                slot = self.free.pop()
            else:
                slot = self.slots
                self.slots += 1
            self.slot_of[result] = slot
        return slot

    def _last_reads(self, parts: Sequence[_Part]) -> dict[int, list[int]]:
        """The nodes that are read last at each time; what a loop touches lives until after it, at minus that time."""
        last: dict[int, int] = {}
        time = 0
        for operations, loop in parts:
            for operation in operations:
                for node in operation.reads:
                    last[node] = time
                time += 1
            if loop is not None:
                for operation in operations:
                    for node in (*operation.reads, operation.result):
                        last[node] = -time
        dying: dict[int, list[int]] = defaultdict(list)
        for node, when in last.items():
            if node >= 0 and node not in self.slot_of:
                dying[when].append(node)
        return dying


def _group_by_kind(operations: Sequence[Operation]) -> list[Operation]:
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
    current: deque[int] = deque()
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
