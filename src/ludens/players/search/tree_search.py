"""Tree search in machine code: upper confidence bounds, regret matching where players choose at once, and proofs.

`source/` has the tree, the choices and the proofs. A search adds where states come from and what leaves are worth:
`BlockSearch` computes both in machine code, `StateSearch` on the State contract, `NetworkSearch` (`players/neural`) by
batches and an evaluator.
"""

from __future__ import annotations

import math
import time
from abc import abstractmethod
from collections.abc import Collection, Sequence

import numpy as np

from ludens.core import Move, State
from ludens.core.block import seed_words
from ludens.players.search.machine import machine
from ludens.players.search.proven import ProvenPlies
from ludens.players.search.settings import RootMove, Search, SearchSettings
from ludens.players.search.tree import (
    DEEPEST,
    NOTHING,
    UNITS,
    RulesStructure,
    SettingsStructure,
    Shape,
    Tree,
    new_round,
    nodes_in,
)

_TIDYING_SECONDS = 6e-7
"""Seconds per node to make room in a full tree, before the first measurement."""
_TIDYING_RESERVE = 1.5
"""Safety factor on the last measurement."""
_SLICE_SECONDS = 0.02
"""Seconds that rounds run between checks of the clock."""
_DETOURS = 0.1
"""The share of random choices where players choose at once."""


