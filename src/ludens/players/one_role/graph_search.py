"""Searches on packed positions in machine code: breadth-first, A*, greedy best-first and depth-first."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from ludens.core import Move, State
from ludens.core.batch import BatchGame, Flags
from ludens.core.block import LANES, row_array
from ludens.players.one_role.machine import (
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
    NoveltyStructure,
    OrderStructure,
    RulesStructure,
    StoreStructure,
    machine,
)
from ludens.players.one_role.relaxation import RelaxedRules

CHILDREN_AT_ONCE = 20_000
"""Children computed between two looks at the clock."""
FIRST_BUCKETS = 1 << 15
PAIR_ROOM = 1 << 17
MOST_DEPTH = 5_000
NOVELTY_LEVELS = 256
PAIR_BITS = 1 << 26
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


class GraphSearch:
    """One search of one kind from one position."""

    def __init__(self, game: BatchGame, root: State, settings: GraphSettings, relaxed: RelaxedRules | None) -> None:
        """With ``relaxed``, positions are rated by the relaxed rules, and dead ends are left out."""
        self._game, self._machine = game, machine()
        self._code = game.block_code(settings.seed)
        self._relaxation = None if relaxed is None else relaxed.structure()
        self._order = OrderStructure()
        self._order.policy, self._order.at_once = settings.policy, min(LANES, settings.at_once)
        self._order.mobility, self._order.evaluates = settings.mobility, relaxed is not None
        self._order.most_depth = MOST_DEPTH - 1
        bits = np.unpackbits(game.pack([root]), count=len(game.fluent_texts), bitorder="little").view(np.bool_)
        counting = np.zeros_like(bits) if settings.count else game.counting_fluents
        kept = game.changing_fluents & ~counting
        self._make_rules(bits, kept, counting)
        self._make_store(settings, int(kept.sum()), int(counting.sum()))
        self._novelty = NoveltyStructure()
        levels = NOVELTY_LEVELS if settings.policy is Policy.GREEDY else 1
        pair_bits = PAIR_BITS if settings.policy is Policy.GREEDY else 64
        self._novelty.levels, self._novelty.pair_mask = levels, pair_bits - 1
        self._novelty.hold(
            single=np.zeros((levels, 64 * self._store.width), np.uint8),
            pairs=np.zeros(pair_bits // 64, np.uint64),
            type_counts=np.zeros(levels, np.int64),
        )
        self._update_code()
        self._machine.begin(*self._arguments())

    def _make_rules(self, bits: Flags, kept: Flags, counting: Flags) -> None:
        layout, rules = self._code.layout, RulesStructure()
        rules.fluent_rows, rules.first_goal = layout.fluent_rows, layout.first_goal
        rules.first_legal, rules.move_count = layout.first_legal, len(self._game.move_texts[0])
        rules.kept_count, rules.counting_count = int(kept.sum()), int(counting.sum())
        rules.pair_room = max(PAIR_ROOM, rules.move_count + 1)
        fluents, fixed = row_array(layout.fluent_rows), row_array(layout.fluent_rows)
        fluents[: len(bits)][bits] = 2**64 - 1
        fixed[: len(bits)][bits & ~kept & ~counting] = 2**64 - 1
        width = max(1, -(-rules.kept_count // 64))
        rules.hold(
            rng=self._code.rng,
            first_moves=np.array(layout.first_moves, np.int64),
            kept=np.flatnonzero(kept).astype(np.int32),
            counting=np.flatnonzero(counting).astype(np.int32),
            fluents=fluents,
            nexts=row_array(layout.fluent_rows),
            seen=row_array(layout.position_rows),
            idle=row_array(1),
            packed=np.zeros((LANES, width), np.uint64),
            joint=np.zeros(LANES, np.int32),
            owners=np.zeros(LANES, np.int32),
            pairs=np.zeros((rules.pair_room, 2), np.int32),
            fixed=fixed,
        )
        self._rules = rules

    def _make_store(self, settings: GraphSettings, kept: int, counting: int) -> None:
        store = StoreStructure()
        store.width = width = max(1, -(-kept // 64))
        heaps = {Policy.BREADTH: 0, Policy.GREEDY: HEAPS}.get(settings.policy, 1)
        each = 8 * width + 17 + 8 + 2 * heaps * _ENTRY_BYTES
        room = min(settings.most_nodes, settings.megabytes * 1_000_000 // each) + 8 * LANES
        store.room = room
        store.heap_room = 2 * room if heaps else 0
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
        relaxation = None if self._relaxation is None else self._relaxation.reference
        return (
            self._rules.reference,
            self._store.reference,
            relaxation,
            self._novelty.reference,
            self._order.reference,
        )

    def _update_code(self) -> None:
        """Use the fastest code that is there by now."""
        rules, functions = self._rules, self._code.functions()
        rules.position, rules.position_code = functions.position.address, functions.position.code
        rules.advance, rules.advance_code = functions.advance.address, functions.advance.code
        rules.hold(position_values=functions.position.values, advance_values=functions.advance.values)

    def run(self, children: int = CHILDREN_AT_ONCE) -> Outcome:
        """Search on, until about so many children are computed or the outcome is something else."""
        self._update_code()
        before = self._store.expanded
        found = self._machine.search(*self._arguments(), children)
        while found == CROWDED:
            self._make_table(4 * (self._store.bucket_mask + 1))
            found = self._machine.search(*self._arguments(), children)
        self._code.note_use(max(1, (self._store.expanded - before) // 8), 0)
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
