"""Retrograde analysis in machine code: all positions of a small game, with the exact value and distance of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ludens.core import GameError, JointMove, State, joint_moves
from ludens.core.batch_game import BatchGame
from ludens.players.packed.block_rules import BlockRules
from ludens.players.packed.machine import RetrogradeStructure, retrograde_machine

CHILDREN_AT_ONCE = 50_000
"""Children computed between two looks at the clock."""
UNKNOWN = 255
"""The outcome of positions from which nobody can force an end."""
ANYBODY = 2
_FIRST_BUCKETS = 1 << 16
_MOST_OUTCOMES = 254
_MOST_NODES = 2**31 - 2
_PAIRS = 1 << 17
_EDGE_BYTES = 8
_NODE_BYTES = 50
"""Bytes of a node in addition to its state."""


class Progress(IntEnum):
    """How far the enumeration is."""

    FOUND_MORE = 0
    FOUND_ALL = 1
    NO_ROOM = 2
    FEW_BUCKETS = 3
    CHOOSING_AT_ONCE = 4
    NO_MOVE = 5
    MANY_OUTCOMES = 6


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match may end."""

    goals: tuple[int, ...]
    """The goal of each role."""

    @property
    def margin(self) -> int:
        """The first role's goal, less the second's: what the first role maximises and the second minimises."""
        return self.goals[0] - sum(self.goals[1:])


