"""Information-set tree search on lanes: many sampled states descend the tree and are played out at once.

Nodes are information sets, by the keys of `BatchWorlds`. All lanes of a round choose by the same statistics, so each
uses Thompson sampling: it draws a value of every move from its distribution and takes the best. A lane that reaches a
node with few visits continues at random.
"""

from __future__ import annotations

import time
from random import Random

import numpy as np
from numpy.typing import NDArray

from ludens.core import BEST_GOAL, Move, Role, View, Worlds
from ludens.core.batch import Batch, BatchGame, BatchWorlds, Flags, Keys, Numbers
from ludens.players.search.information import PRIOR

LANES = 1024
"""Lanes per round."""
EXPANDED = 8
"""Visits that a node needs for lanes to descend further."""
DEEPEST = 64
"""The depth limit of the tree, in turns."""
FEW = 32
"""A round ends when less than this share of the lanes goes on: a turn costs the same for few lanes as for all."""
MEMORY = 256 * 2**20
"""Memory limit for statistics, in bytes."""
_UNTRIED = 1e6

Values = NDArray[np.float64]
Steps = list[tuple[NDArray[np.intp], int, NDArray[np.intp], Numbers]]
"""The choices of a descent: the lanes, the role, and for each lane the node and the move as a column."""


class LaneSearch:
    """Searches from one role's information set."""

    def __init__(
        self, game: BatchGame, role: Role, exploration: float, is_single: bool, cutoff: int, rng: Random
    ) -> None:
        self._game = game
        self._role = game.roles.index(role)
        self._exploration = exploration
        self._is_single = is_single
        self._cutoff = cutoff
        self._rng = np.random.default_rng(rng.randrange(2**32))
        self._batch = Batch(game, LANES, seed=rng.randrange(2**32))
        counts = [len(moves) for moves in game.move_texts[: len(game.roles)]]
        self._first = np.concatenate([[0], np.cumsum(counts)])
        """The column of each role's first move."""
        self._most = max(64, MEMORY // (int(self._first[-1]) * 24))
        self._nodes: dict[tuple[int, int], int] = {}
        self._room = 0
        columns = int(self._first[-1])
        self._tries: Values = np.zeros((0, columns))
        self._totals: Values = np.zeros((0, columns))
        self._squares: Values = np.zeros((0, columns))
        self._visits = np.zeros(0, np.int64)
        self._grow(min(self._most, 1024))
        self.iterations = 0
        """Lanes played out so far."""
        self.longest_step = 0.0
        """Duration of the longest round in seconds."""

    def _grow(self, room: int) -> None:
        """Allocate room for more nodes."""
        more = ((0, room - self._room), (0, 0))
        self._tries, self._totals = np.pad(self._tries, more), np.pad(self._totals, more)
        self._squares, self._visits = np.pad(self._squares, more), np.pad(self._visits, more[:1])
        self._room = room

    def set_root(self, view: View, worlds: Worlds) -> None:
        """Search from this view from now on, in these worlds."""
        assert isinstance(worlds, BatchWorlds)
        self._worlds = worlds
        if 2 * len(self._nodes) > self._most:
            self._nodes.clear()
            for array in (self._tries, self._totals, self._squares, self._visits):
                array[:] = 0
        self._root = int(self._node_of(worlds.particles(1).keys[:, self._role], self._role)[0])

    def run(self, seconds: float, iterations: int) -> None:
        """Search for about ``seconds``, or ``iterations`` lanes."""
        due = time.monotonic() + seconds
        self.longest_step /= 2  # decays, so that one hiccup of the machine does not count for ever
        for _ in range(-(-iterations // LANES)):
            began = time.monotonic()
            if began >= due:
                return
            self._iterate()
            self.longest_step = max(self.longest_step, time.monotonic() - began)

    @property
    def root_statistics(self) -> dict[Move, tuple[int, float]]:
        """The own moves with their numbers of visits and mean results."""
        first = int(self._first[self._role])
        found: dict[Move, tuple[int, float]] = {}
        for number, move in enumerate(self._game.move_texts[self._role]):
            tries = self._tries[self._root, first + number]
            if tries:
                found[move] = int(tries), BEST_GOAL * float(self._totals[self._root, first + number] / tries)
        return found

    # One round

    def _iterate(self) -> None:
        lanes = self._worlds.particles(LANES)
        batch = self._batch
        batch.set_states(lanes.states)
        keys = lanes.keys
        goes_on = np.ones(LANES, np.bool_)
        steps: Steps = []
        for _ in range(DEEPEST):
            goes_on &= ~batch.terminal
            if FEW * np.count_nonzero(goes_on) < LANES:
                break
            moves = batch.random_moves()
            before = len(steps)
            for number in range(len(self._game.roles)):
                self._choose(number, keys, goes_on, moves, steps)
            batch.advance(moves)
            for there, _, nodes, _ in steps[before:]:
                goes_on[there] &= self._visits[nodes] >= EXPANDED
            keys = self._worlds.keys_after(keys, batch, moves)
        found = batch.playouts(self._cutoff)
        self._back_up(steps, found.goals / BEST_GOAL, found.ended)
        self.iterations += LANES

    def _choose(self, role: int, keys: Keys, goes_on: Flags, moves: Numbers, steps: Steps) -> None:
        """Let a role choose in all lanes inside the tree that give it a choice; writes to ``moves``."""
        legal = self._batch.legal(self._game.roles[role])
        lanes = np.flatnonzero(goes_on & (legal.sum(axis=1) > 1))
        if not len(lanes):
            return
        nodes = self._node_of(keys[lanes, self._role if self._is_single else role], role)
        if (nodes < 0).any():  # there is no more room
            goes_on[lanes[nodes < 0]] = False
            lanes, nodes = lanes[nodes >= 0], nodes[nodes >= 0]
        columns = slice(int(self._first[role]), int(self._first[role + 1]))
        tries = self._tries[nodes, columns]
        some = np.maximum(tries, 1.0)
        means = self._totals[nodes, columns] / some
        spread = np.sqrt((np.maximum(self._squares[nodes, columns] / some - means**2, 0.0) + PRIOR / some) / some)
        scores = means + self._exploration * spread * self._rng.standard_normal(means.shape, np.float32)
        scores[tries == 0] += _UNTRIED
        scores[~legal[lanes]] = -np.inf
        chosen = scores.argmax(axis=1)
        moves[lanes, role] = chosen
        steps.append((lanes, role, nodes, chosen + columns.start))

    def _node_of(self, keys: Keys, role: int) -> NDArray[np.intp]:
        """The nodes of a role's information sets in lanes, created if there is room, else -1."""
        known, where = np.unique(keys, return_inverse=True)
        found = np.empty(len(known), np.intp)
        for place, key in enumerate(known.tolist()):
            node = self._nodes.get((role, key), -1)
            if node < 0 and len(self._nodes) < self._most:
                node = self._nodes[role, key] = len(self._nodes)
                if node == self._room:
                    self._grow(min(self._most, 2 * self._room))
            found[place] = node
        return found[where]

    def _back_up(self, steps: Steps, values: Values, ended: Flags) -> None:
        """Add the results of the lanes to all choices that led there."""
        for lanes, role, nodes, columns in steps:
            which = ended[lanes]
            worth = values[lanes[which], role]
            place = nodes[which], columns[which]
            np.add.at(self._tries, place, 1.0)
            np.add.at(self._totals, place, worth)
            np.add.at(self._squares, place, worth * worth)
            np.add.at(self._visits, nodes, 1)
