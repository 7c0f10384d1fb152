"""What a position is worth for every role if all play perfectly, proved."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from ludens.core import GameError, JointMove, Move, Role, State
from ludens.core.batch import LANES, Batch
from ludens.players.evaluation.evaluators import Mobility
from ludens.players.minimax.backup import Backup, back_up
from ludens.players.minimax.choice import BEST, SEVERAL, choosers, value_for_one
from ludens.players.minimax.full_width import FullWidth
from ludens.players.minimax.root import Root
from ludens.players.minimax.tree import Tree
from ludens.players.space.choose import space_of
from ludens.players.space.compiled import CompiledSpace
from ludens.players.space.contract import may_go_on
from ludens.players.space.graph import Graph
from ludens.players.space.space import Expansion, Numbers, Space, Values

PLAYOUT_SHARE = 0.1
"""The part of the budget for random playouts of one-role games, any of which may happen to be a solution."""
PLAYOUTS_AT_ONCE = 4 * LANES
LONGEST_PLAYOUT = 1_000
ENUMERATION_SHARE = 0.3
"""The part of the budget for all positions of two roles that share a total, before alpha-beta tries with fewer."""
GROWTH_SHARE = 0.8
"""Of what is left of the budget: for finding positions. The rest is for carrying values back."""
SHOWN_TURNS = 20
"""Turns that are told of the way to a position, the last ones."""
GUESS = Mobility()
"""What orders moves in alpha-beta; guesses never decide."""


class _BudgetSpent(Exception):  # noqa: N818 - not an error
    """Unwinds the search."""


class _StuckError(Exception):
    """A role cannot move in a state that is not terminal, somewhere behind the positions that are listed."""


class _NoTotalError(Exception):
    """Goals do not add up to the same everywhere, so there is no one value to look for."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What is known of a position."""

    bounds: Mapping[Role, tuple[float, float]]
    """The least and the most that each role gets under perfect play."""
    exact: bool
    """True if that is one value for each role."""
    nodes: int
    """Children that were computed."""
    positions: int
    """Different positions among them."""
    seconds: float
    """Time spent."""
    best: Mapping[Role, tuple[Move, ...]] = field(default_factory=dict)
    """The moves that keep the value, for the role that chooses; empty if they are not known or several choose."""
    note: str = ""
    """How the value was found, or why not, in a few words."""
    unplayable: str = ""
    """If the rules leave a role without a move in a state that is not terminal: who it is and where, in a sentence.

    Then nothing is exact: the goals in such states are taken for their values, but no match can end there.
    """

    @property
    def values(self) -> dict[Role, float | None]:
        """The value for each role; None where only bounds are known."""
        return {role: low if self.exact else None for role, (low, _) in self.bounds.items()}

    def as_json(self) -> dict[str, Any]:
        """The solution as JSON values."""
        return {
            "values": {role: value if value is None else round(value, 6) for role, value in self.values.items()},
            "exact": self.exact,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
            "positions": self.positions,
            "bounds": {role: [round(low, 6), round(high, 6)] for role, (low, high) in self.bounds.items()},
            "best": {role: list(map(str, moves)) for role, moves in self.best.items()},
            "note": self.note,
            "unplayable": self.unplayable or None,
        }