class Retrograde:
    """All positions after a state, numbered in the order of discovery; the state itself is 0.

    Play that never ends counts as a draw: no goal for one role, equal goals for two.
    """

    def __init__(self, state: State, megabytes: int) -> None:
        """Raises `GameError` if the game is of another kind; ``megabytes`` limit the memory."""
        game = state.game
        if not isinstance(game, BatchGame):
            raise GameError(f"{game.name} is not compiled, and tables need compiled rules")
        if len(game.roles) > 2 or game.chance or game.hidden:
            raise GameError(f"tables are for one or two roles without chance and hidden information, not {game.name}")
        self._game, self._root, self._machine = game, state, retrograde_machine()
        self._rules = BlockRules(game, state, np.zeros(len(game.fluent_texts), np.bool_), seed=1)
        self.megabytes = megabytes
        """The limit of memory."""
        self._table = self._make_table(len(game.roles))
        self._make_buckets(_FIRST_BUCKETS)
        self._rules.update_code()
        self._machine.begin(self._rules.structure.reference, self._table.reference)

    def _make_table(self, roles: int) -> RetrogradeStructure:
        table, room = RetrogradeStructure(), self.megabytes * 1_000_000
        table.width, table.roles = self._rules.width, roles
        table.node_bytes, table.edge_bytes, table.byte_room = 8 * table.width + _NODE_BYTES, _EDGE_BYTES, room
        table.node_room = min(_MOST_NODES, room // table.node_bytes + 1)
        table.edge_room = room // _EDGE_BYTES + 1
        counts = [len(moves) for moves in self._game.move_texts]
        table.pair_room = max(_PAIRS, *counts)
        # Memory is taken from the system only where it is written to.
        table.hold(
            states=np.empty((table.node_room, table.width), np.uint64),
            outcomes=np.empty(table.node_room, np.uint8),
            choosers=np.empty(table.node_room, np.uint8),
            first_edges=np.zeros(table.node_room + 1, np.int64),
            children=np.empty(table.edge_room, np.int32),
            goals=np.zeros((_MOST_OUTCOMES, 2), np.int32),
            move_counts=np.array(counts, np.int64),
            pair_owners=np.empty(table.pair_room, np.int32),
            pair_moves=np.empty(table.pair_room, np.int32),
        )
        return table

    def _make_buckets(self, buckets: int) -> None:
        self._table.bucket_mask = buckets - 1
        self._table.hold(buckets=np.zeros(buckets, np.int32))
        self._machine.fill_buckets(self._table.reference)

    def __len__(self) -> int:
        return int(self._table.count)

    @property
    def edges(self) -> int:
        """Moves from one position to another, found so far."""
        return int(self._table.edges)

    def enumerate(self) -> Iterator[None]:
        """Find all positions; yields from time to time. Raises `GameError` if that is impossible."""
        while (found := self._enumerate_some()) is not Progress.FOUND_ALL:
            self._check(found)
            yield

    def _enumerate_some(self) -> Progress:
        self._rules.update_code()
        before = int(self._table.computed)
        references = self._rules.structure.reference, self._table.reference
        found = Progress(self._machine.enumerate(*references, CHILDREN_AT_ONCE))
        if found is Progress.FEW_BUCKETS:
            self._make_buckets(2 * (self._table.bucket_mask + 1))
            found = Progress.FOUND_MORE
        self._rules.code.note_use(max(1, (int(self._table.computed) - before) // 32), 0)
        return found

    def _check(self, found: Progress) -> None:
        name = self._game.name
        if found is Progress.NO_ROOM:
            raise GameError(
                f"{name} has too many positions for a table within {self.megabytes:,} MB: {len(self):,} with "
                f"{self.edges:,} moves so far; --memory sets the limit"
            )
        if found is Progress.MANY_OUTCOMES:
            raise GameError(f"{name} has more than {_MOST_OUTCOMES} different results")
        if found in (Progress.CHOOSING_AT_ONCE, Progress.NO_MOVE):
            what = {
                Progress.CHOOSING_AT_ONCE: "both roles choose at once, and tables are for games in turns",
                Progress.NO_MOVE: "a role cannot move although the match is not over",
            }[found]
            moves = [" ".join(joint.values()) for joint in self._path_to(int(self._table.failed))]
            where = f"after {', '.join(moves[-20:])}" if moves else "at the beginning"
            raise GameError(f"{name} has no table: {what}, {where}")

    def _path_to(self, node: int) -> list[JointMove]:
        """Joint moves that lead to a position."""
        table, nodes = self._table, [node]
        while nodes[-1]:
            edge = int((table["children"][: table.edges] == nodes[-1]).argmax())
            nodes.append(int(np.searchsorted(table["first_edges"][: table.next], edge, side="right")) - 1)
        state, found = self._root, list[JointMove]()
        for number in nodes[-2::-1]:
            row = table["states"][number]
            found.append(next(move for move in joint_moves(state) if (self._row(state.play(move)) == row).all()))
            state = state.play(found[-1])
        return found

    def _row(self, state: State) -> NDArray[np.uint64]:
        bits = np.unpackbits(self._game.pack([state])[0], bitorder="little")[self._rules.kept]
        row = np.zeros(8 * self._rules.width, np.uint8)
        packed = np.packbits(bits, bitorder="little")
        row[: len(packed)] = packed
        return row.view(np.uint64)

    def evaluate(self) -> None:
        """Find the value and the distance of every position. Raises `GameError` if the roles' goals are not opposed."""
        table, count = self._table, len(self)
        outcomes = self.outcomes
        by_margin = sorted(range(len(outcomes)), key=lambda number: outcomes[number].margin)
        self._check_opposition([outcomes[number] for number in by_margin])
        table.hold(
            first_parents=np.empty(count + 1, np.int64),
            parents=np.empty(max(1, self.edges), np.int32),
            pending=np.empty(count, np.int32),
            distances=np.empty(count, np.int32),
            line=np.empty(count, np.int32),
            buckets=np.zeros(1, np.int32),
        )
        self._machine.list_parents(table.reference)
        for number in sorted(by_margin, key=lambda number: -abs(outcomes[number].margin)):
            margin = outcomes[number].margin
            player = ANYBODY if margin == 0 else 0 if margin > 0 else 1
            self._machine.attract(table.reference, number, player)
        table.hold(first_parents=None, parents=None, children=None, first_edges=None, pending=None, line=None)

    def _check_opposition(self, outcomes: list[Outcome]) -> None:
        """Raise `GameError` unless what is better for one role is worse for the other."""
        for worse, better in pairwise(outcomes):
            falls = len(better.goals) > 1 and better.goals[1] > worse.goals[1]
            if better.goals[0] < worse.goals[0] or falls or better.margin == worse.margin:
                both = " and ".join(":".join(map(str, each.goals)) for each in (worse, better))
                raise GameError(f"{self._game.name} has no table: its goals are not opposed, as in results {both}")

    @property
    def outcomes(self) -> list[Outcome]:
        """How matches end, by numbers."""
        table, roles = self._table, len(self._game.roles)
        return [Outcome(tuple(map(int, row[:roles]))) for row in table["goals"][: table.outcome_count]]

    @property
    def fluents(self) -> list[str]:
        """The fluents that positions consist of: one for each bit."""
        return [self._game.fluent_texts[number] for number in self._rules.kept.tolist()]

    @property
    def states(self) -> NDArray[np.uint64]:
        """The packed positions (positions, words)."""
        found: NDArray[np.uint64] = self._table["states"][: len(self)]
        return found

    @property
    def values(self) -> NDArray[np.uint8]:
        """The number of the outcome of each position under perfect play; `UNKNOWN` if play never ends."""
        found: NDArray[np.uint8] = self._table["outcomes"][: len(self)]
        return found

    @property
    def distances(self) -> NDArray[np.int32]:
        """Joint moves to the end: winners hurry and losers delay; in draws, the fewest that give nothing away.

        -1 where play never ends.
        """
        found: NDArray[np.int32] = self._table["distances"][: len(self)]
        return found
