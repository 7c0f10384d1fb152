"""Tree search guided by an evaluator: PUCT from one position, or from those of many matches at once.

The tree and the descents are machine code. One call of the evaluator judges the leaves of all descents of a round.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludens.core import BEST_GOAL, GameError, Move, State
from ludens.core.batch_game import PackedBits
from ludens.players.learning.games import ONE_AT_A_TIME
from ludens.players.neural.positions import Choices, Judge, Reals, Rules
from ludens.players.search.settings import RootMove, SearchSettings
from ludens.players.search.tree import Array, Shape
from ludens.players.search.tree_search import TreeSearch
from ludens.players.space.expander import Found, set_bits

EXPLORATION = 1.0
"""The weight of the policy beside values from 0 to 1."""
_VISITS_FOR_A_LEAF = 4
"""Visits of the root per leaf of a round: in a small tree, many leaves at once would be poor ones."""
_MOST_EDGES = 4
"""Room for edges per node, as a multiple of the most at a root."""
_UNLIMITED = 1 << 20
"""Megabytes, where the number of nodes is the limit."""


class NetworkSearch(TreeSearch):
    """PUCT with proofs. States are packed bits and a number that keeps the trees of several roots apart."""

    def __init__(
        self,
        rules: Rules,
        judge: Judge,
        role: int,
        *,
        at_once: int,
        exploration: float = EXPLORATION,
        megabytes: int = 256,
        nodes: int = 2**31 - 1,
        edges_per_node: int = 24,
    ) -> None:
        """At most ``at_once`` leaves are judged together; ``nodes`` limits the tree, besides its memory."""
        game = rules.game
        self._expander, self._judge, self._game = rules.expander, judge, game
        sizes = [len(moves) for moves in game.move_texts[: len(game.roles)]]
        shape = Shape(
            width=-(-rules.width // 8) + 1,
            players=len(game.roles),
            roles=len(game.roles),
            moves=sum(sizes),
            has_amaf=False,
            has_links=False,
            has_mixes=False,
            has_priors=True,
            edges_per_node=edges_per_node,
            most_nodes=nodes,
        )
        highest = [min(max(own, default=0), BEST_GOAL) for own in game.goal_values]
        settings = SearchSettings(
            exploration, rave=0.0, grave=0, mast=False, cutoff=0, lanes=0, leaves=at_once, memory=megabytes
        )
        super().__init__(shape, highest, (np.cumsum(sizes) - sizes).tolist(), role, at_once, settings, seed=0)
        self._at_once, self._leaves = at_once, 1
        self.roots: NDArray[np.int64] = np.zeros(0, np.int64)
        """The node of each root."""

    @classmethod
    def at_each(cls, rules: Rules, judge: Judge, roots: Choices, descents: int) -> NetworkSearch:
        """A search from each of some positions, with room for so many descents from each."""
        edges = _MOST_EDGES * (int(roots.counts.max()) + len(rules.game.roles))
        nodes, count = len(roots) * (descents + 1), len(roots)
        found = cls(rules, judge, 0, at_once=count, megabytes=_UNLIMITED, nodes=nodes, edges_per_node=edges)
        found._begin_at(roots.packed)
        found._round.hold(roots=found.roots)
        return found

    def descend_each(self) -> None:
        """Descend once from each root."""
        self._iterate(len(self.roots))

    def add_noise(self, rng: np.random.Generator, share: float, total: float = 10.0) -> None:
        """Mix Dirichlet noise into the policy of the roots, so that every move is explored."""
        for root in self.roots:
            policy = self._policy_at(root)
            if len(policy) > 1:
                policy[:] = (1 - share) * policy + share * rng.dirichlet(np.full(len(policy), total / len(policy)))

    def shares(self) -> Reals:
        """The share of visits of each move of each root, in one long row; where a root is proven, only of its best."""
        return np.concatenate([self._shares_at(int(root)) for root in self.roots])

    def root_policy(self) -> Reals:
        """The evaluator's policy of the moves at the root."""
        return self._policy_at(self._tree.root)

    def root_value(self) -> float:
        """The evaluator's value of the root for the own role, 0 to 100."""
        return float(self._tree.structure["means"][self._tree.root, 1 + self._role])

    @property
    def longest_step(self) -> float:
        """Seconds by which `run` may exceed its time limit."""
        return self._at_once * super().longest_step

    # What a search adds

    def _find(self, state: State) -> bool:
        key = np.zeros((1, self._tree.structure.width), np.uint64)
        key.view(np.uint8)[:, : self._game.packed_width] = self._game.pack([state])
        return bool(self._machine.find(self._tree.structure.reference, key.ctypes.data))

    def _plant(self, state: State) -> None:
        self._begin_at(self._game.pack([state]))

    def _begin_at(self, packed: PackedBits) -> None:
        """Begin a tree at each of some positions."""
        rows = np.arange(len(packed))
        self._write(rows, self._expander.at(packed), rows)
        self._machine.plant(self._tree.structure.reference, self._round.reference, len(packed))
        self._evaluate(len(packed))
        self.roots = self._round["nodes"][: len(packed)].copy()

    def _grow(self, rounds: int) -> int:
        made = 0
        while made < rounds and not self.is_settled and not self._tree.is_full:
            visits = self._tree.visits(self._tree.root)
            count = min(self._at_once, rounds - made, 1 + visits // _VISITS_FOR_A_LEAF)
            self._iterate(count)
            made += count
        return made

    def _text(self, role: int, number: int) -> Move:
        return self._game.move_texts[role][number]

    # One round

    def _iterate(self, count: int) -> None:
        tree, rules, given, settings = (
            part.reference for part in (self._tree.structure, self._rules, self._round, self._settings)
        )
        self._settings.leaves = count
        self._machine.descend(tree, rules, given, settings)
        parents = self._round["parents"][:count]
        new = np.flatnonzero((parents >= 0) & (self._round["same"][:count] < 0))
        if len(new):
            before = self._tree.structure["states"][parents[new]]
            packed = before.view(np.uint8)[:, : self._game.packed_width]
            self._write(new, self._expander.after(packed, self._round["joint"][new]), before[:, -1])
        self._machine.make_nodes(tree, given, count)
        self._evaluate(count)
        self._machine.take_values(tree, given, count)
        self._machine.back_up(tree, rules, given, settings)

    def _write(self, rows: Array, found: Found, salts: Array) -> None:
        """Write positions to rows of the round."""
        given, over = self._round, found.terminal | found.stuck
        given["states"].view(np.uint8)[rows, : self._game.packed_width] = found.packed
        given["states"][rows, -1] = salts
        given["ended"][rows] = over
        given["goals"][rows] = found.goals
        counts = np.where(over[:, None], 0, found.counts)
        given["legal_counts"][rows] = counts
        total = counts.sum(axis=1)
        given["offsets"][rows] = np.cumsum(total) - total
        legal = found.stack_legal()
        legal[over] = 0
        moves = set_bits(legal.reshape(len(legal), -1)) % (8 * legal.shape[2])
        given["moves"][: len(moves)] = moves

    def _evaluate(self, count: int) -> None:
        """Judge the new leaves: priors for their edges, values for their nodes."""
        given, tree = self._round, self._tree
        which = np.flatnonzero(given["fresh"][:count] > given["ended"][:count])
        if not len(which):
            return
        nodes = given["nodes"][which]
        chooser, first = tree.choosers_and_edges(nodes)
        if (chooser < 0).any():
            raise GameError(f"{self._game.name} has simultaneous choices; {ONE_AT_A_TIME}")
        legal = given["legal_counts"][which]
        counts = legal[np.arange(len(which)), chooser]
        before = (np.cumsum(legal, axis=1) - legal)[np.arange(len(which)), chooser]
        moves = given["moves"][_ranges(given["offsets"][which] + before, counts)]
        packed = given["states"].view(np.uint8)[which, : self._game.packed_width]
        policy, values = self._judge(Choices(packed, chooser, counts, moves))
        has_edges = first >= 0
        places = _ranges((first + before)[has_edges], counts[has_edges])
        tree.structure["priors"][places] = policy[np.repeat(has_edges, counts)]
        tree.structure["means"][nodes, 0] = 1.0
        tree.structure["means"][nodes, 1:] = BEST_GOAL * values

    def _policy_at(self, root: int) -> Reals:
        edges = self._tree.edges_of(root, self._tree.chooser(root))
        found: Reals = self._tree.structure["priors"][edges.start : edges.stop]
        return found

    def _shares_at(self, root: int) -> Reals:
        chooser = self._tree.chooser(root)
        edges = self._tree.edges_of(root, chooser)
        here = self._tree.edges[edges.start : edges.stop]
        low, high = self._tree.bounds(root, chooser)
        weights = here["tries"].astype(np.float32)
        if high - low <= RootMove.CLOSE:
            best = here["low"] == here["low"].max()
            weights = weights * best if weights[best].any() else best.astype(np.float32)
        found: Reals = weights / weights.sum()
        return found


def _ranges(first: Array, counts: Array) -> NDArray[np.int64]:
    """Numbers from each first one on, as many as counted, in one long row."""
    starts = np.cumsum(counts, dtype=np.int64) - counts
    return np.repeat(first - starts, counts) + np.arange(int(counts.sum()))
