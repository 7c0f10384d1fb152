"""Beam search: level by level like breadth-first search, but only the most promising positions of each level go on."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray

from ludens.players.one_role.incumbent import Incumbent
from ludens.players.one_role.space import LONGEST_PLAYOUT, Layer, Numbers, Positions, Space
from ludens.players.one_role.table import Ancestry, KeySet

FIRST_WIDTH = 64
MOST_WIDTH = 1 << 18


class Promise(Enum):
    """What makes a position promising, beside the goal as it stands and how near to the best one it looks."""

    CHANCE = auto()
    """Nothing else: ties are broken at random."""
    MOBILITY = auto()
    """Many legal moves."""
    PLAYOUTS = auto()
    """How a random playout ends."""


class BeamSearch:
    """Searches with every kind of promise in turn, the cheapest first, then again with a wider beam."""

    name = "beam"

    def __init__(self, space: Space, root: Layer, incumbent: Incumbent, seed: int) -> None:
        self._space = space
        self._root = root
        self._incumbent = incumbent
        self._rng = np.random.default_rng(seed)
        self.states = 0
        """Positions computed so far."""

    def run(self) -> Iterator[None]:
        """Search; yields after each piece of work."""
        width = FIRST_WIDTH
        while True:
            for promise in Promise:
                yield from self._descend(width, promise)
            width = min(4 * width, MOST_WIDTH)

    def _descend(self, width: int, promise: Promise) -> Iterator[None]:
        ancestry, seen = Ancestry(), KeySet()
        layer, nodes = self._root, np.zeros(1, np.int64)
        for _ in range(LONGEST_PLAYOUT):
            found: list[tuple[Positions, Numbers]] = []
            for start in range(0, len(layer), self._space.lanes):
                part = slice(start, start + self._space.lanes)
                found.append(self._expand(layer[part], nodes[part], ancestry, seen))
                yield
            nodes = np.concatenate([own for _, own in found])
            if not len(nodes):
                return
            positions = Positions(
                np.concatenate([part.layer for part, _ in found]),
                np.concatenate([part.terminal for part, _ in found]),
                np.concatenate([part.goals for part, _ in found]),
            )
            if len(nodes) > width:
                scores = yield from self._scores(positions, promise)
                best = np.argpartition(-scores, width)[:width]
                positions = Positions(positions.layer[best], positions.terminal[best], positions.goals[best])
                nodes = nodes[best]
            layer = positions.layer

    def _expand(self, layer: Layer, nodes: Numbers, ancestry: Ancestry, seen: KeySet) -> tuple[Positions, Numbers]:
        """The new positions after some of the beam that are not over, and their numbers."""
        parents, moves = self._space.moves(layer)
        after = self._space.play(layer[parents], moves) if len(parents) else self._space.look(layer[:0])
        self.states += len(after)
        new = np.flatnonzero(seen.add(self._space.keys(after.layer, count=False)))
        own = ancestry.add(nodes[parents[new]], moves[new])
        ends = np.flatnonzero(after.terminal[new])
        if len(ends):
            best = ends[after.goals[new[ends]].argmax()]
            goal = int(after.goals[new[best]])
            if goal >= self._incumbent.goal:
                line = ancestry.line(int(own[best]))
                self._incumbent.offer(goal, [self._space.texts[move] for move in line], self.name)
        going = ~after.terminal[new]
        kept = new[going]
        return Positions(after.layer[kept], after.terminal[kept], after.goals[kept]), own[going]

    def _scores(self, positions: Positions, promise: Promise) -> Generator[None, None, NDArray[np.float64]]:
        scores = self._space.scores(positions) + 1e-6 * self._rng.random(len(positions))
        step = self._space.lanes
        for start in range(0, len(positions), step):
            part = positions.layer[start : start + step]
            if promise is Promise.PLAYOUTS:
                ends = self._space.playouts(part)
                self.states += int((ends.moves >= 0).sum())
                scores[start : start + step] += ends.scores
            elif promise is Promise.MOBILITY:
                owners, _ = self._space.moves(part)
                scores[start : start + step] += np.bincount(owners, minlength=len(part)) / 100
            yield
        return scores
