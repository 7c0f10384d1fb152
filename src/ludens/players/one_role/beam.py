"""Beam search: level by level like breadth-first search, but only the most promising positions of each level go on."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray

from ludens.players.one_role.incumbent import Incumbent
from ludens.players.one_role.space import LONGEST_PLAYOUT, Layer, Numbers, Positions, Space, join_positions
from ludens.players.one_role.table import Ancestry, KeySet

FIRST_WIDTH = 64
MOST_WIDTH = 1 << 18


class Promise(Enum):
    """What makes a position promising, beside the current goal and its nearness to the best goal."""

    CHANCE = auto()
    """Nothing else: ties are broken at random."""
    MOBILITY = auto()
    """The number of legal moves."""
    PLAYOUTS = auto()
    """The result of a random playout."""


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
        """Search; yields after each unit of work."""
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
            for part in self._space.pieces(len(layer)):
                parents, moves = self._space.moves(layer[part])
                owners = parents + part.start
                for piece in self._space.pieces(len(owners)):
                    chosen = owners[piece]
                    found.append(self._play(layer[chosen], nodes[chosen], moves[piece], ancestry, seen))
                    yield
            if not any(len(own) for _, own in found):
                return
            positions = join_positions([part for part, _ in found])
            nodes = np.concatenate([own for _, own in found])
            if len(nodes) > width:
                scores = yield from self._scores(positions, promise)
                best = np.argpartition(-scores, width)[:width]
                positions, nodes = positions[best], nodes[best]
            layer = positions.layer

    def _play(
        self, layer: Layer, nodes: Numbers, moves: Numbers, ancestry: Ancestry, seen: KeySet
    ) -> tuple[Positions, Numbers]:
        """The new nonterminal positions after these moves, and their numbers."""
        after = self._space.play(layer, moves)
        self.states += len(after)
        new = np.flatnonzero(seen.add(self._space.keys(after.layer, count=False)))
        own = ancestry.add(nodes[new], moves[new])
        ends = np.flatnonzero(after.terminal[new])
        if len(ends):
            best = ends[after.goals[new[ends]].argmax()]
            goal = int(after.goals[new[best]])
            if goal >= self._incumbent.goal:
                line = ancestry.line(int(own[best]))
                self._incumbent.offer(goal, [self._space.texts[move] for move in line], self.name)
        going = ~after.terminal[new]
        return after[new[going]], own[going]

    def _scores(self, positions: Positions, promise: Promise) -> Generator[None, None, NDArray[np.float64]]:
        scores = 1e-6 * self._rng.random(len(positions))
        for piece in self._space.pieces(len(positions)):
            part = Positions(positions.layer[piece], positions.terminal[piece], positions.goals[piece])
            scores[piece] += self._space.scores(part)
            if promise is Promise.PLAYOUTS:
                ends = self._space.playouts(part.layer)
                self.states += int((ends.moves >= 0).sum())
                scores[piece] += ends.scores
            elif promise is Promise.MOBILITY:
                owners, _ = self._space.moves(part.layer)
                scores[piece] += np.bincount(owners, minlength=len(part)) / 100
            yield
        return scores