class Solver:
    """Solves one position within a budget of seconds, from when the game's code is made; ``progress`` is told how it
    stands from time to time."""

    def __init__(self, state: State, budget: float, progress: Callable[[str], None] = lambda text: None) -> None:
        if state.game.hidden:
            raise GameError(
                f"{state.game.name} hides something from its roles, so positions have no values of their own"
            )
        self._state = state
        self._roles = state.game.roles
        self._budget = budget
        self._progress = progress
        self._space = space_of(state.game)
        if not state.is_terminal and may_go_on(state):
            self._space.prepare()
        self._began = time.monotonic()
        self._nodes = 0

    def solve(self) -> Solution:
        """Find the value of the position, or bounds on it."""
        if self._state.is_terminal:
            goals = self._state.goals
            bounds = {role: (float(goals[role]), float(goals[role])) for role in self._roles}
            return self._solution(bounds, exact=True, positions=1, note="the match is over")
        if not may_go_on(self._state):
            unknown = dict.fromkeys(self._roles, (0.0, BEST))
            found = self._solution(unknown, exact=False, positions=1, note="nothing can be played")
            return replace(found, unplayable=_told_stuck(self._state, []))
        space = self._space
        if self._is_search:
            return self._solve_alone(space)
        if (total := self._total(space)) is not None:
            with suppress(_NoTotalError):
                return self._solve_shared(space, total)
        return self._enumerated(space, self._budget)[0]

    def _solve_shared(self, space: Space, total: float) -> Solution:
        """Two roles that share a total: all positions if they are few, or alpha-beta. Raises `_NoTotalError`."""
        found, complete = self._enumerated(space, ENUMERATION_SHARE * self._budget, total)
        if complete:
            return found
        if found.unplayable:
            return found
        try:
            return self._depth_first(space, total) or replace(found, nodes=self._nodes, seconds=self._seconds())
        except _StuckError:
            where = f"behind {found.positions:,} positions that were looked at first"
            return replace(found, unplayable=f"a role cannot move somewhere {where}, and the state is not terminal")

    def _enumerated(self, space: Space, end: float, total: float | None = None) -> tuple[Solution, bool]:
        """What the positions say that are found by then, seconds from the beginning; and whether these are all."""
        graph = Graph(space, self._state)
        self._grow(graph, end)
        if total is not None:
            _check_total(graph.goals[graph.terminal], total)
        return self._carried_back(graph, end), graph.complete

    @property
    def _is_search(self) -> bool:
        """Whether any way to the highest goal is a proof: for one role, where nothing is left to chance."""
        return len(self._roles) == 1 and not self._state.game.chance

    def _total(self, space: Space) -> float | None:
        """What goals of two roles may always add up to, by the values that the rules name; None if they cannot.

        Nor with chance: alpha-beta proves little there, and the whole budget is better spent on all positions.
        """
        if not isinstance(space, CompiledSpace) or len(self._roles) != 2 or self._state.game.chance:
            return None
        first, second = map(set, space.game.goal_values)
        total = max(first, default=0) + min(second, default=0)
        return float(total) if {total - value for value in first} == second else None

    def _batch(self, space: CompiledSpace) -> Batch:
        """Many times the position."""
        batch = Batch(space.game, PLAYOUTS_AT_ONCE, seed=0)
        batch.set_states([self._state])
        return batch

    def _solve_alone(self, space: Space) -> Solution:
        """One role: whatever reaches the highest goal is a proof, and random playouts are the fastest to try."""
        highest = _highest_goal(space)
        best = self._playouts(space) if isinstance(space, CompiledSpace) else 0.0
        if best >= highest:
            return self._solved_by_one(highest, "a random playout reaches it")
        graph = Graph(space, self._state)
        self._grow(graph, self._budget)
        if graph.best_goal_seen(0) >= highest:
            return self._solved_by_one(highest, "breadth first")
        found = self._carried_back(graph, self._budget)
        low, high = found.bounds[self._roles[0]]
        return replace(found, bounds={self._roles[0]: (max(low, best), min(high, highest))})

    def _seconds(self) -> float:
        return time.monotonic() - self._began

    def _playouts(self, space: CompiledSpace) -> float:
        """The best goal of many random playouts."""
        batch = self._batch(space)
        best = 0
        while best < _highest_goal(space) and self._seconds() < PLAYOUT_SHARE * self._budget:
            found = batch.playouts(LONGEST_PLAYOUT)
            self._nodes += found.moves
            best = max(best, int(found.goals.max()))
            self._progress(f"{self._nodes:,} positions in random playouts, best {best}")
        return best

    def _grow(self, graph: Graph, end: float) -> None:
        """Find positions, as long as their values can be carried back by then, seconds from the beginning."""
        highest, before = _highest_goal(graph.space), graph.children
        grown_by = self._seconds() + GROWTH_SHARE * (end - self._seconds())

        def go_on() -> bool:
            self._progress(f"{len(graph):,} positions, {graph.children:,} children")
            solved = self._is_search and graph.best_goal_seen(0) >= highest
            return not solved

        with self._until(graph.space, grown_by), suppress(_BudgetSpent):
            graph.grow(go_on)
        self._nodes += graph.children - before

    @contextmanager
    def _until(self, space: Space, end: float) -> Iterator[None]:
        """Positions are expanded until then, seconds from the beginning."""

        def look_at_the_clock() -> None:
            if self._seconds() > end:
                raise _BudgetSpent

        space.pulse = look_at_the_clock
        try:
            yield
        finally:
            space.pulse = lambda: None

    def _carried_back(self, graph: Graph, end: float) -> Solution:
        backup = back_up(graph, lambda: self._seconds() < end)
        bounds = {
            role: (float(backup.low[0, number]), float(backup.high[0, number]))
            for number, role in enumerate(self._roles)
        }
        # Without the whole graph, nothing says that goals add up to the same everywhere.
        exact = graph.complete and backup.exact(0) and graph.first_stuck is None
        note = "all positions" if graph.complete else f"stopped after {len(graph):,} positions"
        if graph.complete and not exact and self._seconds() >= end:
            note = f"stopped while carrying back the values of all {len(graph):,} positions"
        elif graph.complete and not exact and graph.first_stuck is None:
            note = "several outcomes are rational" if not backup.determined else "play may go in circles"
        found = self._solution(bounds, exact, len(graph), note, _best_moves(graph, backup) if exact else {})
        if graph.first_stuck is None:
            return found
        return replace(found, unplayable=_told_stuck(self._state, graph.way_to(graph.first_stuck)))

    def _depth_first(self, space: Space, total: float) -> Solution | None:
        """Alpha-beta, deeper and deeper, for two roles that share a total; None if the budget is not enough."""
        role = next((n for n, name in enumerate(self._roles) if len(self._state.legal_moves(name)) > 1), 0)

        def leaf(found: Expansion) -> Values:
            _check_total(found.goals[found.terminal], total)
            if found.stuck is not None and found.stuck.any():
                raise _StuckError
            own: Values = GUESS.of_children(found)[:, role].copy()
            return own

        full = FullWidth(space, leaf, partial(value_for_one, role=role))
        try:
            with self._until(space, self._budget):
                root = Root(Tree(full, role), space, role, space.key(self._state), wide=False)
                while not root.done:
                    self._progress(f"alpha-beta, {root.depth} plies, {full.nodes:,} children")
                    root.deepen()
        except _BudgetSpent:
            self._nodes += full.nodes
            return None
        self._nodes += full.nodes
        value = root.moves[0].value
        both = {self._roles[role]: (value, value), self._roles[1 - role]: (total - value, total - value)}
        note = f"alpha-beta, {root.depth} plies; takes it that goals always add up to {total:g}, as in all ends seen"
        best = {self._roles[role]: (space.move(role, root.moves[0].number),)}
        return self._solution({name: both[name] for name in self._roles}, True, 0, note, best)

    def _solved_by_one(self, goal: float, note: str) -> Solution:
        return self._solution({self._roles[0]: (goal, goal)}, exact=True, positions=0, note=note)

    def _solution(
        self,
        bounds: Mapping[Role, tuple[float, float]],
        exact: bool,
        positions: int,
        note: str,
        best: Mapping[Role, tuple[Move, ...]] | None = None,
    ) -> Solution:
        return Solution(bounds, exact, self._nodes, positions, self._seconds(), best or {}, note)


