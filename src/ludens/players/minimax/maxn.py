"""MaxN: every role maximises its own value. Values are rows, one number per role, so nothing is cut."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ludens.core import Move
from ludens.players.evaluation.evaluators import Evaluation
from ludens.players.minimax.choice import choosers, values_for_all
from ludens.players.minimax.full_width import FullWidth
from ludens.players.minimax.tree import Node, Part, Window
from ludens.players.space.space import Key, Space


class MaxN:
    """Searches like `Tree`, at full width, for roles that each maximise their own value."""

    def __init__(self, space: Space, role: int, evaluation: Evaluation) -> None:
        self.full = FullWidth(space, evaluation.child_values, lambda joint, each: values_for_all(joint, each)[0])
        """The search at full width."""
        self._role = role

    def __len__(self) -> int:
        return 0

    def prepare(self, key: Key) -> Node:
        """The node of a position to search from."""
        found = self.full.expand([key])
        leaf = self.full.leaf(found)[:, self._role]
        return Node(found, leaf, 0, int(choosers(found.joint)[0]))

    def line(self, key: Key, depth: int) -> Iterator[Move]:
        """Nothing: no lines are kept."""
        return iter(())

    def search_moves(
        self, node: Node, order: NDArray[np.int64], depth: int, ply: int, window: Window
    ) -> Iterator[Part]:
        """Search joint moves in this order; yields them with their values for the role."""
        if depth <= 0:
            yield order, node.estimate[order], np.ones(len(order), np.bool_)
            return
        joint = node.joint
        first = np.arange(len(node.keys) + 1) if joint.first_child is None else joint.first_child
        share = np.ones(len(node.keys)) if joint.probabilities is None else joint.probabilities
        for place in order:
            children = np.arange(first[place], first[place + 1])
            values, unsure = node.leaf[children].copy(), ~node.terminal[children]
            looked = self.full.evaluate([node.keys[child] for child in children[unsure]], depth)
            values[unsure] = looked.values[:, self._role]
            unsure[unsure] = looked.open
            yield np.array([place]), np.array([values @ share[children]]), np.array([unsure.any()])
