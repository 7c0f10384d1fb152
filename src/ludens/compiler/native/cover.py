"""Stage 4a: gates become operations on up to three values, which the processor does as fast as those on two.

A gate disappears into its readers if all of them can do its work without reading more than three values. What is left
of an operation is its truth table. Values are stored inverted where that makes the first entry of the table 0, and
inputs are put into an order that makes the table smallest, so that there are few different ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import NamedTuple

from ludens.compiler.circuit.gates import INPUT, NONE, Gates

PATTERNS = (0xF0, 0xCC, 0xAA)
"""The three inputs as truth tables; bit n of a table is its value where the inputs make the number n."""

COPY, INVERT = 0xAA, 0x55
"""The tables that are the third input, and its inversion."""

_ALL = 0xFF
MAX_READERS = 6
"""Gates with more readers stay: one operation less is not worth so many longer ones."""


class Operation(NamedTuple):
    """A function of up to three nodes, which the result's node then holds."""

    table: int
    reads: tuple[int, ...]
    """The last inputs of the table; it does not depend on others."""
    result: int


@dataclass(frozen=True)
class Cover:
    """What to compute for some outputs, by node."""

    operations: dict[int, Operation]
    """In an order in which each comes after what it reads, and soon. Nodes that are not here are inputs, or not
    needed."""
    inverted: set[int]
    """The nodes whose values are stored inverted."""

    @property
    def depth(self) -> int:
        """The number of operations in the longest chain of which each needs the one before."""
        level: dict[int, int] = {}
        for node, operation in self.operations.items():
            level[node] = 1 + max((level.get(other, 0) for other in operation.reads), default=0)
        return max(level.values(), default=0)


def cover(gates: Gates, outputs: Iterable[int], max_readers: int = MAX_READERS) -> Cover:
    """The operations for some literals. Their nodes are stored as the first literal of each says.

    Gates with more than ``max_readers`` readers do not disappear into them.
    """
    wanted: dict[int, int] = {}
    for literal in outputs:
        if gates.left[literal >> 1] != INPUT:
            wanted.setdefault(literal >> 1, literal & 1)
    order = _needed_gates(gates, wanted)
    reads = _merge(gates, order, wanted, max_readers)
    operations: dict[int, Operation] = {}
    inverted: set[int] = set()
    for node in order:
        if node in reads:
            inputs = sorted(reads[node])
            table = _table(gates, node, inputs, inverted)
            if wanted.get(node, table & 1):
                table ^= _ALL
                inverted.add(node)
            operations[node] = operation(table, inputs, node)
    return Cover(operations, inverted)


def operation(table: int, reads: Sequence[int], result: int) -> Operation:
    """The operation with its inputs in the order that makes the table smallest, and without those it ignores."""
    smallest, places = _smallest_table(table)
    if not places:  # a constant: a copy of node 0, which is false
        return Operation(INVERT if table else COPY, (0,), result)
    return Operation(smallest, tuple([reads[place] for place in places]), result)


@cache
def inputs_of(table: int) -> int:
    """How many inputs a smallest table reads, counted from the last."""
    for place, pattern in enumerate(PATTERNS):
        distance = 4 >> place
        if (table & pattern) >> distance != table & ~pattern & _ALL:
            return 3 - place
    return 0


@cache
def _smallest_table(table: int) -> tuple[int, tuple[int, ...]]:
    """The smallest table that permuted inputs give, and the places that those inputs had which it depends on.

    Tables that ignore their first inputs count as smaller.
    """
    tables = ((permute(table, places), places) for places in permutations(range(3)))
    smallest, places = min(tables, key=lambda item: (inputs_of(item[0]), item))
    return smallest, places[3 - inputs_of(smallest) :]


@cache
def permute(table: int, places: Sequence[int]) -> int:
    """The table of a function whose inputs are those that stood at these places."""
    found = 0
    for entry in range(8):
        before = sum((entry >> 2 - new & 1) << 2 - old for new, old in enumerate(places))
        found |= (table >> before & 1) << entry
    return found


def _needed_gates(gates: Gates, roots: Iterable[int]) -> list[int]:
    """The gates that the roots need, each after what it reads."""
    left, right, third = gates.left, gates.right, gates.third
    done: set[int] = set()
    found: list[int] = []
    for root in roots:
        stack = [root]
        while stack:
            node = stack[-1]
            if node in done:
                stack.pop()
                continue
            before = len(stack)
            for literal in (third[node], right[node], left[node]):
                other = literal >> 1
                if other not in done and literal != NONE and left[other] != INPUT:
                    stack.append(other)
            if len(stack) == before:
                stack.pop()
                done.add(node)
                found.append(node)
    return found


def _merge(gates: Gates, order: Sequence[int], kept: Mapping[int, int], max_readers: int) -> dict[int, set[int]]:
    """For each gate that stays the nodes it reads, others having disappeared into it."""
    left, right, third = gates.left, gates.right, gates.third
    reads: dict[int, set[int]] = {}
    readers: dict[int, set[int]] = {}
    for node in order:
        found = reads[node] = {left[node] >> 1, right[node] >> 1}
        if third[node] != NONE:
            found.add(third[node] >> 1)
        for other in found:
            if other in readers:
                readers[other].add(node)
            else:
                readers[other] = {node}
    for node in reversed(order):
        if node in kept:
            continue
        users = readers[node]
        if len(users) > max_readers:
            continue
        own = reads[node]
        for user in users:
            if len(reads[user] | own) > 4:
                break
        else:
            del reads[node]
            for other in own:
                readers[other].discard(node)
                readers[other] |= users
            for user in users:
                reads[user].discard(node)
                reads[user] |= own
    return reads


def _table(gates: Gates, node: int, inputs: Sequence[int], inverted: set[int]) -> int:
    """The truth table of a node over its inputs as they are stored."""
    known = {0: 0}
    for pattern, other in zip(PATTERNS, inputs, strict=False):
        known[other] = pattern ^ _ALL if other in inverted else pattern
    return _value(gates, node, known)


def _value(gates: Gates, node: int, known: dict[int, int]) -> int:
    """The truth table of a node from those of others; only few gates are between them."""
    a, b, c = gates.left[node], gates.right[node], gates.third[node]
    x = known[a >> 1] if a >> 1 in known else _value(gates, a >> 1, known)
    y = known[b >> 1] if b >> 1 in known else _value(gates, b >> 1, known)
    x, y = x ^ _ALL if a & 1 else x, y ^ _ALL if b & 1 else y
    if c == NONE:
        value = x ^ y if gates.is_xor[node] else x & y
    else:
        z = known[c >> 1] if c >> 1 in known else _value(gates, c >> 1, known)
        z = z ^ _ALL if c & 1 else z
        value = x ^ y ^ z if gates.is_xor[node] else x & y | x & z | y & z
    known[node] = value
    return value
