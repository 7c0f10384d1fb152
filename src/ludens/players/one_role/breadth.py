"""Breadth-first search on plain states: all positions, nearest first, so that results are proved."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ludens.players.one_role.incumbent import Incumbent
from ludens.players.one_role.space import Layer, Numbers, Space
from ludens.players.one_role.table import Ancestry, KeySet

BYTES_A_NODE = 48
"""Bytes per position in the tables, in addition to the position itself."""


class PlainBreadthSearch:
    """Searches level by level."""

    name = "breadth"

    def __init__(self, space: Space, root: Layer, incumbent: Incumbent, megabytes: int) -> None:
        self._space = space
        self._root = root
        self._incumbent = incumbent
        self._most_nodes = megabytes * 1_000_000 // (BYTES_A_NODE + space.bytes_each())
        self._ancestry = Ancestry()
        self.states = 0
        """Positions computed so far."""
        self.depth = 0
        """The level that is being searched."""

    def run(self) -> Iterator[None]:
        """Search; yields after each unit of work."""
        space, incumbent = self._space, self._incumbent
        seen = KeySet()
        seen.add(space.keys(self._root, count=True))
        self._ancestry = Ancestry()
        layers, numbers = [self._root], [np.zeros(1, np.int64)]
        self.depth = 0
        while layers:
            if len(seen) > self._most_nodes:
                return
            self._conclude()
            if incumbent.goal_proved and incumbent.length_proved:
                return
            layer, nodes = np.concatenate(layers), np.concatenate(numbers)
            layers, numbers = [], []
            self.depth += 1
            for part in space.pieces(len(layer)):
                parents, moves = space.moves(layer[part])
                owners = parents + part.start
                for piece in space.pieces(len(owners)):
                    chosen = owners[piece]
                    going, own = self._play(layer[chosen], nodes[chosen], moves[piece], seen)
                    layers.append(going)
                    numbers.append(own)
                    yield
                    if len(seen) > self._most_nodes:
                        return
            if not any(map(len, layers)):
                layers = []
        self._conclude()
        incumbent.goal_proved = incumbent.length_proved = incumbent.goal >= 0

    def _play(self, layer: Layer, nodes: Numbers, moves: Numbers, seen: KeySet) -> tuple[Layer, Numbers]:
        """The new nonterminal positions after these moves, and their numbers."""
        space = self._space
        after = space.play(layer, moves)
        self.states += len(after)
        new = np.flatnonzero(seen.add(space.keys(after.layer, count=True)))
        own = self._ancestry.add(nodes[new], moves[new])
        ends = new[after.terminal[new]]
        if len(ends):
            best = ends[after.goals[ends].argmax()]
            self._offer(int(after.goals[best]), int(own[np.searchsorted(new, best)]))
        going = ~after.terminal[new]
        return after.layer[new[going]], own[going]

    def _offer(self, goal: int, node: int) -> None:
        if goal > self._incumbent.goal or self.depth < len(self._incumbent.line):
            line = self._ancestry.line(node)
            self._incumbent.offer(goal, [self._space.texts[move] for move in line], self.name)

    def _conclude(self) -> None:
        """Record that all lines of up to `depth` moves are known, so no shorter one reaches the best goal."""
        incumbent = self._incumbent
        if incumbent.goal >= incumbent.best_goal and len(incumbent.line) <= self.depth + 1:
            incumbent.length_proved = True
