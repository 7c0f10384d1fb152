"""Stage 4a: gates become operations on up to three values, which the processor does as fast as those on two.

A gate disappears into its readers if all of them can do its work without reading more than three values. What is left
of an operation is its truth table. Values are stored inverted where that makes the first entry of the table 0, and
inputs are put into an order that makes the table smallest, so that there are few different ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations
from typing import NamedTuple

import numpy as np

from ludens.compiler.circuit.gates import INPUT, Gates
from ludens.compiler.passes.library import ADDRESS, COUNT, LITERAL, Ints, allocating_function

PATTERNS = (0xF0, 0xCC, 0xAA)
"""The three inputs as truth tables; bit n of a table is its value where the inputs make the number n."""

COPY, INVERT = 0xAA, 0x55
"""The tables that are the third input, and its inversion."""

_ALL = 0xFF
_UNWANTED = 2
MAX_READERS = 6
"""Gates with more readers stay: one operation less is not worth so many longer ones."""

_write_cover = allocating_function("write_cover", COUNT, ADDRESS, ADDRESS, COUNT, ADDRESS, LITERAL, ADDRESS, ADDRESS)


class Operation(NamedTuple):
    """A function of up to three nodes, which the result's node then holds."""

    table: int
    reads: tuple[int, ...]
    """The last inputs of the table; it does not depend on others."""
    result: int


@dataclass(frozen=True)
class Cover:
    """What to compute for some outputs."""

    rows: Ints
    """Operations as table, number of inputs, three inputs, result: in an order in which each comes after what it reads,
    and soon. Nodes that are no results are inputs, or not needed."""
    inverted: set[int]
    """The nodes whose values are stored inverted."""

    @cached_property
    def operations(self) -> dict[int, Operation]:
        """The operations by node, in their order."""
        return {
            result: Operation(table, (a, b, c)[:inputs], result)
            for table, inputs, a, b, c, result in self.rows.tolist()
        }

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
    nodes = np.array(list(wanted), np.int32)
    stored = np.full(len(gates), _UNWANTED, np.uint8)
    stored[nodes] = list(wanted.values())
    inverted = np.zeros(len(gates), np.bool_)
    rows = np.zeros((len(gates), 6), np.int32)
    places = (array.ctypes.data for array in (inverted, rows))
    count = _write_cover(gates.address, nodes.ctypes.data, len(nodes), stored.ctypes.data, max_readers, *places)
    return Cover(rows[:count].copy(), set(np.flatnonzero(inverted).tolist()))


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
