"""Stage 4: an order of evaluation, and a place in memory for every value.

Gates are ordered depth first from the outputs, so that a value is used soon after it is computed, and the slot of a
value that nobody needs any more is used again: the working set of a large circuit then fits the cache. Gates of one
kind are drawn together into runs, so that the interpreter branches once a run and not once a gate.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.circuit import Loop
from ludens.compiler.gates import INPUT, Gates

AND, AND_NOT, NOR, XOR, NAND, NAND_NOT, OR, XNOR = range(8)
"""Kinds of operations: a & b, a & ~b, ~(a | b), a ^ b, and the inversions of these."""

INVERTED = 4
"""How far the inverted kinds are behind the others."""

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

_Part = tuple[list[_Operation], Loop | None]


class _Scheduler:
    """Puts operations in order, depth first."""

    def __init__(
        self, gates: Gates, inputs: Mapping[int, int], aliases: Mapping[int, int], loops: Sequence[Loop]
    ) -> None:
        self.left, self.right = gates.left, gates.right
        if aliases:
            self.left = [self.resolve(literal, aliases) for literal in gates.left]
            self.right = [self.resolve(literal, aliases) for literal in gates.right]
        self.is_xor = gates.is_xor
        self.loop_of = {literal >> 1: loop for loop in loops for literal in loop.inputs}
        self.updates: dict[int, int] = {}
        """The nodes that hold the updates of loops, by literal; numbered behind all gates."""
        self.done: set[int] = {0, *inputs}
        self.parts: list[_Part] = [([], None)]

    @staticmethod
    def resolve(literal: int, aliases: Mapping[int, int]) -> int:
        """The literal with inputs that stand for another literal replaced by it."""
        while literal >= 0 and literal >> 1 in aliases:
            literal = aliases[literal >> 1] ^ (literal & 1)
        return literal

    def visit(self, root: int) -> None:
        """Emit a node after all that it reads."""
        done, left, right = self.done, self.left, self.right
        stack = [root]
        while stack:
            node = stack[-1]
            if node in done:
                stack.pop()
                continue
            if left[node] == INPUT:
                stack.pop()
                self.emit_loop(self.loop_of[node])
                continue
            a, b = left[node] >> 1, right[node] >> 1
            if a in done and b in done:
                stack.pop()
                done.add(node)
                self.parts[-1][0].append(self.operation(node))
                continue
            if b not in done:
                stack.append(b)
            if a not in done:
                stack.append(a)

    def operation(self, node: int) -> _Operation:
        a, b = self.left[node], self.right[node]
        if self.is_xor[node]:
            # Resolving aliases can bring an inversion to an input; two cancel out.
            return (XNOR if (a ^ b) & 1 else XOR), a >> 1, b >> 1, node
        if a & 1 and b & 1:
            return NOR, a >> 1, b >> 1, node
        if a & 1:
            a, b = b, a
        return (AND_NOT if b & 1 else AND), a >> 1, b >> 1, node

    def emit_output(self, literal: int, slot: int, is_shared: bool) -> None:
        """Emit the operation that puts a literal into an output slot: the gate itself if nobody else reads it."""
        node = literal >> 1
        if is_shared or node in self.done or self.left[node] == INPUT:
            self.visit(node)
            self.parts[-1][0].append((NAND if literal & 1 else AND, node, node, -1 - slot))
            return
        self.visit(self.left[node] >> 1)
        self.visit(self.right[node] >> 1)
        if node in self.done:  # a loop among what it reads has brought it along
            self.emit_output(literal, slot, is_shared=True)
            return
        kind, a, b, _ = self.operation(node)
        self.parts[-1][0].append((kind ^ (INVERTED if literal & 1 else 0), a, b, -1 - slot))

    def emit_loop(self, loop: Loop) -> None:
        """Emit what the loop reads from outside, then its body as a part of its own."""
        inside = self.body(loop)
        inputs = {literal >> 1 for literal in loop.inputs}
        for node in sorted(inside):
            for other in (self.left[node] >> 1, self.right[node] >> 1):
                if other not in inside and other not in inputs:
                    self.visit(other)
        self.done |= inputs
        operations = [self.operation(node) for node in sorted(inside) if node not in self.done]
        self.done |= inside
        for literal in loop.updates:
            # A node of its own, so that an inversion need not be remembered.
            self.updates[literal] = len(self.left) + len(self.updates)
            operations.append((NAND if literal & 1 else AND, literal >> 1, literal >> 1, self.updates[literal]))
        self.parts += [(operations, loop), ([], None)]

    def body(self, loop: Loop) -> set[int]:
        """The gates between a loop's inputs and its updates."""
        depends: dict[int, bool] = {literal >> 1: True for literal in loop.inputs}
        stack = [literal >> 1 for literal in loop.updates]
        while stack:
            node = stack[-1]
            if node in depends:
                stack.pop()
            elif self.left[node] == INPUT:
                depends[node] = False
            else:
                reads = (self.left[node] >> 1, self.right[node] >> 1)
                missing = [other for other in reads if other not in depends]
                if missing:
                    stack.extend(missing)
                else:
                    depends[node] = any(depends[other] for other in reads)
        inputs = {literal >> 1 for literal in loop.inputs}
        return {node for node, inside in depends.items() if inside and node not in inputs}


