"""Best-first width search: novel positions first, then those nearest to the goal.

A position is *new* if it has a fluent, or a pair of fluents, that no position as near to the goal had before it. Most
puzzles that people write have a way to their goal on which every step is new in this sense (Lipovetzky and Geffner).
"""

from __future__ import annotations

import heapq
from collections import defaultdict, deque
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ludens.players.one_role.compiled import CompiledSpace
from ludens.players.one_role.incumbent import Incumbent
from ludens.players.one_role.space import Flags, Layer, Numbers, Positions
from ludens.players.one_role.table import Ancestry, KeySet

EXPANDED_AT_ONCE = 256
MOST_PAIRED = 1_000
"""With more fluents than this, a table of pairs is too large."""
MOST_TRUE = 64
"""With more true fluents than this, their pairs take too long to look up."""
NEARNESS_STEPS = 40
"""Levels by which scores are distinguished below one point."""


class Novelty:
    """The fluents and pairs of fluents seen so far, for each nearness to the goal."""

    def __init__(self, fluents: int) -> None:
        self._fluents = fluents
        self._single: dict[int, Flags] = defaultdict(lambda: np.zeros(fluents, np.bool_))
        self._pairs: dict[int, Flags] = defaultdict(lambda: np.zeros((fluents, fluents), np.bool_))

    def ranks(self, observation: Flags, nearness: Numbers) -> Numbers:
        """Rank positions: 1 if a fluent is new, 2 if a pair is, 3 if nothing is; then mark everything as seen."""
        found: NDArray[np.int64] = np.full(len(observation), 3, np.int64)
        for group in np.unique(nearness):
            members = np.flatnonzero(nearness == group)
            single = self._single[int(group)]
            if self._fluents <= MOST_PAIRED and observation[members[0]].sum() <= MOST_TRUE:
                self._rank_pairs(observation, members, self._pairs[int(group)], found)
            for n in members[(observation[members] & ~single).any(axis=1)]:
                if (observation[n] & ~single).any():
                    single |= observation[n]
                    found[n] = 1
        return found

    @staticmethod
    def _rank_pairs(observation: Flags, members: Numbers, pairs: Flags, found: Numbers) -> None:
        for n in members:
            true = np.flatnonzero(observation[n])
            square = np.ix_(true, true)
            if not pairs[square].all():
                pairs[square] = True
                found[n] = 2


class WidthSearch:
    """Expands novel and near positions first, some hundred at a time."""

    name = "width"

    def __init__(self, space: CompiledSpace, root: Layer, incumbent: Incumbent, megabytes: int) -> None:
        self._space = space
        self._root = root
        self._incumbent = incumbent
        self._most_nodes = megabytes * 1_000_000 // (100 + space.bytes_each())
        self._ancestry = Ancestry()
        self._seen = KeySet()
        self._open: dict[tuple[int, int], deque[tuple[Layer, Numbers]]] = {}
        self._order: list[tuple[int, int]] = []
        self._novelty = Novelty(len(space.features))
        self.states = 0
        """Positions computed so far."""

    def run(self) -> Iterator[None]:
        """Search; yields after each unit of work."""
        self._seen.add(self._space.keys(self._root, count=False))
        self._put(self._space.examine(self._root), np.zeros(1, np.int64))
        while self._order and len(self._seen) < self._most_nodes:
            layer, nodes = self._take()
            parents, moves = self._space.moves(layer)
            for part in self._space.pieces(len(parents)):
                self._play(layer[parents[part]], nodes[parents[part]], moves[part])
                yield

    def _play(self, layer: Layer, nodes: Numbers, moves: Numbers) -> None:
        after = self._space.play(layer, moves)
        self.states += len(after)
        new = np.flatnonzero(self._seen.add(self._space.keys(after.layer, count=False)))
        own = self._ancestry.add(nodes[new], moves[new])
        fresh = after[new]
        for n in np.flatnonzero(fresh.terminal & (fresh.goals >= self._incumbent.goal)):
            line = self._ancestry.line(int(own[n]))
            self._incumbent.offer(int(fresh.goals[n]), [self._space.texts[move] for move in line], self.name)
        going = np.flatnonzero(~fresh.terminal)
        if len(going):
            self._put(fresh[going], own[going])

    def _put(self, positions: Positions, nodes: Numbers) -> None:
        scores = self._space.scores(positions)
        nearness = np.floor(scores).astype(np.int64) + np.floor(NEARNESS_STEPS * (scores % 1)).astype(np.int64)
        ranks = self._novelty.ranks(self._space.observation(positions.layer), nearness)
        priorities = np.stack([ranks, -nearness], axis=1)
        for rank, distance in np.unique(priorities, axis=0):
            members = np.flatnonzero((ranks == rank) & (nearness == -distance))
            key = (int(rank), int(distance))
            if key not in self._open:
                self._open[key] = deque()
                heapq.heappush(self._order, key)
            self._open[key].append((positions.layer[members], nodes[members]))

    def _take(self) -> tuple[Layer, Numbers]:
        """Remove and return the best positions, oldest first among equals."""
        key = self._order[0]
        waiting = self._open[key]
        layers, numbers, count = [], [], 0
        while waiting and count < EXPANDED_AT_ONCE:
            layer, nodes = waiting.popleft()
            room = EXPANDED_AT_ONCE - count
            if len(nodes) > room:
                waiting.appendleft((layer[room:], nodes[room:]))
            layers.append(layer[:room])
            numbers.append(nodes[:room])
            count += len(numbers[-1])
        if not waiting:
            heapq.heappop(self._order)
            del self._open[key]
        return np.concatenate(layers), np.concatenate(numbers)
