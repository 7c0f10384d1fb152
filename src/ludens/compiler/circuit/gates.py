"""Graphs of gates with inverted edges, equal gates shared: AND and XOR of two inputs, and what adders need of three.

A *literal* is twice the number of a node, plus one if its value is inverted; 0 is false and 1 is true. Nodes are
numbered so that a gate comes after what it reads.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

FALSE, TRUE = 0, 1
INPUT = -1
NONE = -1


class Gates:
    """A growing graph of inputs and gates.

    A gate with a third input is the majority of its inputs, or their parity if `is_xor`; one with two is their
    conjunction, or their parity.
    """

    def __init__(self) -> None:
        self.left: list[int] = [INPUT]
        """The first literal that each node reads; `INPUT` for inputs and for the constant, node 0."""
        self.right: list[int] = [INPUT]
        self.third: list[int] = [NONE]
        """The third literal that a node reads; `NONE` for most."""
        self.is_xor: list[bool] = [False]
        self._ands: dict[int, int] = {}
        self._xors: dict[int, int] = {}
        """The literals of gates by what they read, packed into one number: so many tuples would be large. Those that
        are no parity are in the first."""

    def copy(self) -> Gates:
        """A copy, to which gates may be added."""
        found = Gates()
        found.left, found.right, found.third = self.left.copy(), self.right.copy(), self.third.copy()
        found.is_xor = self.is_xor.copy()
        found._ands, found._xors = self._ands.copy(), self._xors.copy()
        return found

    def __len__(self) -> int:
        return len(self.left)

    def new_input(self) -> int:
        """The literal of a new input."""
        self.left.append(INPUT)
        self.right.append(INPUT)
        self.third.append(NONE)
        self.is_xor.append(False)
        return 2 * (len(self.left) - 1)

    def both(self, a: int, b: int) -> int:
        """a AND b."""
        if a > b:
            a, b = b, a
        if a == FALSE or a ^ b == 1:
            return FALSE
        if a in (TRUE, b):
            return b
        key = a << 32 | b
        return self._ands.get(key) or self._node(self._ands, key, (a, b, NONE), is_xor=False)

    def either(self, a: int, b: int) -> int:
        """a OR b."""
        return self.both(a ^ 1, b ^ 1) ^ 1

    def differ(self, a: int, b: int) -> int:
        """a XOR b; inversions move to the output."""
        inverted = (a ^ b) & 1
        a, b = a & ~1, b & ~1
        if a > b:
            a, b = b, a
        if a == b:
            return FALSE ^ inverted
        if a == FALSE:
            return b ^ inverted
        key = a << 32 | b
        return (self._xors.get(key) or self._node(self._xors, key, (a, b, NONE), is_xor=True)) ^ inverted

    def parity(self, a: int, b: int, c: int) -> int:
        """a XOR b XOR c; inversions move to the output."""
        inverted = (a ^ b ^ c) & 1
        a, b, c = sorted((a & ~1, b & ~1, c & ~1))
        if a == FALSE:
            return self.differ(b, c) ^ inverted
        if a == b:
            return c ^ inverted
        if b == c:
            return a ^ inverted
        key = (c << 32 | a) << 32 | b
        return (self._xors.get(key) or self._node(self._xors, key, (a, b, c), is_xor=True)) ^ inverted

    def majority(self, a: int, b: int, c: int) -> int:
        """Whether at least two of three hold."""
        a, b, c = sorted((a, b, c))
        if a == FALSE:
            return self.both(b, c)
        if a == TRUE:
            return self.either(b, c)
        if a >> 1 == b >> 1:
            return a if a == b else c
        if b >> 1 == c >> 1:
            return b if b == c else a
        key = (c << 32 | a) << 32 | b
        return self._ands.get(key) or self._node(self._ands, key, (a, b, c), is_xor=False)

    def choose(self, condition: int, then: int, otherwise: int) -> int:
        """``then`` where the condition holds, else ``otherwise``."""
        return self.differ(otherwise, self.both(condition, self.differ(then, otherwise)))

    def all_of(self, literals: Iterable[int]) -> int:
        """The conjunction of any number of literals, as a tree by their binary digits.

        Sets that differ in few literals share all but a few of their gates, unlike with a balanced tree.
        """
        different = set(literals)
        if len(different) == 2:
            return self.both(*different)
        if not different:
            return TRUE
        return FALSE if FALSE in different else self._tree(sorted(different), 0, len(different))

    def _tree(self, ordered: Sequence[int], start: int, end: int) -> int:
        if end - start == 1:
            return ordered[start]
        if end - start == 2:
            return self.both(ordered[start], ordered[start + 1])
        digit = (ordered[start] ^ ordered[end - 1]).bit_length() - 1
        middle = bisect_left(ordered, ordered[end - 1] >> digit << digit, start, end)
        return self.both(self._tree(ordered, start, middle), self._tree(ordered, middle, end))

    def any_of(self, literals: Iterable[int]) -> int:
        """The disjunction of any number of literals, as `all_of` does it."""
        return self.all_of(literal ^ 1 for literal in literals) ^ 1

    def forget(self) -> None:
        """Release the memory for finding equal gates, when no more are added."""
        self._ands, self._xors = {}, {}

    def reads(self, node: int) -> tuple[int, ...]:
        """The literals that a gate reads."""
        third = self.third[node]
        return (self.left[node], self.right[node]) if third == NONE else (self.left[node], self.right[node], third)

    def _node(self, known: dict[int, int], key: int, reads: tuple[int, int, int], *, is_xor: bool) -> int:
        """The literal of a new gate."""
        a, b, c = reads
        self.left.append(a)
        self.right.append(b)
        self.third.append(c)
        self.is_xor.append(is_xor)
        literal = known[key] = 2 * (len(self.left) - 1)
        return literal
