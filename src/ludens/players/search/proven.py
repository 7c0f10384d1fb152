"""How far away the end is in a tree where the outcome is proven."""

from __future__ import annotations

from ludens.players.search.tree import UNITS, Tree

_MOST_NODES = 20_000
"""Nodes that are looked at before the answer is that it is not known."""


class ProvenPlies:
    """Joint moves to the end, if both sides play on: who gets more takes the shortest way, the other the longest."""

    def __init__(self, tree: Tree, role: int) -> None:
        self._tree = tree
        self._role = role
        self._known: dict[int, int | None] = {}

    def after(self, edge: int) -> int | None:
        """Joint moves to the end behind an edge; None if it is not proven or not known."""
        child = int(self._tree.edges["child"][edge])
        if child < 0:
            return 0 if self._tree.ends_at_once(edge) else None
        return self._of_node(child)

    def _of_node(self, node: int) -> int | None:
        if node in self._known or len(self._known) >= _MOST_NODES:
            return self._known.get(node)
        self._known[node] = None  # a way back to itself leads nowhere
        low, high = self._tree.bounds(node, self._role)
        if low == high:
            self._known[node] = self._of_proven(node, low)
        return self._known[node]

    def _of_proven(self, node: int, value: float) -> int | None:
        tree, chooser = self._tree, self._tree.chooser(node)
        edges = tree.edges_of(node, chooser) if chooser >= 0 else range(0)
        if not edges:
            return 0 if chooser >= 0 else None
        best = tree.bounds(node, chooser)[0]
        proven = [edge for edge in edges if self._is_worth(edge, value, best)]
        found = [plies for edge in proven if (plies := self.after(edge)) is not None]
        if not found:
            return None
        is_winning = (chooser == self._role) == (value > 0)
        return 1 + (min(found) if is_winning else max(found))

    def _is_worth(self, edge: int, value: float, best: float) -> bool:
        """Whether an edge keeps the proven value of its node, which is ``best`` for the player that chooses."""
        child = int(self._tree.edges["child"][edge])
        if child < 0:
            return self._tree.ends_at_once(edge) and int(self._tree.edges["low"][edge]) / UNITS == best
        low, high = self._tree.bounds(child, self._role)
        return low == high == value