class TreeSearch(Search):
    """A search whose tree is in arrays. Not to be shared between threads."""

    def __init__(
        self,
        shape: Shape,
        highest: list[int],
        first_moves: list[int],
        role: int,
        leaves: int,
        settings: SearchSettings,
        seed: int,
    ) -> None:
        self._role = role
        self._leaves = leaves
        self._machine = machine()
        start = int(seed_words(seed, 1)[0])
        self._tree = Tree(nodes_in(settings.memory, shape), shape, highest, first_moves, start)
        self._round = new_round(leaves, shape)
        self._rules = RulesStructure()
        self._settings = SettingsStructure(
            leaves=leaves,
            lanes=settings.lanes,
            cutoff=settings.cutoff,
            exploration=settings.exploration,
            rave=settings.rave,
            grave=settings.grave,
            mast=settings.mast,
            role=role,
            lookahead=settings.lookahead,
            minimax=settings.minimax,
            detours=_DETOURS,
        )
        self._round_seconds = 0.0
        self._longest_round = 0.0
        self._tidying = _TIDYING_SECONDS * self._tree.structure.node_room
        self._deepest = 0
        self._only: frozenset[Move] | None = None
        self._repeated: tuple[State, ...] = ()
        """The states that end the match because of what was played before."""

    # What a search adds

    @abstractmethod
    def _find(self, state: State) -> bool:
        """Move the root to the state's node, if there is one."""

    @abstractmethod
    def _plant(self, state: State) -> None:
        """Begin a new tree at a state."""

    @abstractmethod
    def _grow(self, rounds: int) -> int:
        """Run rounds until the root is settled or the tree is full; returns how many there were."""

    @abstractmethod
    def _text(self, role: int, number: int) -> Move:
        """The text of a role's move."""

    # The contract of a search

    def set_root(self, state: State, seconds: float = math.inf, only: Collection[Move] | None = None) -> None:
        """Search from this position from now on; the subtree below it is kept if there is time to make room.

        A search among some of the moves, or after a new repetition of positions, begins a new tree: the values of
        another one do not hold there.
        """
        self._deepest = 0
        wanted = None if only is None else frozenset(only)
        repeated = self._repetitions(state)
        is_new = wanted is not None or wanted != self._only or repeated != self._repeated
        self._only, self._repeated = wanted, repeated
        if is_new or self.seconds_to_make_room > seconds or not self._find(state):
            self._plant(state)
            self._end(repeated)
            if wanted is not None:
                self._keep_edges(wanted)
        elif self._tree.is_full:
            self._make_room()

    def _repetitions(self, state: State) -> tuple[State, ...]:
        """States that end the match by repetition, if the search cannot see that by itself."""
        return ()

    def _end(self, states: Sequence[State]) -> None:
        """Give states nodes where the match is over."""

    def _keep_edges(self, wanted: frozenset[Move]) -> None:
        """Keep only some of the own role's edges at a new root."""
        tree, node = self._tree, self._tree.root
        roles = [tree.edges_of(node, role) for role in range(tree.roles)]
        kept = [edge for edge in roles[self._role] if self._text_at(self._role, edge) in wanted]
        if not kept:
            return
        order = [edge for role, edges in enumerate(roles) for edge in (kept if role == self._role else edges)]
        tree.reorder_edges(node, order, self._role, len(kept))

    def _make_room(self) -> None:
        began = time.monotonic()
        self._machine.make_room(self._tree.structure.reference)
        self._end(self._repeated)
        self._tidying = time.monotonic() - began

    def run(self, seconds: float, iterations: int) -> None:
        """Search for about ``seconds``, or ``iterations`` leaves if that is less; return early once settled or full."""
        began = time.monotonic()
        rounds = -(-iterations // self._leaves)
        self._longest_round /= 2  # decays, so that one hiccup of the machine does not count for ever
        if self._tree.is_full:
            self._make_room()
        while rounds > 0 and not self.is_settled and not self._tree.is_full:
            left = min(seconds - (time.monotonic() - began), _SLICE_SECONDS)
            if left <= 0:
                return
            wanted = 1 if self._round_seconds == 0.0 else max(1, int(left / self._round_seconds))
            rounds -= self._run_rounds(min(wanted, rounds, 100_000))

    def _run_rounds(self, rounds: int) -> int:
        began = time.monotonic()
        made = self._grow(rounds)
        taken = (time.monotonic() - began) / max(1, made)
        self._round_seconds = taken if self._round_seconds == 0.0 else 0.7 * self._round_seconds + 0.3 * taken
        self._longest_round = max(self._longest_round, taken)
        self.iterations += made * self._leaves
        self._deepest = max(self._deepest, int(self._round["depths"].max()))
        return max(1, made)

    @property
    def is_settled(self) -> bool:
        """True if the value of the root is proven for the own role."""
        low, high = self._tree.bounds(self._tree.root, self._role)
        return high - low <= RootMove.CLOSE

    @property
    def longest_step(self) -> float:
        """Seconds by which `run` may exceed its time limit."""
        return self._longest_round

    @property
    def seconds_to_make_room(self) -> float:
        """Seconds that `run` needs first to make room; 0 unless the tree is full."""
        return _TIDYING_RESERVE * self._tidying if self._tree.is_full else 0.0

    @property
    def nodes(self) -> int:
        """The number of nodes in the tree."""
        return self._tree.nodes

    @property
    def deepest(self) -> int:
        """The longest descent since the root was set, in joint moves."""
        return self._deepest

    @property
    def fill(self) -> float:
        """The share of the room for nodes that is taken."""
        return self._tree.nodes / int(self._tree.structure.node_room)

    def plies_to_end(self, move: Move) -> int | None:
        """Joint moves until the game ends after an own move whose value is proven; None if that is not known.

        The side that wins takes the shortest way that is proven, the other the longest.
        """
        edges = self._tree.edges_of(self._tree.root, self._role)
        choice = next((edge for edge in edges if self._text_at(self._role, edge) == move), None)
        if choice is None or self._tree.chooser(self._tree.root) < 0:
            return None
        own = self._tree.edges_of(self._tree.root, self._tree.chooser(self._tree.root))
        plies = ProvenPlies(self._tree, self._role).after(choice if choice in own else own.start)
        return None if plies is None else plies + 1

    def root_moves(self) -> list[RootMove]:
        """The own role's moves at the root, in the order of the rules."""
        tree, node = self._tree, self._tree.root
        mix = tree.mix(node, self._role)
        edges = tree.edges_of(node, self._role)
        found = []
        for place, number in enumerate(edges):
            edge = tree.edges[number]
            low, high, visits = int(edge["low"]) / UNITS, int(edge["high"]) / UNITS, int(edge["tries"])
            if len(edges) == 1:  # its bounds may be kept by a role that has no choice either
                low, high = tree.bounds(node, self._role)
            mean = float(edge["total"]) / visits if visits else (low + high) / 2
            share = None if mix is None else float(mix[place])
            text = self._text(self._role, int(edge["move"]))
            found.append(RootMove(text, visits, min(max(mean, low), high), low, high, share))
        return found

    def line(self, move: Move) -> tuple[Move, ...]:
        """The expected line after an own move, that move first; where several roles choose, the own role's moves."""
        tree = self._tree
        node, found = tree.root, [move]
        choice = next(
            (edge for edge in tree.edges_of(node, self._role) if self._text_at(self._role, edge) == move), None
        )
        while choice is not None and len(found) < DEEPEST:
            node = self._child(node, choice)
            if node < 0:
                break
            teller = tree.chooser(node) if tree.chooser(node) >= 0 else self._role
            choice = self._favourite(node, teller)
            if choice is not None:
                found.append(self._text_at(teller, choice))
        return tuple(found)

    def _text_at(self, role: int, edge: int) -> Move:
        return self._text(role, int(self._tree.edges["move"][edge]))

    def _favourite(self, node: int, role: int) -> int | None:
        """The edge that a role would choose now: the best proven value, then the most visits."""
        tree = self._tree
        edges = tree.edges_of(node, role)
        if len(edges) < 2:
            return edges.start if edges else None
        here = tree.edges[edges.start : edges.stop]
        is_known = (here["tries"] > 0) | (here["low"] == here["high"])
        sure = np.where(is_known, here["low"].astype(np.int64), -1)
        best = int(np.argmax(np.where(sure == sure.max(), here["tries"], -1)))
        return edges.start + best if is_known[best] else None

    def _child(self, node: int, choice: int) -> int:
        """The node after an edge, with the others' favourite moves if several choose; none where chance decides."""
        tree = self._tree
        chooser = tree.chooser(node)
        if chooser >= 0:
            edges = tree.edges_of(node, chooser)
            return int(tree.edges["child"][choice if choice in edges else edges.start]) if edges else NOTHING
        joint = 0
        for role in range(tree.roles):
            edges = tree.edges_of(node, role)
            if role >= tree.players and len(edges) > 1:
                return NOTHING
            answer = choice if choice in edges else self._favourite(node, role) if len(edges) > 1 else edges.start
            if answer is None:
                return NOTHING
            joint = (joint * (len(edges) | 1) + answer - edges.start) % 2**64
        return int(self._machine.child(tree.structure.reference, node, joint))
