"""All reachable positions, found breadth first, each once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ludens.core import Move, Role, State
from ludens.players.space.space import Flags, JointMoves, Key, Numbers, Space

CHILDREN_AT_ONCE = 8_192
"""Children computed between two checks of the clock, approximately."""
MOST_POSITIONS = 4_000_000
MOST_CHILDREN = 40_000_000
"""Limits of what is kept, about 1.5 GB in all."""

_Array = TypeVar("_Array", Flags, Numbers)


@dataclass(frozen=True, slots=True)
class Slab:
    """Positions that were expanded together."""

    ids: NDArray[np.int64]
    """Their numbers."""
    joint: JointMoves
    """What can be played in them."""
    children: Numbers
    """The number of each child."""


class Graph:
    """The positions reachable from a state, numbered in the order of discovery; the state itself is 0."""

    def __init__(self, space: Space, state: State) -> None:
        self.space = space
        """The game's positions."""
        self.slabs: list[Slab] = []
        """The expanded positions, nearest first."""
        self.complete = False
        """True once nothing is left to expand."""
        self.children = 0
        """How many children were computed."""
        root = space.key(state)
        self._numbers: dict[Key, int] = {root: 0}
        self._waiting: list[tuple[int, Key]] = [(0, root)]
        self._next: list[tuple[int, Key]] = []
        self._terminal: list[Flags] = [np.zeros(1, np.bool_)]
        self._stuck: int | None = None
        self._latest_ends: Numbers = np.zeros((0, len(space.roles)), np.int32)
        self._goals: list[Numbers] = [np.zeros((1, len(space.roles)), np.int32)]
        self._branching = 1.0

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def terminal(self) -> Flags:
        """Which positions are terminal."""
        return _concatenate(self._terminal)

    @property
    def goals(self) -> Numbers:
        """The goals of each role in each position (positions, roles), if it is terminal."""
        return _concatenate(self._goals)

    @property
    def first_stuck(self) -> int | None:
        """The first nonterminal position found in which a role that must move cannot; None if there is none."""
        return self._stuck

    def grow(self, go_on: Callable[[], bool]) -> None:
        """Expand positions until all are expanded, ``go_on`` returns False, or there are too many."""
        while self._waiting:
            if not go_on() or len(self) > MOST_POSITIONS or self.children > MOST_CHILDREN:
                return
            size = max(1, int(CHILDREN_AT_ONCE / self._branching))
            self._expand(self._waiting[:size])
            self._waiting = self._waiting[size:]
            if not self._waiting:
                self._waiting, self._next = self._next, []
        self.complete = True

    def best_goal_seen(self, role: int) -> int:
        """The highest goal of a role in the terminal positions found last."""
        return int(self._latest_ends[:, role].max(initial=0))

    def path_to(self, position: int) -> list[dict[Role, Move]]:
        """Joint moves that lead from the state to a position, without the outcomes of chance."""
        way: list[dict[Role, Move]] = []
        while position:
            slab = next(slab for slab in self.slabs if (slab.children == position).any())
            number = int(np.flatnonzero(slab.children == position)[0])
            if slab.joint.first_child is not None:
                number = int(np.searchsorted(slab.joint.first_child, number, side="right")) - 1
            way.append(self.space.joint_move(slab.joint.moves[number].tolist()))
            position = int(slab.ids[np.searchsorted(slab.joint.first, number, side="right") - 1])
        return way[::-1]

    def _expand(self, positions: Sequence[tuple[int, Key]]) -> None:
        found = self.space.expand([key for _, key in positions])
        known = len(self)
        number = self._numbers.setdefault
        children = np.array([number(key, len(self._numbers)) for key in found.keys], np.int32)
        new, where = np.unique(children, return_index=True)
        where = where[new >= known]
        new = new[new >= known]
        self._terminal.append(found.terminal[where])
        self._goals.append(found.goals[where])
        stuck = np.zeros(len(where), np.bool_) if found.stuck is None else found.stuck[where]
        if self._stuck is None and stuck.any():
            self._stuck = int(new[stuck][0])
        self._latest_ends = found.goals[where][found.terminal[where] & ~stuck]
        going = ~found.terminal[where]
        self._next += [
            (child, found.keys[place]) for child, place in zip(new[going].tolist(), where[going], strict=True)
        ]
        self.children += len(children)
        self._branching = max(1.0, len(children) / len(positions))
        self.slabs.append(Slab(np.array([n for n, _ in positions], np.int64), found.joint, children))


def _concatenate(parts: list[_Array]) -> _Array:
    parts[:] = [np.concatenate(parts)]
    return parts[0]
