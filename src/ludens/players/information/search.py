"""Information-set Monte-Carlo tree search: nodes are what a role knows, not states.

Each descent begins with a state sampled from the searching role's information set. Nodes stand for what a role has
perceived, so statistics of a move are gathered over all states that the role cannot distinguish. With *multiple
observers* every role has its own tree and chooses by what it would know; with a *single observer* all choices are kept
in the searching role's tree, as if others knew no more.

One State descends at a time, choosing by upper confidence bounds. Where the game is compiled, many lanes descend at
once and choose by the same statistics, so each draws a value of every move from its distribution and takes the best
(Thompson sampling).
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.core import BEST_GOAL, Deadline, Move, OutOfTimeError, View
from ludens.core.batch_game import Numbers
from ludens.players.information.descents import Descents
from ludens.players.information.sets import InformationSets, Values

DEEPEST = 64
"""The depth limit of the tree, in turns."""
FEW = 32
"""A round ends when less than this share of the lanes goes on: a turn costs the same for few lanes as for all."""


@dataclass(frozen=True, slots=True)
class InformationSettings:
    """How to search."""

    exploration: float
    """The weight of the exploration term, in standard deviations."""
    is_single: bool
    """Keep all choices in the searching role's tree."""
    matches_regrets: bool = False
    """In every other round, learn a strategy that mixes: by regret matching in sets of all roles, from the beginning of
    the game, since what others believe depends on all that the searching role might have."""


class InformationSearch:
    """Searches from one role's information set."""

    def __init__(self, role: int, descents: Descents, settings: InformationSettings, seed: int) -> None:
        """``descents`` also values the leaves."""
        self._role = role
        self._is_single = settings.is_single
        self._descents = descents
        self._sets = InformationSets(settings.exploration, descents.width > 1, descents.expanded, seed)
        self._mixed = InformationSets(0.0, False, 0, seed + 1) if settings.matches_regrets else None
        self._rounds = 0
        self.iterations = 0
        """Leaves evaluated so far."""
        self.deadline = Deadline(math.inf)
        """When a playout of a State is given up."""
        self.longest_step = 0.0
        """Duration of the longest round in seconds, decaying, so that one hiccup of the machine does not count for
        ever."""

    def set_root(self, view: View) -> None:
        """Search from this view, which the worlds have observed, from now on."""
        for sets in (self._sets, self._mixed):
            if sets is not None:
                sets.clear_if_half_full()
        self._descents.set_root(view)
        self._root = self._descents.root_key

    def run(self, seconds: float, iterations: int) -> None:
        """Search for about ``seconds``, or ``iterations`` leaves."""
        due = time.monotonic() + seconds
        self.longest_step /= 2
        for _ in range(-(-iterations // self._descents.width)):
            began = time.monotonic()
            if began >= due:
                return
            try:
                if self._mixed is not None and self._rounds % 2:
                    self._learn(self._mixed, self._rounds // 2 % self._descents.roles)
                else:
                    self._iterate()
                self._rounds += 1
            except OutOfTimeError:
                return
            self.longest_step = max(self.longest_step, time.monotonic() - began)

    @property
    def root_statistics(self) -> dict[Move, tuple[int, float]]:
        """The searching role's moves with their numbers of visits and mean results."""
        return {
            self._descents.move_text(self._role, edge.move): (edge.tries, BEST_GOAL * edge.mean)
            for edge in self._sets.statistics(self._role, self._root)
        }

    @property
    def lower_bounds(self) -> dict[Move, float]:
        """For the searching role's moves the mean result, less its standard error."""
        return {
            self._descents.move_text(self._role, edge.move): BEST_GOAL * (edge.mean - edge.error)
            for edge in self._sets.statistics(self._role, self._root)
        }

    @property
    def root_strategy(self) -> dict[Move, float]:
        """How likely the mean strategy of regret matching chooses each move; empty without one."""
        found = {} if self._mixed is None else self._mixed.strategy(self._role, self._root)
        return {self._descents.move_text(self._role, move): share for move, share in found.items()}

    def _learn(self, sets: InformationSets, learner: int) -> None:
        """One round from the beginning of the game, in which one role learns its regrets, and the others choose by
        theirs (external sampling of the others, outcome sampling of its own choices)."""
        lanes = self._descents
        lanes.begin_game()
        goes_on = np.ones(lanes.width, np.bool_)
        path: list[tuple[NDArray[np.intp], Numbers, Values]] = []
        for _ in range(DEEPEST):
            goes_on &= ~lanes.over
            if FEW * np.count_nonzero(goes_on) < lanes.width:
                break
            lanes.begin_turn()
            stopped = []
            for role in range(lanes.roles):
                choices = lanes.choices(role, role, goes_on)
                if choices is None:
                    continue
                places, edges, descends, chances = sets.mix(role, choices, role == learner)
                lanes.set_moves(role, choices, places)
                stopped.append(choices.lanes[~descends])
                if role == learner:
                    path.append((choices.lanes, edges, chances))
            lanes.end_turn()
            for stop in stopped:
                goes_on[stop] = False
        values = lanes.results(self.deadline)[:, learner].copy()
        for where, edges, chances in reversed(path):
            own = values[where]
            sets.learn(edges, chances, own)
            values[where] = own
        self.iterations += lanes.width

    def _iterate(self) -> None:
        """One round: every lane descends, and is played out from its leaf."""
        lanes = self._descents
        lanes.begin()
        goes_on = np.ones(lanes.width, np.bool_)
        path: list[tuple[int, NDArray[np.intp], Numbers]] = []
        for _ in range(DEEPEST):
            goes_on &= ~lanes.over
            if FEW * np.count_nonzero(goes_on) < lanes.width:
                break
            lanes.begin_turn()
            stopped = []
            is_leaf = False
            for role in (self._role,) if lanes.has_sensible_playouts else range(lanes.roles):
                choices = lanes.choices(role, self._role if self._is_single else role, goes_on)
                if choices is None:
                    continue
                is_new = lanes.has_own_playouts and role != self._role and self._sets.is_new(role, int(choices.keys[0]))
                places, edges, descends = self._sets.choose(role, choices)
                if is_new:  # playouts know better than a random choice what this role does here
                    is_leaf = True
                    self._sets.back_up(edges, np.full(len(edges), np.nan))
                    continue
                lanes.set_moves(role, choices, places)
                path.append((role, choices.lanes, edges))
                stopped.append(choices.lanes[~descends])
            if is_leaf:
                break
            lanes.end_turn()
            if lanes.has_sensible_playouts:
                break
            for stop in stopped:
                goes_on[stop] = False
        results = lanes.results(self.deadline)
        for role, where, edges in path:
            self._sets.back_up(edges, results[where, role])
        self.iterations += lanes.width
