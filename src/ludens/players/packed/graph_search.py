"""Searches on packed positions in machine code: breadth-first, A*, greedy best-first and depth-first."""

from __future__ import annotations

import ctypes
import time
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from ludens.core import Move, State
from ludens.core.batch_game import BatchGame
from ludens.core.block import LANES
from ludens.players.packed.block_rules import BlockRules
from ludens.players.packed.machine import (
    BETTER,
    BREADTH,
    CROWDED,
    DEPTH,
    DISTANCE,
    EXHAUSTED,
    FULL,
    GOING_ON,
    GREEDY,
    HEAPS,
    GuideStructure,
    NoveltyStructure,
    OrderStructure,
    StoreStructure,
    machine,
)
from ludens.players.packed.relaxation import RelaxedRules
from ludens.players.packed.transport import Tokens

CHILDREN_AT_ONCE = 1_000
"""Children computed before the first look at the clock; later as many as `SECONDS_AT_ONCE` allow."""
MOST_AT_ONCE = 50_000
SECONDS_AT_ONCE = 0.01
FIRST_BUCKETS = 1 << 15
MOST_DEPTH = 5_000
NOVELTY_LEVELS = 256
PAIR_BITS = 1 << 26
QUEUED_WITH_TOKENS = 0.25
"""The share of positions that are queued at most where steps that move no token are made at once."""
DEAD = 65_535
"""The distance of a dead end."""
_ENTRY_BYTES = 16


class Policy(IntEnum):
    """The order in which positions are expanded."""

    BREADTH = BREADTH
    """Nearest to the root first."""
    DISTANCE = DISTANCE
    """A*: steps made plus steps to go in the relaxed rules."""
    GREEDY = GREEDY
    """In turns: nearest to the goal, novel and near, and any kind of position."""
    DEPTH = DEPTH
    """Deepest first."""


class Outcome(IntEnum):
    """Why a search stopped."""

    GOING_ON = GOING_ON
    BETTER = BETTER
    """A better line is there."""
    EXHAUSTED = EXHAUSTED
    """No position is left."""
    FULL = FULL
    """There is no room for more positions."""


@dataclass(frozen=True, slots=True)
class GraphSettings:
    """How to search."""

    policy: Policy
    megabytes: int
    count: bool = False
    """Whether positions that differ in counting fluents only are different."""
    mobility: int = 0
    """Depth first: 1 few legal moves first, -1 many first, 0 random."""
    at_once: int = LANES
    most_nodes: int = 2**31 - 2
    seed: int = 1
    reopens: bool = True
    """Whether positions are expanded again when a shorter way to them is found; needed where steps are short."""


