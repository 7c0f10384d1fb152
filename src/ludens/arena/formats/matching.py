"""Maximum matching in a graph (Edmonds' blossom algorithm)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

_NOBODY = -1


def maximum_matching(neighbours: Sequence[Sequence[int]]) -> list[int]:
    """For each vertex its partner in a largest set of disjoint edges, or -1."""
    partner = [_NOBODY] * len(neighbours)
    for vertex, near in enumerate(neighbours):
        if partner[vertex] == _NOBODY:
            free = next((other for other in near if partner[other] == _NOBODY), _NOBODY)
            if free != _NOBODY:
                partner[vertex], partner[free] = free, vertex
    for vertex in range(len(neighbours)):
        if partner[vertex] == _NOBODY:
            _Growth(neighbours, partner).augment(vertex)
    return partner


def has_perfect_matching(neighbours: Sequence[Sequence[int]]) -> bool:
    """True if all vertices can be paired."""
    return _NOBODY not in maximum_matching(neighbours)


class _Growth:
    """A search for an augmenting path: between free vertices, alternating edges outside and inside the matching."""

    def __init__(self, neighbours: Sequence[Sequence[int]], partner: list[int]) -> None:
        size = len(neighbours)
        self._neighbours = neighbours
        self._partner = partner
        self._parent = [_NOBODY] * size
        self._base = list(range(size))
        """The vertex that represents a contracted odd cycle, a blossom."""
        self._reached = [False] * size
        self._queue: deque[int] = deque()

    def augment(self, root: int) -> None:
        """Match the root, if there is an augmenting path, by flipping the edges on it."""
        end = self._path_end(root)
        while end != _NOBODY:
            before = self._parent[end]
            following = self._partner[before]
            self._partner[end], self._partner[before] = before, end
            end = following

    def _path_end(self, root: int) -> int:
        self._reached[root] = True
        self._queue.append(root)
        while self._queue:
            vertex = self._queue.popleft()
            for other in self._neighbours[vertex]:
                if self._base[vertex] == self._base[other] or self._partner[vertex] == other:
                    continue
                is_inner = self._partner[other] != _NOBODY and self._parent[self._partner[other]] != _NOBODY
                if other == root or is_inner:
                    self._contract(vertex, other)
                elif self._parent[other] == _NOBODY:
                    self._parent[other] = vertex
                    if self._partner[other] == _NOBODY:
                        return other
                    self._reach(self._partner[other])
        return _NOBODY

    def _reach(self, vertex: int) -> None:
        if not self._reached[vertex]:
            self._reached[vertex] = True
            self._queue.append(vertex)

    def _contract(self, vertex: int, other: int) -> None:
        """Contract an odd cycle to one vertex, so that a path can enter and leave it anywhere."""
        base = self._common_base(vertex, other)
        in_blossom = [False] * len(self._base)
        self._mark(vertex, base, other, in_blossom)
        self._mark(other, base, vertex, in_blossom)
        for member in range(len(self._base)):
            if in_blossom[self._base[member]]:
                self._base[member] = base
                self._reach(member)

    def _common_base(self, vertex: int, other: int) -> int:
        passed = set()
        while True:
            vertex = self._base[vertex]
            passed.add(vertex)
            if self._partner[vertex] == _NOBODY:
                break
            vertex = self._parent[self._partner[vertex]]
        while (other := self._base[other]) not in passed:
            other = self._parent[self._partner[other]]
        return other

    def _mark(self, vertex: int, base: int, child: int, in_blossom: list[bool]) -> None:
        while self._base[vertex] != base:
            in_blossom[self._base[vertex]] = in_blossom[self._base[self._partner[vertex]]] = True
            self._parent[vertex] = child
            child = self._partner[vertex]
            vertex = self._parent[child]
