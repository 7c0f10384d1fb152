"""Alpha-beta for one role against all others; the last plies are computed at full width in batches.

A batch computes hundreds of positions as fast as one, so cutting pays only between batches: the upper plies are
searched node by node with bounds, a transposition table and ordered moves, the last plies by `FullWidth`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ludens.core import Move
from ludens.players.minimax.choice import BEST, NO_CHOICE, SEVERAL, choosers, value_for_one
from ludens.players.minimax.full_width import FullWidth
from ludens.players.space.space import Expansion, Flags, JointMoves, Key, Values

CHILDREN_IN_TABLE = 2_000_000
"""The table is cleared when its nodes have this many children, about 500 MB."""
KILLERS = 2
"""Killer moves remembered for each ply."""

Window = Callable[[], tuple[float, float]]
"""Returns the current alpha and beta."""
Part = tuple[NDArray[np.int64], Values, Flags]
"""Some joint moves of a node, their values, and which of these rest on estimates."""


def full_window() -> tuple[float, float]:
    """The window without cuts."""
    return -math.inf, math.inf


class Node:
    """A position in the tree, its children, and bounds on its value."""

    __slots__ = (
        "best",
        "chooser",
        "depth",
        "estimate",
        "high",
        "joint",
        "keys",
        "leaf",
        "low",
        "open",
        "over",
        "terminal",
    )

    def __init__(self, found: Expansion, leaf: Values, position: int, chooser: int) -> None:
        joint = found.joint
        begin, end = int(joint.first[position]), int(joint.first[position + 1])
        children = slice(begin, end)
        first_child = probabilities = None
        if joint.first_child is not None and joint.probabilities is not None:
            children = slice(int(joint.first_child[begin]), int(joint.first_child[end]))
            first_child = joint.first_child[begin : end + 1] - children.start
            probabilities = joint.probabilities[children]
        self.joint = JointMoves(
            joint.counts[position : position + 1],
            np.array([0, end - begin], np.int64),
            joint.moves[begin:end],
            first_child,
            probabilities,
        )
        self.chooser = chooser
        self.keys: Sequence[Key] = found.keys[children]
        self.terminal: Flags = found.terminal[children]
        self.leaf: Values = leaf[children]
        self.estimate = self.joint.expected_values(self.leaf)
        """The estimated value of each joint move."""
        self.over: Flags = self.terminal
        """Which joint moves end the match for every outcome of chance."""
        if first_child is not None:
            self.over = np.logical_and.reduceat(self.terminal, first_child[:-1])
        self.depth = 0
        """The depth of the bounds, in plies."""
        self.low, self.high = -math.inf, math.inf
        self.open = True
        """Whether the bounds rest on estimates."""
        self.best = -1
        """The best joint move, if one was searched."""


class Tree:
    """Searches positions for one role, with a transposition table."""

    def __init__(self, full: FullWidth, role: int, *, cut: bool = True, star: bool = True) -> None:
        self._full = full
        self._role = role
        self._cut = cut
        self._star = star and cut
        self._table: dict[Key, Node] = {}
        self._children_in_table = 0
        self._history = [defaultdict[int, float](float) for _ in full.space.roles]
        self._killers: defaultdict[int, list[int]] = defaultdict(list)
        self.tail = 0
        """The number of last plies that are searched at full width."""

    def __len__(self) -> int:
        return len(self._table)

    def prepare(self, key: Key) -> Node:
        """The node of a position to search from; also sets the number of plies at full width."""
        node = self._nodes([key])[0]
        branching = max(2.0, self._full.branching, len(node.keys))
        leaves = self._full.space.leaves_at_once
        self.tail = 0 if leaves == 1 else max(1, int(math.log(leaves) / math.log(branching)))
        for counts in self._history:
            for move in counts:
                counts[move] /= 8
        return node

    def line(self, key: Key, depth: int) -> Iterator[Move]:
        """The best moves from a position on, as far as the table knows."""
        for _ in range(depth):
            node = self._table.get(key)
            if node is None or node.best < 0 or node.joint.first_child is not None:
                return
            if node.chooser >= 0:
                yield self._full.space.move(node.chooser, int(node.joint.moves[node.best, node.chooser]))
            key = node.keys[node.best]

    def search(self, node: Node, depth: int, alpha: float, beta: float, ply: int) -> tuple[float, bool]:
        """The value of a node at ``depth`` plies, exact inside the window; and whether it rests on estimates."""
        if node.depth >= depth or not node.open:
            if node.low >= beta or node.low == node.high:
                return node.low, node.open
            if node.high <= alpha:
                return node.high, node.open
        if node.chooser == SEVERAL:
            value, unsure = self._search_simultaneous(node, depth, ply)
            window = (-math.inf, math.inf)
        else:
            value, unsure = self._search_choice(node, depth, alpha, beta, ply)
            window = (alpha, beta)
        node.depth, node.open = depth, unsure
        node.low = value if value > window[0] else -math.inf
        node.high = value if value < window[1] else math.inf
        return value, unsure

    def _search_simultaneous(self, node: Node, depth: int, ply: int) -> tuple[float, bool]:
        """The value of simultaneous choices, which needs the values of all joint moves."""
        values, unsure = node.estimate.copy(), ~node.over
        for part, found, estimated in self.search_moves(node, np.flatnonzero(unsure), depth - 1, ply + 1, full_window):
            values[part], unsure[part] = found, estimated
        return float(value_for_one(node.joint, values, self._role)[0]), bool(unsure.any())

    def _search_choice(self, node: Node, depth: int, alpha: float, beta: float, ply: int) -> tuple[float, bool]:
        """The value for the role that chooses; stops as soon as it is outside the window."""
        sign = 1.0 if node.chooser in {self._role, NO_CHOICE} else -1.0
        low, high = (alpha, beta) if sign > 0 else (-beta, -alpha)
        best, unsure = -math.inf, False
        over = np.flatnonzero(node.over)
        if len(over):
            worth = sign * node.estimate[over]
            node.best = int(over[worth.argmax()])
            best = float(worth.max())
            if best >= high and self._cut:
                return sign * best, False
        order = self._order(node, ply, sign)

        def window() -> tuple[float, float]:
            reached = max(low, best) if self._cut else -math.inf
            return (reached, high) if sign > 0 else (-high, -reached)

        for part, found, estimated in self.search_moves(node, order, depth - 1, ply + 1, window):
            worth = sign * found
            place = int(worth.argmax())
            unsure = unsure or bool(estimated.any())
            if worth[place] > best:
                best, node.best = float(worth[place]), int(part[place])
            if best >= high and self._cut:
                self._note_cut(node, depth, ply)
                break
        return sign * best, unsure

    def search_moves(
        self, node: Node, order: NDArray[np.int64], depth: int, ply: int, window: Window
    ) -> Iterator[Part]:
        """Search joint moves in this order; yields a few at a time, with values and whether these are estimates."""
        if depth <= 0:
            if len(order):
                yield order, node.estimate[order], np.ones(len(order), np.bool_)
            return
        at_once = 2 * self._full.space.leaves_at_once
        size = max(1, int(at_once / self._full.branching ** max(1, min(depth, self.tail))))
        if node.joint.first_child is not None:
            if depth <= self.tail:
                yield from self._expected_in_batch(node, order, depth, size)
                return
            for place in order.tolist():
                value, unsure = self._expected_value(node, place, depth, ply, *window())
                yield np.array([place]), np.array([value]), np.array([unsure])
            return
        for begin in range(0, len(order), size):
            part = order[begin : begin + size]
            keys = [node.keys[place] for place in part]
            if depth <= self.tail:
                looked = self._full.evaluate(keys, depth)
                yield part, looked.values, looked.open
                continue
            for place, child in zip(part, self._nodes(keys), strict=True):
                value, unsure = self.search(child, depth, *window(), ply)
                yield np.array([place]), np.array([value]), np.array([unsure])

    def _expected_in_batch(self, node: Node, order: NDArray[np.int64], depth: int, size: int) -> Iterator[Part]:
        """Search joint moves with chance at full width, about ``size`` children at a time."""
        first = node.joint.first_child
        assert first is not None
        outcomes = np.diff(first)[order]
        for part in np.split(order, np.flatnonzero(np.diff(np.cumsum(outcomes) // size)) + 1):
            children = np.concatenate([np.arange(first[place], first[place + 1]) for place in part])
            values, unsure = node.leaf.copy(), ~node.terminal
            going = children[unsure[children]]
            number: dict[Key, int] = {}
            ids = [number.setdefault(node.keys[place], len(number)) for place in going.tolist()]
            looked = self._full.evaluate(list(number), depth)
            values[going], unsure[going] = looked.values[ids], looked.open[ids]
            yield part, node.joint.expected_values(values)[part], np.logical_or.reduceat(unsure, first[:-1])[part]

    def _expected_value(
        self, node: Node, place: int, depth: int, ply: int, alpha: float, beta: float
    ) -> tuple[float, bool]:
        """The expected value of a joint move over its outcomes, likely ones first.

        Star1 (Ballard 1983): outcomes not searched yet are worth between 0 and 100. That gives each outcome a window of
        its own, and often the mean is outside the window before all outcomes are known. Star2 would gain nothing: it
        probes one move after each outcome, and expanding a position here computes all its children.
        """
        assert node.joint.first_child is not None
        assert node.joint.probabilities is not None
        begin, end = node.joint.first_child[place : place + 2].tolist()
        likely = node.joint.probabilities[begin:end]
        over = node.terminal[begin:end]
        known = float((likely * node.leaf[begin:end])[over].sum())
        left = float(likely[~over].sum())
        going = begin + np.flatnonzero(~over)
        unsure = False
        if self.tail:
            self._nodes([node.keys[outcome] for outcome in going])  # one batch takes as long as one node
        for outcome in going[np.argsort(-node.joint.probabilities[going], kind="stable")].tolist():
            share = float(node.joint.probabilities[outcome])
            left = max(0.0, left - share)
            low, high = -math.inf, math.inf
            if self._star:
                low, high = (alpha - known - BEST * left) / share, (beta - known) / share
                if low >= BEST:
                    return known + BEST * (left + share), unsure
                if high <= 0:
                    return known, unsure
            value, estimated = self.search(self._nodes([node.keys[outcome]])[0], depth, low, high, ply)
            known += share * value
            unsure = unsure or estimated
            if value <= low:
                return known + BEST * left, unsure
            if value >= high:
                return known, unsure
        return known, unsure

    def _order(self, node: Node, ply: int, sign: float) -> NDArray[np.int64]:
        """The nonterminal joint moves, most promising first: the best so far, killers, history, the estimate."""
        going = np.flatnonzero(~node.over)
        if len(going) < 2:
            return going
        moves = node.joint.moves[going, node.chooser].tolist()
        history = self._history[node.chooser]
        promise = np.array([history.get(move, 0.0) for move in moves]) + sign * node.estimate[going] / BEST
        for killer in self._killers[ply]:
            promise[np.array(moves) == killer] += 1e9
        promise[going == node.best] += 1e12
        found: NDArray[np.int64] = going[np.argsort(-promise, kind="stable")]
        return found

    def _note_cut(self, node: Node, depth: int, ply: int) -> None:
        move = int(node.joint.moves[node.best, node.chooser])
        self._history[node.chooser][move] += depth * depth
        killers = self._killers[ply]
        if move not in killers:
            killers.insert(0, move)
            del killers[KILLERS:]

    def _nodes(self, keys: Sequence[Key]) -> list[Node]:
        """The nodes of positions; new ones are created in one batch."""
        found = {key: node for key in keys if (node := self._table.get(key)) is not None}
        new = list(dict.fromkeys(key for key in keys if key not in found))
        if new:
            if self._children_in_table > CHILDREN_IN_TABLE:
                self._table.clear()
                self._children_in_table = 0
            expansion = self._full.expand(new)
            leaf = self._full.leaf(expansion)
            for position, (key, chooser) in enumerate(zip(new, choosers(expansion.joint).tolist(), strict=True)):
                found[key] = self._table[key] = Node(expansion, leaf, position, chooser)
            self._children_in_table += len(expansion.keys)
        return [found[key] for key in keys]