class GraphSearch:
    """One search of one kind from one position."""

    def __init__(
        self,
        game: BatchGame,
        root: State,
        settings: GraphSettings,
        relaxed: RelaxedRules | None,
        tokens: Tokens | None = None,
    ) -> None:
        """With ``tokens`` or else ``relaxed``, positions are rated by them; both show dead ends, which are left out."""
        self._game, self._machine = game, machine()
        self._children = CHILDREN_AT_ONCE
        self._relaxation = None if relaxed is None else relaxed.structure()
        self._order = OrderStructure()
        self._order.policy, self._order.at_once = settings.policy, min(LANES, settings.at_once)
        self._order.mobility, self._order.evaluates = settings.mobility, bool(relaxed or tokens)
        self._order.most_depth, self._order.reopens = MOST_DEPTH - 1, settings.reopens
        counting = np.zeros(len(game.fluent_texts), np.bool_) if settings.count else game.counting_fluents
        self._rules = BlockRules(game, root, counting, settings.seed)
        self._guide = GuideStructure()
        self._transport = None if tokens is None else tokens.structure(self._rules.kept.tolist(), self._rules.width)
        for name, structure in (("relaxation", self._relaxation), ("transport", self._transport)):
            setattr(self._guide, name, None if structure is None else ctypes.addressof(structure))
        self._make_store(settings, self._rules.width, int(counting.sum()))
        self._novelty = NoveltyStructure()
        levels = NOVELTY_LEVELS if settings.policy is Policy.GREEDY else 1
        pair_bits = PAIR_BITS if settings.policy is Policy.GREEDY else 64
        self._novelty.levels, self._novelty.pair_mask = levels, pair_bits - 1
        self._novelty.hold(
            single=np.zeros((levels, 64 * self._store.width), np.uint8),
            pairs=np.zeros(pair_bits // 64, np.uint64),
            type_counts=np.zeros(levels, np.int64),
        )
        self._rules.update_code()
        self._machine.begin(*self._arguments())

    def _make_store(self, settings: GraphSettings, width: int, counting: int) -> None:
        store = StoreStructure()
        store.width = width
        heaps = {Policy.BREADTH: 0, Policy.GREEDY: HEAPS}.get(settings.policy, 1)
        times_queued = 2.0 if settings.reopens else 1.0
        if self._transport is not None and not settings.reopens:
            times_queued = QUEUED_WITH_TOKENS
        each = 8 * width + 17 + 8 + int(times_queued * heaps * _ENTRY_BYTES)
        room = min(settings.most_nodes, settings.megabytes * 1_000_000 // each) + 8 * LANES
        store.room = room
        store.heap_room = int(times_queued * room) + 8 * LANES if heaps else 0
        store.depth_room, store.counter_width = MOST_DEPTH, -(-counting // 64)
        store.best_goal, store.best_node = -1, -1
        store.random = settings.seed * 0x9E3779B97F4A7C15 % 2**64 | 1
        # Memory is taken from the system only where it is written to.
        store.hold(
            states=np.empty((room, width), np.uint64),
            parents=np.empty(room, np.int32),
            moves=np.empty(room, np.int32),
            depths=np.empty(room, np.int32),
            distances=np.empty(room, np.uint16),
            ranks=np.empty(room, np.uint16),
            closed=np.empty(room, np.uint8),
            counters=np.zeros((MOST_DEPTH, max(1, store.counter_width)), np.uint64),
        )
        self._heaps = [np.empty(_ENTRY_BYTES * store.heap_room, np.uint8) for _ in range(heaps)]
        for n, heap in enumerate(self._heaps):
            store.heaps[n] = heap.ctypes.data
        self._store = store
        self._make_table(FIRST_BUCKETS)

    def _make_table(self, buckets: int) -> None:
        self._store.bucket_mask = buckets - 1
        self._store.hold(table=np.zeros(buckets, np.int32))
        self._machine.fill_table(self._store.reference)

    def _arguments(self) -> tuple[object, ...]:
        return (
            self._rules.structure.reference,
            self._store.reference,
            self._guide.reference,
            self._novelty.reference,
            self._order.reference,
        )

    def run(self) -> Outcome:
        """Search on for about `SECONDS_AT_ONCE` of CPU time, or until the outcome is something else."""
        self._rules.update_code()
        began, children = time.thread_time(), self._children
        before = self._store.expanded
        found = self._machine.search(*self._arguments(), children)
        while found == CROWDED:
            self._make_table(4 * (self._store.bucket_mask + 1))
            found = self._machine.search(*self._arguments(), children)
        self._rules.code.note_use(max(1, (self._store.expanded - before) // 8), 0)
        if found == GOING_ON:
            slow = time.thread_time() - began > SECONDS_AT_ONCE
            self._children = max(CHILDREN_AT_ONCE, children // 2) if slow else min(2 * children, MOST_AT_ONCE)
        return Outcome(found)

    @property
    def states(self) -> int:
        """Positions computed so far."""
        return int(self._store.computed)

    def __len__(self) -> int:
        return int(self._store.count)

    @property
    def depth(self) -> int:
        """Breadth first: the number of moves to the positions that are expanded next."""
        store = self._store
        return int(store["depths"][min(store.next, store.count - 1)])

    @property
    def root_distance(self) -> int | None:
        """The estimated distance from the root to the goal; None if the goal is out of reach in the relaxed rules."""
        found = int(self._store["distances"][0])
        return None if found == DEAD else found

    @property
    def least_length(self) -> int:
        """A*: no line through a position that is not yet expanded is shorter."""
        return int(self._store.lowest)

    @property
    def goal(self) -> int:
        """The goal of the best line; -1 while there is none."""
        return int(self._store.best_goal)

    def line(self) -> list[Move]:
        """The moves of the best line."""
        store, texts = self._store, self._game.move_texts[0]
        node, found = int(store.best_node), list[Move]()
        while node > 0:
            found.append(texts[store["moves"][node]])
            node = int(store["parents"][node])
        return found[::-1]
