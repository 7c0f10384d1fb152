"""Plain minimax, MaxN and expectimax to a fixed depth, without cuts: many positions at once, level by level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ludens.players.space.space import Expansion, Flags, JointMoves, Key, Space, Values

CHILDREN_AT_ONCE = 8_192
"""About as many children as are computed together; deeper levels then wait for their turn, which bounds memory."""

Leaf = Callable[[Expansion], Values]
"""What each child is worth by itself: a number, or a row of numbers, for each child."""
Choose = Callable[[JointMoves, Values], Values]
"""What each position is worth, given the worth of its joint moves."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What looking ahead found for some positions."""

    values: Values
    """What each is worth: a number, or a row of numbers, for each position."""
    open: Flags
    """Which values rest on guesses."""


class FullWidth:
    """Looks a number of plies ahead behind positions that are not over."""

    def __init__(self, space: Space, leaf: Leaf, choose: Choose) -> None:
        self.space = space
        """Where positions come from."""
        self.leaf = leaf
        """What children are worth by themselves."""
        self.nodes = 0
        """Children seen so far."""
        self.branching = 1.0
        """Children for each position lately."""
        self._choose = choose

    def look(self, keys: Sequence[Key], depth: int) -> Looked:
        """The value of each position, looking ``depth`` plies ahead, one at least."""
        parts = []
        begin = 0
        while begin < len(keys):
            size = max(1, int(CHILDREN_AT_ONCE / self.branching))
            parts.append(self._look(keys[begin : begin + size], depth))
            begin += size
        if len(parts) == 1:
            return parts[0]
        return Looked(np.concatenate([part.values for part in parts]), np.concatenate([part.open for part in parts]))

    def expand(self, keys: Sequence[Key]) -> Expansion:
        """The children of some positions, counted."""
        found = self.space.expand(keys)
        self.nodes += len(found.keys)
        self.branching = max(1.0, (self.branching + len(found.keys) / len(keys)) / 2)
        return found

    def _look(self, keys: Sequence[Key], depth: int) -> Looked:
        found = self.expand(keys)
        values, unsure = self.leaf(found), ~found.terminal
        going = np.flatnonzero(unsure)
        if depth > 1 and len(going):
            number: dict[Key, int] = {}
            ids = [number.setdefault(found.keys[place], len(number)) for place in going.tolist()]
            behind = self.look(list(number), depth - 1)
            values[going] = behind.values[ids]
            unsure[going] = behind.open[ids]
        joint = found.joint
        if joint.first_child is not None:
            unsure = np.logical_or.reduceat(unsure, joint.first_child[:-1])
        return Looked(self._choose(joint, joint.expected(values)), np.logical_or.reduceat(unsure, joint.first[:-1]))
