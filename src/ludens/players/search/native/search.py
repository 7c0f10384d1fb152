"""Tree search on batches: the tree in arrays, the loop in machine code, called for milliseconds at a time."""

from __future__ import annotations

import math
import time
from functools import cached_property

import numpy as np

from ludens.core import BEST_GOAL, Move, State
from ludens.core.batch import BatchGame
from ludens.core.block import row_array, seed_words
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.search.native.arrays import (
    DEEPEST,
    IS_FULL,
    LANES,
    NODES,
    NOTHING,
    ROOT,
    Array,
    Round,
    Rules,
    Shape,
    Tree,
    new_tree,
    nodes_in,
)
from ludens.players.search.native.hash_tables import find_link
from ludens.players.search.native.numba_code import python_function, word
from ludens.players.search.native.rounds import search
from ludens.players.search.settings import RootMove, Search, SearchSettings

_TIDYING_SECONDS = 6e-7
"""Seconds per node to make room in a full tree, before the first measurement."""
_TIDYING_RESERVE = 1.5
"""Safety factor on the last measurement."""
_SLICE_SECONDS = 0.02
"""Seconds that machine code runs between checks of the clock."""
_LEAVES = 16
"""The default number of leaves per round."""


class NativeSearch(Search):
    """Tree search whose loop is machine code."""

    def __init__(
        self, game: BatchGame, role: int, settings: SearchSettings, seed: int, weights: FluentWeights | None = None
    ) -> None:
        """With ``weights``, playouts that are cut off are scored by an evaluation."""
        self._game = game
        self._weights = np.zeros((0, len(game.roles))) if weights is None else weights.by_fluent
        self._role = role
        self._settings = settings
        self._code = game.block_code(seed)
        self._layout = self._code.layout
        self._width = -(-self._layout.fluent_rows // 64)
        self._leaves = settings.leaves or (LANES // settings.lanes if settings.lanes else _LEAVES)
        self._leaves = min(self._leaves, LANES // max(1, settings.lanes))
        self._tree = self._new_tree(seed)
        self._round = self._new_round()
        self._round_seconds = 0.0
        self._longest_round = 0.0
        self._tidying = _TIDYING_SECONDS * len(self._tree.visits)

    def _new_tree(self, seed: int) -> Tree:
        game = self._game
        highest = np.array([min(max(own, default=0), BEST_GOAL) for own in game.goal_values], np.uint8)
        # A role whose goal the rules leave out in some state gets 0 there, so that is always possible.
        goals = np.zeros(len(game.roles), np.uint8), highest
        shape = Shape(
            width=self._width,
            players=len(game.roles),
            roles=len(game.move_roles),
            moves=self._layout.move_rows,
            has_amaf=self._settings.rave > 0,
            has_links=game.facts.may_be_simultaneous or game.chance,
        )
        tree = new_tree(nodes_in(self._settings.memory, shape), shape, goals)
        tree.random[0] = seed_words(seed, 1)[0] | np.uint64(1)
        return tree

    def _new_round(self) -> Round:
        layout, leaves = self._layout, LANES
        players, roles = len(self._game.roles), len(self._game.move_roles)
        return Round(
            fluents=row_array(layout.fluent_rows),
            nexts=row_array(layout.fluent_rows),
            position=row_array(layout.position_rows),
            begins=row_array(max(1, len(self._code.phases))),
            results=row_array(layout.first_legal),
            over=row_array(1)[0],
            joint=np.zeros((leaves, roles), np.int32),
            path_nodes=np.zeros((leaves, DEEPEST + 1), np.int32),
            path_edges=np.zeros((leaves, DEEPEST + 1, roles), np.int64),
            path_drawn=np.zeros((leaves, DEEPEST + 1), np.bool_),
            edges=np.zeros(roles, np.int64),
            active=np.zeros(leaves, np.int64),
            references=np.zeros(leaves, np.int64),
            depths=np.zeros(leaves, np.int64),
            parents=np.zeros(leaves, np.int64),
            places=np.zeros(leaves, np.int64),
            same=np.zeros(leaves, np.int64),
            nodes=np.zeros(leaves, np.int64),
            fresh=np.zeros(leaves, np.bool_),
            states=np.zeros((leaves, self._width), np.uint64),
            values=np.zeros((leaves, players), np.float64),
            legal_counts=np.zeros((leaves, roles), np.int32),
            cursors=np.zeros(leaves, np.int64),
            estimates=np.zeros((LANES, players), np.float64),
        )

    def _rules(self) -> Rules:
        """The rules as arrays, with the fastest code available now."""
        code, layout, functions = self._code, self._layout, self._code.functions()
        owners, uses, odds = self._chance
        return Rules(
            advance_with=functions.advance.address,
            compute=functions.position.address,
            play_out=functions.play_out.address,
            given_code=functions.advance.code,
            position_code=functions.position.code,
            playout_code=functions.play_out.code,
            phases=len(code.phases),
            known=code.phases.known,
            present=code.phases.present,
            first_moves=np.array(layout.first_moves, np.int64),
            move_counts=np.array([len(moves) for moves in self._game.move_texts], np.int64),
            owners=owners,
            uses=uses,
            odds=odds,
            first_goal=layout.first_goal,
            first_legal=layout.first_legal,
            rng=code.rng,
            given_values=functions.advance.values,
            position_values=functions.position.values,
            playout_values=functions.play_out.values,
            first_fluent=code.first_fluent,
            weights=self._weights,
        )

    @cached_property
    def _chance(self) -> tuple[Array, Array, Array]:
        """For chance roles: owners, the moves that use their random variables, and weights."""
        game, layout = self._game, self._layout
        owners = np.full(len(game.move_roles), NOTHING, np.int64)
        uses = np.zeros((len(game.move_roles), layout.move_rows), np.bool_)
        odds = np.zeros(layout.move_rows, np.float64)
        for role, source in enumerate(game.chance_sources, start=len(game.roles)):
            odds[layout.first_moves[role] :][: len(source.weights)] = source.weights
            if source.owner is not None and source.uses is not None:
                owners[role] = source.owner
                uses[role, layout.first_moves[source.owner] :][: len(source.uses)] = source.uses
        return owners, uses, odds

    # The contract of a search

    def set_root(self, state: State, seconds: float = math.inf) -> None:
        """Search from this position from now on; the subtree below it is kept if there is time to make room."""
        packed = np.zeros(8 * self._width, np.uint8)
        bits = self._game.pack([state])[0]
        packed[: len(bits)] = bits
        self._root = packed.view(np.uint64)
        self._code.begin_at(self._root)
        if self.seconds_to_make_room > seconds:
            self._tree.table[:] = 0  # no node is found, so a new tree begins
        self._search(0)

    def run(self, seconds: float, iterations: int) -> None:
        """Search for about ``seconds``, or ``iterations`` leaves if that is less; return early once settled or full."""
        began = time.monotonic()
        rounds = -(-iterations // self._leaves)
        self._longest_round /= 2  # decays, so that one hiccup of the machine does not count for ever
        while rounds > 0 and not self.is_settled:
            left = min(seconds - (time.monotonic() - began), _SLICE_SECONDS)
            if left <= 0:
                return
            wanted = 1 if self._round_seconds == 0.0 else max(1, int(left / self._round_seconds))
            rounds -= self._run(min(wanted, rounds, 100_000))
            if self._is_full:
                return

    def _run(self, rounds: int) -> int:
        began, has_to_tidy = time.monotonic(), self._is_full
        made, playouts = self._search(rounds)
        seconds = time.monotonic() - began
        if not has_to_tidy:
            taken = seconds / max(1, made)
            self._round_seconds = taken if self._round_seconds == 0.0 else 0.7 * self._round_seconds + 0.3 * taken
            self._longest_round = max(self._longest_round, taken)
        self.playouts += playouts
        self.iterations += made * self._leaves
        self._code.note_use(made, made * self._typical_length)
        return max(1, made)

    def _search(self, rounds: int) -> tuple[int, int]:
        """Run rounds; returns how many rounds and playouts there were. 0 rounds only create the root."""
        settings = self._settings
        began, has_to_tidy = time.monotonic(), self._is_full
        found: tuple[int, int] = search(
            self._tree,
            self._rules(),
            self._round,
            self._root,
            self._role,
            rounds,
            self._leaves,
            settings.lanes,
            settings.cutoff,
            settings.exploration,
            settings.rave,
            settings.grave,
            settings.mast,
        )
        if has_to_tidy and self.nodes > 1:  # a new tree, of one node, is not full
            self._tidying = time.monotonic() - began - found[0] * self._round_seconds
        return found

    @property
    def _typical_length(self) -> int:
        """The approximate length of a playout, which decides when its code is compiled."""
        return 50

    @property
    def is_settled(self) -> bool:
        """True if the value of the root is proven for the own role."""
        root = self._tree.counters[ROOT]
        return bool(self._tree.low[root, self._role] == self._tree.high[root, self._role])

    @property
    def longest_step(self) -> float:
        """Seconds by which `run` may exceed its time limit."""
        return self._longest_round

    @property
    def seconds_to_make_room(self) -> float:
        """Seconds that `run` needs first to make room; 0 unless the tree is full."""
        return _TIDYING_RESERVE * self._tidying if self._is_full else 0.0

    @property
    def _is_full(self) -> bool:
        return bool(self._tree.counters[IS_FULL])

    @property
    def nodes(self) -> int:
        """The number of nodes in the tree."""
        return int(self._tree.counters[NODES])

    @property
    def is_joint(self) -> bool:
        """True if another role also has a choice at the root."""
        return bool(self._tree.chooser[self._tree.counters[ROOT]] < 0)

    def root_moves(self) -> list[RootMove]:
        """The own role's moves at the root, in the order of the rules."""
        tree, role = self._tree, self._role
        node = int(tree.counters[ROOT])
        found = []
        for edge in self._edges(node, role):
            low, high = int(tree.edge_low[edge]), int(tree.edge_high[edge])
            visits = int(tree.tries[edge])
            mean = float(tree.totals[edge]) / visits if visits else (low + high) / 2
            text = self._game.move_texts[role][tree.moves[edge]]
            found.append(RootMove(text, visits, min(max(mean, low), high), low, high))
        return found

    def _edges(self, node: int, role: int) -> range:
        first = int(self._tree.first[node])
        if first < 0:
            return range(0)
        counts = self._tree.counts[node]
        first += int(counts[:role].sum())
        return range(first, first + int(counts[role]))

    def line(self, move: Move) -> tuple[Move, ...]:
        """The expected line after an own move, that move first; where several roles choose, the own role's moves."""
        tree = self._tree
        node, found = int(tree.counters[ROOT]), [move]
        edges = self._edges(node, self._role)
        places = np.flatnonzero(tree.moves[edges.start : edges.stop] == self._game.move_numbers[self._role][move])
        choice: int | None = edges.start + int(places[0]) if len(places) else None
        while choice is not None and len(found) < DEEPEST:
            node = self._child(node, choice)
            if node < 0 or tree.first[node] < 0:
                break
            teller = int(tree.chooser[node]) if tree.chooser[node] >= 0 else self._role
            choice = self._favourite(node, teller)
            if choice is not None:
                found.append(self._game.move_texts[teller][tree.moves[choice]])
        return tuple(found)

    def _favourite(self, node: int, role: int) -> int | None:
        """The edge that a role would choose now: the best proven value, then the most visits."""
        tree, edges = self._tree, self._edges(node, role)
        if len(edges) < 2:
            return edges.start if edges else None
        tries = tree.tries[edges.start : edges.stop]
        sure = np.where(tries > 0, tree.edge_low[edges.start : edges.stop].astype(np.int64), -1)
        best = int(np.argmax(np.where(sure == sure.max(), tries, -1)))
        return edges.start + best if tries[best] else None

    def _child(self, node: int, choice: int) -> int:
        """The node after an edge, with the others' favourite moves if several choose; none where chance decides."""
        tree, players = self._tree, len(self._game.roles)
        if tree.chooser[node] >= 0:
            leading = int(tree.chooser[node])
            edge = choice if choice in self._edges(node, leading) else self._edges(node, leading)[0]
            return int(tree.children[edge])
        if (tree.counts[node, players:] > 1).any():
            return NOTHING
        joint = 0
        for role in range(players):
            edges = self._edges(node, role)
            answer = choice if choice in edges else self._favourite(node, role)
            if answer is None:
                return NOTHING
            joint = (joint * (len(edges) | 1) + answer - edges.start) % 2**64
        with np.errstate(over="ignore"):
            place = python_function(find_link)(tree, node, word(joint))
        return int(tree.link_children[place]) if tree.link_nodes[place] else NOTHING
