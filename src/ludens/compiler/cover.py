"""Stage 4a: gates become operations on up to three values, which the processor does as fast as those on two.

A gate disappears into its readers if all of them can do its work without reading more than three values. What is left
of an operation is its truth table. Values are stored inverted where that makes the first entry of the table 0, and
inputs are put into an order that makes the table smallest, so that there are few different ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations

from ludens.compiler.gates import INPUT, Gates

PATTERNS = (0xF0, 0xCC, 0xAA)
"""The three inputs as truth tables; bit n of a table is its value where the inputs make the number n."""

COPY, INVERT = 0xAA, 0x55
"""The tables that are the third input, and its inversion."""

_ALL = 0xFF
_MAX_READERS = 6
"""Gates with more readers stay: one operation less is not worth so many longer ones."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A function of up to three nodes, which the result's node then holds."""

    table: int
    reads: tuple[int, ...]
    """The last inputs of the table; it does not depend on others."""
    result: int


@dataclass(frozen=True)
class Cover:
    """What to compute for some outputs, by node."""

    operations: dict[int, Operation]
    """In an order in which each comes after what it reads. Nodes that are not here are inputs, or not needed."""
    inverted: set[int]
    """The nodes whose values are stored inverted."""


def cover(gates: Gates, roots: Iterable[int]) -> Cover:
    """The operations for some nodes, which are all kept."""
    kept = {root for root in roots if gates.left[root] != INPUT}
    order = list(_needed(gates, kept))
    reads = _merge(gates, order, kept)
    operations: dict[int, Operation] = {}
    inverted: set[int] = set()
    for node in order:
        if node in reads:
            inputs = sorted(reads[node])
            table = _table(gates, node, inputs, inverted)
            if table & 1:
                table ^= _ALL
                inverted.add(node)
            operations[node] = operation(table, inputs, node)
    return Cover(operations, inverted)


def operation(table: int, reads: Sequence[int], result: int) -> Operation:
    """The operation with its inputs in the order that makes the table smallest, and without those it ignores."""
    padded = [*reads, *[0] * (3 - len(reads))]
    smallest, places = _smallest(table)
    return Operation(smallest, tuple(padded[place] for place in places)[3 - inputs_of(smallest) :], result)


def inverse(given: Operation, result: int) -> Operation:
    """The operation that gives the inversion of another."""
    return operation(given.table ^ _ALL, [*[0] * (3 - len(given.reads)), *given.reads], result)


@cache
def inputs_of(table: int) -> int:
    """How many inputs a smallest table reads, counted from the last."""
    for place, pattern in enumerate(PATTERNS):
        distance = 4 >> place
        if (table & pattern) >> distance != table & ~pattern & _ALL:
            return 3 - place
    return 0


@cache
def _smallest(table: int) -> tuple[int, tuple[int, ...]]:
    """The smallest table that permuted inputs give, and for each of its inputs the place it had before.

    Tables that ignore their first inputs count as smaller.
    """
    tables = ((permuted(table, places), places) for places in permutations(range(3)))
    return min(tables, key=lambda item: (inputs_of(item[0]), item))


def permuted(table: int, places: Sequence[int]) -> int:
    """The table of a function whose inputs are those that stood at these places."""
    found = 0
    for entry in range(8):
        before = sum((entry >> 2 - new & 1) << 2 - old for new, old in enumerate(places))
        found |= (table >> before & 1) << entry
    return found


def _needed(gates: Gates, roots: Iterable[int]) -> Iterator[int]:
    """The gates that the roots need, each after what it reads."""
    left = gates.left
    done: set[int] = set()
    for root in sorted(roots):
        stack = [root]
        while stack:
            node = stack[-1]
            if node in done:
                stack.pop()
                continue
            missing = [n for literal in gates.reads(node) if (n := literal >> 1) not in done and left[n] != INPUT]
            if missing:
                stack += missing
            else:
                stack.pop()
                done.add(node)
                yield node


def _merge(gates: Gates, order: Sequence[int], kept: set[int]) -> dict[int, set[int]]:
    """For each gate that stays the nodes it reads, others having disappeared into it."""
    reads = {node: {literal >> 1 for literal in gates.reads(node)} - {0} for node in order}
    readers: dict[int, set[int]] = {}
    for node, found in reads.items():
        for other in found:
            readers.setdefault(other, set()).add(node)
    for node in reversed(order):
        users = readers[node] if node not in kept else ()
        if not 0 < len(users) <= _MAX_READERS:
            continue
        own = reads[node]
        if any(len(reads[user] | own) > 4 for user in users):
            continue
        del reads[node]
        for other in own:
            readers[other].discard(node)
            readers[other].update(users)
        for user in users:
            reads[user].discard(node)
            reads[user] |= own
    return reads


def _table(gates: Gates, node: int, inputs: Sequence[int], inverted: set[int]) -> int:
    """The truth table of a node over its inputs as they are stored."""
    known = {0: 0}
    for pattern, other in zip(PATTERNS, inputs, strict=False):
        known[other] = pattern ^ _ALL if other in inverted else pattern
    stack = [node]
    while stack:
        top = stack[-1]
        missing = [other for literal in gates.reads(top) if (other := literal >> 1) not in known]
        if missing:
            stack += missing
            continue
        stack.pop()
        a, b, *third = (known[literal >> 1] ^ (_ALL if literal & 1 else 0) for literal in gates.reads(top))
        if third:
            c = third[0]
            known[top] = a ^ b ^ c if gates.is_xor[top] else a & b | a & c | b & c
        else:
            known[top] = a ^ b if gates.is_xor[top] else a & b
    return known[node]
