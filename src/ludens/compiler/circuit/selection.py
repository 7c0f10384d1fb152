"""Stage 6: a random legal move for each lane, as gates; uniformly, or by weights.

The legal moves are counted in a binary tree, bottom up. A random index below the count is then routed from the root to
a leaf: at each node it goes left if it is smaller than the left count, else that count is subtracted and it goes
right. Numbers are lists of literals, lowest bit first. The index is ``count * r / 2**bits`` for a random r, so that
each move's probability is right to within ``2**-bits``. A move with a weight counts as many times as its weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludens.compiler.circuit.gates import FALSE, TRUE, Gates

RANDOM_BITS = 14
"""Random bits for one choice."""
WEIGHT_BITS = 12
"""Random bits for a weighted choice beyond those of the sum of weights: a probability is right to within one part of
``2**12`` of the least one that such weights can give."""

Number = list[int]


@dataclass(frozen=True, slots=True)
class _Node:
    """A node of the counting tree."""

    count: Number
    most: int
    """What the count is at most: the sum of all weights."""
    start: int
    children: tuple[_Node, _Node] | None

    @property
    def index_bits(self) -> int:
        """Bits of an index below the count."""
        return (self.most - 1).bit_length()


def weight_bits(weights: Sequence[int]) -> int:
    """How many random bits a choice by such weights takes."""
    return RANDOM_BITS if set(weights) == {1} else WEIGHT_BITS + sum(weights).bit_length()


def choose_by_weight(gates: Gates, legal: Sequence[int], weights: Sequence[int], random: Sequence[int]) -> list[int]:
    """For each literal of ``legal``, one that is true if it is chosen, in proportion to the weights (above 0).

    Where any is legal, exactly one is chosen, and it is legal; where none is, what is chosen means nothing.
    """
    leaves = [
        _Node([literal if weight >> n & 1 else FALSE for n in range(weight.bit_length())], weight, place, None)
        for place, (literal, weight) in enumerate(zip(legal, weights, strict=True))
    ]
    root = _count(gates, leaves)
    chosen = [FALSE] * len(legal)
    _route(gates, root, _scale(gates, root.count, random), TRUE, chosen)
    return chosen


def _count(gates: Gates, leaves: Sequence[_Node]) -> _Node:
    if len(leaves) == 1:
        return leaves[0]
    middle = len(leaves) // 2
    left, right = _count(gates, leaves[:middle]), _count(gates, leaves[middle:])
    most = left.most + right.most
    total = _add(gates, left.count, right.count)[: most.bit_length()]
    return _Node(total, most, left.start, (left, right))


def _add(gates: Gates, a: Number, b: Number) -> Number:
    total: Number = []
    carry = FALSE
    for n in range(max(len(a), len(b))):
        x, y = _bit(a, n), _bit(b, n)
        total.append(gates.parity(x, y, carry))
        carry = gates.majority(x, y, carry)
    return [*total, carry]


def _scale(gates: Gates, count: Number, random: Sequence[int]) -> Number:
    """The integer part of ``count * r / 2**len(random)``: add the count for each random bit, halving in between."""
    total: Number = [FALSE] * len(count)
    for bit in random:
        total = _add(gates, total, [gates.both(digit, bit) for digit in count])[1:]
    return total[: len(count)]


def _route(gates: Gates, node: _Node, index: Number, active: int, chosen: list[int]) -> None:
    """Set ``chosen`` below a node that is reached where ``active`` holds, with an index below its count."""
    if node.children is None:
        chosen[node.start] = active
        return
    left, right = node.children
    difference, smaller = _subtract(gates, index[: node.index_bits], left.count)
    _route(gates, left, index, gates.both(active, smaller), chosen)
    _route(gates, right, difference, gates.both(active, smaller ^ 1), chosen)


def _subtract(gates: Gates, a: Number, b: Number) -> tuple[Number, int]:
    """a - b, and whether that is below zero."""
    difference: Number = []
    borrow = FALSE
    for n in range(max(len(a), len(b))):
        x, y = _bit(a, n), _bit(b, n)
        difference.append(gates.parity(x, y, borrow))
        borrow = gates.majority(x ^ 1, y, borrow)
    return difference, borrow


def _bit(number: Number, n: int) -> int:
    return number[n] if n < len(number) else FALSE
