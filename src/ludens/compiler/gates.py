"""And-inverter graphs: two-input gates with inverted edges, equal gates shared.

A *literal* is twice the number of a node, plus one if its value is inverted; 0 is false and 1 is true. Nodes are
numbered so that a gate comes after what it reads.
"""

from __future__ import annotations

from collections.abc import Iterable

FALSE, TRUE = 0, 1
INPUT = -1


class Gates:
    """A growing graph of inputs, AND gates and XOR gates."""

    def __init__(self) -> None:
        self.left: list[int] = [INPUT]
        """The first literal that each node reads; `INPUT` for inputs and for the constant, node 0."""
        self.right: list[int] = [INPUT]
        self.is_xor: list[bool] = [False]
        self._known: dict[tuple[int, int, bool], int] = {}

    def __len__(self) -> int:
        return len(self.left)

    def new_input(self) -> int:
        """The literal of a new input."""
        self.left.append(INPUT)
        self.right.append(INPUT)
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
        return self._node(a, b, xor=False)

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
        return self._node(a, b, xor=True) ^ inverted

    def choose(self, condition: int, then: int, otherwise: int) -> int:
        """``then`` where the condition holds, else ``otherwise``."""
        return self.differ(otherwise, self.both(condition, self.differ(then, otherwise)))

    def all_of(self, literals: Iterable[int]) -> int:
        """The conjunction of any number of literals, as a balanced tree."""
        level = sorted(set(literals))
        if not level:
            return TRUE
        while len(level) > 1:
            pairs = [self.both(level[n], level[n + 1]) for n in range(0, len(level) - 1, 2)]
            level = pairs + ([level[-1]] if len(level) % 2 else [])
        return level[0]

    def any_of(self, literals: Iterable[int]) -> int:
        """The disjunction of any number of literals, as a balanced tree."""
        return self.all_of(literal ^ 1 for literal in literals) ^ 1

    def _node(self, a: int, b: int, *, xor: bool) -> int:
        key = (a, b, xor)
        found = self._known.get(key)
        if found is None:
            self.left.append(a)
            self.right.append(b)
            self.is_xor.append(xor)
            found = self._known[key] = 2 * (len(self.left) - 1)
        return found