def schedule(
    gates: Gates,
    inputs: Mapping[int, int],
    outputs: Sequence[tuple[int, int]],
    aliases: Mapping[int, int],
    loops: Sequence[Loop],
    *,
    in_runs: bool,
) -> Schedule:
    """Order the gates that the outputs need.

    ``inputs`` gives the slots of input nodes, ``outputs`` are literals with the slots that must hold them in the end,
    ``aliases`` are input nodes that stand for a literal. With ``in_runs``, operations of one kind are drawn together
    for the interpreter; straight-line code is better off with values that are used at once.
    """
    first_free = 1 + max([0, *inputs.values(), *(slot for _, slot in outputs)])
    scheduler = _Scheduler(gates, inputs, aliases, loops)
    wanted = [(scheduler.resolve(literal, aliases), slot) for literal, slot in outputs]
    readers = _reader_counts(scheduler, [literal for literal, _ in wanted], loops)
    for literal, slot in wanted:
        scheduler.emit_output(literal, slot, is_shared=readers[literal >> 1] > 1)
    parts = [part for part in scheduler.parts if part[0]]
    if in_runs:
        parts = [(_draw_together(operations) if loop is None else operations, loop) for operations, loop in parts]
    return _assign_slots(parts, inputs, first_free, scheduler.updates)


def _reader_counts(scheduler: _Scheduler, outputs: Sequence[int], loops: Sequence[Loop]) -> list[int]:
    """How many gates, outputs and loops read each node, as far as the outputs need them."""
    counts = [0] * len(scheduler.left)
    updates = [literal >> 1 for loop in loops for literal in loop.updates]
    stack = [literal >> 1 for literal in outputs] + updates
    while stack:
        node = stack.pop()
        counts[node] += 1
        if counts[node] == 1 and node and scheduler.left[node] != INPUT:
            stack += (scheduler.left[node] >> 1, scheduler.right[node] >> 1)
    return counts


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


def _last_uses(parts: Sequence[_Part]) -> dict[int, int]:
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
    total = len(operations)
    position = {operation[3]: n for n, operation in enumerate(operations)}
    waits = [0] * total
    readers: list[list[int]] = [[] for _ in range(total)]
    for n, (_, a, b, _) in enumerate(operations):
        for node in (a,) if a == b else (a, b):
            other = position.get(node)
            if other is not None:
                waits[n] += 1
                readers[other].append(n)
    ready: list[deque[int]] = [deque() for _ in range(2 * INVERTED)]
    ordered: list[_Operation] = []
    entered = 0
    current = ready[0]
    while len(ordered) < total:
        while entered < total and entered < len(ordered) + _WINDOW:
            if not waits[entered]:
                ready[operations[entered][0]].append(entered)
            entered += 1
        if not current:
            current = max(ready, key=len)
        n = current.popleft()
        ordered.append(operations[n])
        for reader in readers[n]:
            waits[reader] -= 1
            if not waits[reader] and reader < entered:
                ready[operations[reader][0]].append(reader)
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
