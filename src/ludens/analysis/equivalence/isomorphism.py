"""Isomorphism of labelled graphs: colour refinement, and a choice with backtracking where colours do not decide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from ludens.core import OutOfTimeError

Colours = list[int]


@dataclass
class Graph:
    """A directed graph with coloured nodes and labelled edges."""

    colours: list[Hashable] = field(default_factory=list)
    edges: list[tuple[int, Hashable, int]] = field(default_factory=list)

    def add(self, colour: Hashable) -> int:
        """A new node."""
        self.colours.append(colour)
        return len(self.colours) - 1

    def connect(self, start: int, label: Hashable, end: int) -> None:
        """A new edge."""
        self.edges.append((start, label, end))


class Matcher:
    """Finds a mapping from the nodes of one graph to those of another that keeps colours and edges."""

    def __init__(self, left: Graph, right: Graph, most: int = 2_000) -> None:
        self._graphs = left, right
        self._near = [_neighbours(graph) for graph in self._graphs]
        self._left = most
        """Refinements that are left."""

    def match(self) -> list[int] | None:
        """The node of the right graph for each of the left; None if there is no such mapping. Raises `OutOfTimeError`
        after too many wrong choices."""
        left, right = self._graphs
        if len(left.colours) != len(right.colours) or len(left.edges) != len(right.edges):
            return None
        numbers: dict[Hashable, int] = {}
        first = [[numbers.setdefault(colour, len(numbers)) for colour in graph.colours] for graph in self._graphs]
        return self._search(first)

    def _search(self, colours: list[Colours]) -> list[int] | None:
        refined = self._refine(colours)
        if refined is None:
            return None
        classes: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for side, found in enumerate(refined):
            for node, colour in enumerate(found):
                classes[colour][side].append(node)
        large = [pair for pair in classes.values() if len(pair[0]) > 1]
        if not large:
            mapping = [0] * len(refined[0])
            for one, other in classes.values():
                mapping[one[0]] = other[0]
            return mapping if self._keeps_edges(mapping) else None
        ours, theirs = min(large, key=lambda pair: len(pair[0]))
        fresh = max(classes) + 1
        for candidate in theirs:
            self._left -= 1
            if self._left < 0:
                raise OutOfTimeError("too many mappings are possible to try them all")
            chosen = [list(refined[0]), list(refined[1])]
            chosen[0][ours[0]] = chosen[1][candidate] = fresh
            deeper = self._search(chosen)
            if deeper is not None:
                return deeper
        return None

    def _refine(self, colours: list[Colours]) -> list[Colours] | None:
        """Colours that also tell nodes apart by their neighbours; None if the graphs differ in them."""
        count = len(set(colours[0]))
        while True:
            numbers: dict[Hashable, int] = {}
            new = [
                [
                    numbers.setdefault(
                        (own, tuple(sorted((label, found[node]) for label, node in near[n]))), len(numbers)
                    )
                    for n, own in enumerate(found)
                ]
                for near, found in zip(self._near, colours, strict=True)
            ]
            if sorted(new[0]) != sorted(new[1]):
                return None
            if len(set(new[0])) == count:
                return new
            colours, count = new, len(set(new[0]))

    def _keeps_edges(self, mapping: Sequence[int]) -> bool:
        left, right = self._graphs
        moved = sorted((mapping[start], str(label), mapping[end]) for start, label, end in left.edges)
        return moved == sorted((start, str(label), end) for start, label, end in right.edges)


def _neighbours(graph: Graph) -> list[list[tuple[str, int]]]:
    """The neighbours of each node, with labels that say on which end of the edge they are."""
    found: list[list[tuple[str, int]]] = [[] for _ in graph.colours]
    for start, label, end in graph.edges:
        found[start].append((f">{label}", end))
        found[end].append((f"<{label}", start))
    return found