def _told_stuck(state: State, way: Sequence[JointMove]) -> str:
    """A sentence about the state behind some joint moves, which is not terminal although a role cannot move."""
    who = "a role"
    if not state.game.chance:
        for joint_move in way:
            state = state.play(joint_move)
        who = " and ".join(role for role in state.game.roles if not state.legal_moves(role))
    turns = [" ".join(joint_move.values()) for joint_move in way]
    if len(turns) > SHOWN_TURNS:
        turns = [f"{len(turns) - SHOWN_TURNS} turns", *turns[-SHOWN_TURNS:]]
    where = f"after {', '.join(turns)}" if turns else "here"
    return f"{who} cannot move {where}, and the state is not terminal"


def _check_total(goals: Numbers, total: float) -> None:
    """Raise `_NoTotalError` unless each row adds up to the total."""
    if (goals.sum(axis=1) != total).any():
        raise _NoTotalError


def _highest_goal(space: Space) -> float:
    """The highest goal that the rules give the first role."""
    if not isinstance(space, CompiledSpace):
        return BEST
    return max((value for value in space.game.goal_values[0] if value <= BEST), default=0)


def _best_moves(graph: Graph, backup: Backup) -> dict[Role, tuple[Move, ...]]:
    """The moves at the root that keep the value of the role that chooses there."""
    slab = graph.slabs[0]
    role = int(choosers(slab.joint)[0])
    if role == SEVERAL or len(slab.joint.moves) == 1:
        return {}
    each = slab.joint.expected(backup.low[slab.children, role])
    best = np.flatnonzero(each >= each.max() - 1e-6)
    return {graph.space.roles[role]: tuple(graph.space.move(role, int(slab.joint.moves[n, role])) for n in best)}
