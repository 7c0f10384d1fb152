"""Breadth-first search: all positions, nearest first, so that results are proved."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ludens.core.batch import CountingHorizon
from ludens.players.one_role.incumbent import Incumbent
from ludens.players.one_role.space import Layer, Numbers, Space
from ludens.players.one_role.table import Ancestry, KeySet

BYTES_A_NODE = 48
"""Bytes per position in the tables, in addition to the position itself."""


class BreadthSearch:
    """Searches level by level, at first ignoring step counters.

    If all positions are exhausted without the best goal, and the counter did matter, it restarts with the counter.
    """

    name = "breadth"

    def __init__(
        self, space: Space, root: Layer, incumbent: Incumbent, timeless: CountingHorizon | None, megabytes: int
    ) -> None:
        self._space = space
        self._root = root
        self._incumbent = incumbent
        self._timeless = timeless
        self._most_nodes = megabytes * 1_000_000 // (BYTES_A_NODE + space.bytes_each())
        self._ancestry = Ancestry()
        self.states = 0
        """Positions computed so far."""
        self.depth = 0
        """The level that is being searched."""

    def run(self) -> Iterator[None]:
        """Search; yields after each unit of work."""
        yield from self._levels(count=False)
        counted = self._timeless is not None and not self._timeless.forever
        if counted and self._over and not self._incumbent.length_proved:
            yield from self._levels(count=True)

    def _levels(self, *, count: bool) -> Iterator[None]:
        space, incumbent = self._space, self._incumbent
        seen = KeySet()
        seen.add(space.keys(self._root, count=count))
        self._ancestry = Ancestry()
        layers, numbers = [self._root], [np.zeros(1, np.int64)]
        self.depth, self._over = 0, False
        while layers:
            if len(seen) > self._most_nodes:
                return
            self._conclude(count)
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
                    going, own = self._play(layer[chosen], nodes[chosen], moves[piece], seen, count)
                    layers.append(going)
                    numbers.append(own)
                    yield
                    if len(seen) > self._most_nodes:
                        return
            if not any(map(len, layers)):
                layers = []
        self._over = True
        self._conclude(count)
        if count or self._timeless is None or self._timeless.forever:
            incumbent.goal_proved = incumbent.length_proved = incumbent.goal >= 0

    def _play(self, layer: Layer, nodes: Numbers, moves: Numbers, seen: KeySet, count: bool) -> tuple[Layer, Numbers]:
        """The new nonterminal positions after these moves, and their numbers."""
        space = self._space
        after = space.play(layer, moves)
        self.states += len(after)
        new = np.flatnonzero(seen.add(space.keys(after.layer, count=count)))
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

    def _conclude(self, count: bool) -> None:
        """Record that all lines of up to `depth` moves are known, so no shorter one reaches the best goal."""
        incumbent = self._incumbent
        if incumbent.goal < incumbent.best_goal or len(incumbent.line) > self.depth + 1:
            return
        exact = count or self._timeless is None or self._timeless.holds_through(len(incumbent.line) - 1)
        if exact:
            incumbent.length_proved = True
