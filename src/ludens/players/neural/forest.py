"""PUCT on many trees at once, in arrays: one call of the network evaluates the leaves of all descents of a round.

A visit is counted on the way down and its value added on the way up, so a descent whose leaf is not evaluated yet
looks like a loss to the next one of the same tree (virtual loss), which then goes elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludens.players.neural.positions import Positions, Reals, Rules

EXPLORATION = 1.0
"""The weight of the policy beside values from 0 to 1."""
UNTRIED_PENALTY = 0.15
"""By how much untried moves are rated below their position's value."""
_UNMADE = -1

Judge = Callable[[Positions], tuple[Reals, Reals]]
"""Returns the policy of each move of some positions, move by move, and the value of each position for each role, 0 to 1
(positions, roles)."""
_Level = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Descents, by number, and the edges that they took."""

_EDGE = np.dtype([("move", "i4"), ("prior", "f4"), ("visits", "f4"), ("total", "f4"), ("child", "i8"), ("owner", "i8")])


def _node_type(width: int, roles: int) -> np.dtype[np.void]:
    fields: list[Any] = [
        ("packed", "u1", (width,)),
        ("over", "?"),
        ("value", "f4", (roles,)),
        ("chooser", "i4"),
        ("joint", "i4", (roles,)),
        ("first", "i8"),
        ("count", "i4"),
        ("visits", "i4"),
    ]
    return np.dtype(fields)


@dataclass(slots=True)
class _Descents:
    """One descent in each tree."""

    levels: list[_Level]
    nodes: NDArray[np.int64]
    """The node where each ended; the parent of its leaf where that is new."""
    edges: NDArray[np.int64]
    """The edge to the new leaf; -1 where it ended in a terminal position."""


class Forest:
    """Trees that grow together, one for each root."""

    def __init__(self, rules: Rules, judge: Judge, roots: Positions, exploration: float = EXPLORATION) -> None:
        self._rules = rules
        self._judge = judge
        self._exploration = exploration
        self.nodes = 0
        """Positions in all trees."""
        self._edges_used = 0
        self._nodes = np.zeros(len(roots), _node_type(rules.width, roots.shares.shape[1]))
        self._edges = np.zeros(len(roots.moves), _EDGE)
        self.roots = self._add(roots)
        """The node of each root."""

    def grow(self, waves: int = 1) -> None:
        """Descend ``waves`` times in every tree, and evaluate all new leaves together."""
        descents = [self._descend() for _ in range(waves)]
        edges = np.concatenate([wave.edges for wave in descents])
        new = np.unique(edges[edges != _UNMADE])
        if len(new):
            parents = self._nodes[self._edges["owner"][new]]
            joint = parents["joint"]
            joint[np.arange(len(new)), parents["chooser"]] = self._edges["move"][new]
            self._edges["child"][new] = self._add(self._rules.after(parents["packed"], joint))
        for wave in descents:
            made = wave.edges != _UNMADE
            wave.nodes[made] = self._edges["child"][wave.edges[made]]
            self._back_up(wave)

    def add_noise(self, rng: np.random.Generator, share: float, total: float = 10.0) -> None:
        """Mix Dirichlet noise into the policy of the roots, so that every move is explored."""
        for root in self.roots:
            edges = self.moves_at(root)
            if len(edges) > 1:
                noise = rng.dirichlet(np.full(len(edges), total / len(edges)))
                edges["prior"] = (1 - share) * edges["prior"] + share * noise

    def moves_at(self, node: int) -> NDArray[np.void]:
        """The chooser's moves in a node: ``move``, ``prior``, ``visits``, ``total`` of values, ``child`` or -1."""
        first = self._nodes["first"][node]
        return self._edges[first : first + self._nodes["count"][node]]

    def value_at(self, node: int) -> Reals:
        """The value of a node for each role, by the network or the end of the match."""
        found: Reals = self._nodes["value"][node]
        return found

    def packed_at(self, node: int) -> bytes:
        """The bits of a node's position."""
        return bytes(self._nodes["packed"][node])

    # Inside

    def _descend(self) -> _Descents:
        nodes = self.roots.copy()
        edges = np.full(len(nodes), _UNMADE, np.int64)
        levels: list[_Level] = []
        lanes = np.flatnonzero(~self._nodes["over"][nodes])
        while len(lanes):
            here = nodes[lanes]
            taken = self._choose_edges(here)
            self._edges["visits"][taken] += 1
            self._nodes["visits"][here] += 1
            levels.append((lanes, taken))
            after = self._edges["child"][taken]
            made = after != _UNMADE
            edges[lanes[~made]] = taken[~made]
            lanes, after = lanes[made], after[made]
            nodes[lanes] = after
            lanes = lanes[~self._nodes["over"][after]]
        return _Descents(levels, nodes, edges)

    def _choose_edges(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """The edge with the best PUCT score in each node."""
        here = self._nodes[nodes]
        counts = here["count"][:, None]
        places = np.arange(int(counts.max()))
        numbers = here["first"][:, None] + np.minimum(places, counts - 1)
        edges = self._edges[numbers]
        visits = edges["visits"]
        untried = here["value"][np.arange(len(nodes)), here["chooser"]] - UNTRIED_PENALTY
        means = np.where(visits > 0, edges["total"] / np.maximum(visits, 1), untried[:, None])
        weight = self._exploration * np.sqrt(here["visits"] + 1.0)
        promise = means + weight[:, None] * edges["prior"] / (1 + visits)
        promise[places >= counts] = -np.inf
        found: NDArray[np.int64] = numbers[np.arange(len(nodes)), promise.argmax(axis=1)]
        return found

    def _back_up(self, wave: _Descents) -> None:
        values = self._nodes["value"][wave.nodes]
        for lanes, edges in wave.levels:
            chooser = self._nodes["chooser"][self._edges["owner"][edges]]
            self._edges["total"][edges] += values[lanes, chooser]

    def _add(self, found: Positions) -> NDArray[np.int64]:
        """Evaluate positions and add nodes for them; returns their numbers."""
        going = np.flatnonzero(~found.over)
        values = found.shares.copy()
        priors: Reals = np.zeros(0, np.float32)
        if len(going):
            priors, values[going] = self._judge(found if len(going) == len(found) else found.select(~found.over))
        numbers = self.nodes + np.arange(len(found))
        self._nodes = _enlarge(self._nodes, self.nodes + len(found))
        self._edges = _enlarge(self._edges, self._edges_used + len(found.moves))
        nodes = self._nodes[self.nodes : self.nodes + len(found)]
        nodes["packed"], nodes["over"], nodes["value"] = found.packed, found.over, values
        nodes["chooser"], nodes["joint"], nodes["count"] = found.chooser, found.joint, found.counts
        nodes["first"] = self._edges_used + np.cumsum(found.counts) - found.counts
        edges = self._edges[self._edges_used : self._edges_used + len(found.moves)]
        edges["move"], edges["prior"], edges["child"] = found.moves, priors, _UNMADE
        edges["owner"] = np.repeat(numbers, found.counts)
        self.nodes += len(found)
        self._edges_used += len(found.moves)
        return numbers


def _enlarge(array: NDArray[np.void], needed: int) -> NDArray[np.void]:
    if needed <= len(array):
        return array
    larger = np.zeros(2 * needed, array.dtype)
    larger[: len(array)] = array
    return larger
