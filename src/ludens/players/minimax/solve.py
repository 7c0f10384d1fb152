"""What a position is worth for every role if all play perfectly, proved."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludens.compiler.batch import Batch
from ludens.compiler.logic import LANES
from ludens.core import GameError, Move, Role, State
from ludens.gdl.game import GdlState
from ludens.players.minimax.backup import Backup, back_up
from ludens.players.minimax.choice import BEST, SEVERAL, choosers
from ludens.players.minimax.compiled import CompiledSpace
from ludens.players.minimax.graph import Graph
from ludens.players.minimax.space import Space
from ludens.players.minimax.spaces import space_of

PLAYOUT_SHARE = 0.1
"""The part of the budget for random playouts of one-role games, any of which may happen to be a solution."""
PLAYOUTS_AT_ONCE = 16 * LANES


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
        }


class Solver:
    """Solves one position within a budget of seconds; ``progress`` is told how it stands from time to time."""

    def __init__(self, state: State, budget: float, progress: Callable[[str], None] = lambda text: None) -> None:
        if state.game.hidden:
            raise GameError(
                f"{state.game.name} hides something from its roles, so positions have no values of their own"
            )
        self._state = state
        self._roles = state.game.roles
        self._budget = budget
        self._progress = progress
        self._began = time.monotonic()
        self._nodes = 0

    def solve(self) -> Solution:
        """Find the value of the position, or bounds on it."""
        if self._state.is_terminal:
            goals = self._state.goals
            bounds = {role: (float(goals[role]), float(goals[role])) for role in self._roles}
            return self._solution(bounds, exact=True, positions=1, note="the match is over")
        space = space_of(self._state.game)
        if len(self._roles) == 1 and isinstance(space, CompiledSpace):
            found = self._playouts(space)
            if found >= _highest_goal(space):
                return self._solved_by_one(found, "a random playout reaches it")
        return self._enumerate(space)

    def _seconds(self) -> float:
        return time.monotonic() - self._began

    def _playouts(self, space: CompiledSpace) -> float:
        """The best goal of many random playouts."""
        batch = Batch(space.game, PLAYOUTS_AT_ONCE, seed=0)
        assert isinstance(self._state, GdlState)
        batch.set_states([self._state])
        best = 0
        while best < _highest_goal(space) and self._seconds() < PLAYOUT_SHARE * self._budget:
            found = batch.playouts()
            self._nodes += found.moves
            best = max(best, int(found.goals.max()))
            self._progress(f"{self._nodes:,} positions in random playouts, best {best}")
        return best

    def _enumerate(self, space: Space) -> Solution:
        """Find all positions, then carry values back."""
        graph = Graph(space, self._state)
        highest = _highest_goal(space)
        alone = len(self._roles) == 1

        def go_on() -> bool:
            self._progress(f"{len(graph):,} positions, {graph.children:,} children")
            return self._seconds() < self._budget and not (alone and graph.best_goal_seen(0) >= highest)

        graph.grow(go_on)
        self._nodes += graph.children
        if alone and graph.best_goal_seen(0) >= highest:
            return self._solved_by_one(highest, "breadth first")
        backup = back_up(graph)
        bounds = {
            role: (float(backup.low[0, number]), float(backup.high[0, number]))
            for number, role in enumerate(self._roles)
        }
        # Without the whole graph, nothing says that goals add up to the same everywhere.
        exact = graph.complete and backup.exact(0)
        note = "all positions" if graph.complete else f"stopped after {len(graph):,} positions"
        if graph.complete and not exact:
            note = "several outcomes are rational" if not backup.determined else "play may go in circles"
        return self._solution(bounds, exact, len(graph), note, _best_moves(graph, backup) if exact else {})

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


def _highest_goal(space: Space) -> float:
    """The highest goal that the rules give the first role."""
    if not isinstance(space, CompiledSpace):
        return BEST
    return max((goal.value for goal in space.game.circuit.goals if goal.role == 0 and goal.value <= BEST), default=0)


def _best_moves(graph: Graph, backup: Backup) -> dict[Role, tuple[Move, ...]]:
    """The moves at the root that keep the value of the role that chooses there."""
    slab = graph.slabs[0]
    role = int(choosers(slab.joint)[0])
    if role == SEVERAL or len(slab.joint.moves) == 1:
        return {}
    each = slab.joint.expected(backup.low[slab.children, role])
    best = np.flatnonzero(each >= each.max() - 1e-6)
    return {graph.space.roles[role]: tuple(graph.space.move(role, int(slab.joint.moves[n, role])) for n in best)}
