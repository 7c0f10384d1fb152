"""Plain minimax, MaxN and expectimax to a fixed depth, without cuts: many positions at once, level by level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ludens.players.space.space import Expansion, Flags, JointMoves, Key, Space, Values

CHILDREN_AT_ONCE = 8_192
"""Children computed together, approximately; deeper levels wait for their turn, which bounds memory."""

Leaf = Callable[[Expansion], Values]
"""The static evaluation: a number, or a row of numbers, for each child."""
Choose = Callable[[JointMoves, Values], Values]
"""The value of each position, given the values of its joint moves."""


@dataclass(frozen=True, slots=True)
class LookAhead:
    """The values of positions, found by looking ahead."""

    values: Values
    """A number, or a row of numbers, for each position."""
    open: Flags
    """Which values rest on estimates."""


class FullWidth:
    """Searches nonterminal positions to a fixed depth."""

    def __init__(self, space: Space, leaf: Leaf, choose: Choose) -> None:
        self.space = space
        """Expands positions."""
        self.leaf = leaf
        """The static evaluation of children."""
        self.nodes = 0
        """Children computed so far."""
        self.branching = 1.0
        """The recent branching factor."""
        self._choose = choose

    def evaluate(self, keys: Sequence[Key], depth: int) -> LookAhead:
        """The value of each position, searched ``depth`` plies deep, at least one."""
        parts = []
        begin = 0
        while begin < len(keys):
            size = max(1, int(CHILDREN_AT_ONCE / self.branching))
            parts.append(self._evaluate(keys[begin : begin + size], depth))
            begin += size
        if len(parts) == 1:
            return parts[0]
        return LookAhead(np.concatenate([part.values for part in parts]), np.concatenate([part.open for part in parts]))

    def expand(self, keys: Sequence[Key]) -> Expansion:
        """Expand positions, and count their children."""
        found = self.space.expand(keys)
        self.nodes += len(found.keys)
        self.branching = max(1.0, (self.branching + len(found.keys) / len(keys)) / 2)
        return found

    def _evaluate(self, keys: Sequence[Key], depth: int) -> LookAhead:
        found = self.expand(keys)
        values, unsure = self.leaf(found), ~found.terminal
        going = np.flatnonzero(unsure)
        if depth > 1 and len(going):
            number: dict[Key, int] = {}
            ids = [number.setdefault(found.keys[place], len(number)) for place in going.tolist()]
            below = self.evaluate(list(number), depth - 1)
            values[going] = below.values[ids]
            unsure[going] = below.open[ids]
        joint = found.joint
        if joint.first_child is not None:
            unsure = np.logical_or.reduceat(unsure, joint.first_child[:-1])
        return LookAhead(
            self._choose(joint, joint.expected_values(values)), np.logical_or.reduceat(unsure, joint.first[:-1])
        )
