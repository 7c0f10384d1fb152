"""Solve positions: the proved value for every role under perfect play."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ludens.core import Deadline, GameError, JointMove, Move, Role, State, compiled_state
from ludens.core.batch import Batch
from ludens.core.block import LANES
from ludens.players.evaluation.evaluators import Mobility
from ludens.players.minimax.backup import Backup, back_up
from ludens.players.minimax.choice import BEST, SEVERAL, choosers, value_for_one
from ludens.players.minimax.full_width import FullWidth
from ludens.players.minimax.root import Root
from ludens.players.minimax.tree import Tree
from ludens.players.one_role.solver import Solver as LineSolver
from ludens.players.one_role.solver import space_of as line_space_of
from ludens.players.packed.proof_file import read_proof, write_proof
from ludens.players.packed.prover import Failure, Prover
from ludens.players.space.choose import space_of
from ludens.players.space.compiled import CompiledSpace
from ludens.players.space.contract import may_go_on
from ludens.players.space.graph import MOST_POSITIONS, Graph
from ludens.players.space.space import Expansion, Numbers, Space, Values

PLAYOUT_SHARE = 0.1
"""The share of the budget for random playouts of one-role games, any of which may be a solution."""
PLAYOUTS_AT_ONCE = 4 * LANES
LONGEST_PLAYOUT = 1_000
LINE_SHARE = 0.5
"""The share of the remaining budget for a line to the highest goal of a one-role game, before all positions are
enumerated."""
SYMMETRY_SHARE = 0.25
"""The share of what is left of the budget for symmetries, before a proof is tried."""
ENUMERATION_SHARE = 0.1
"""The share of the budget for enumerating constant-sum games of two roles: a few positions before a proof is tried, the
others if it fails."""
FEW_POSITIONS = 100_000
"""Positions that are enumerated before a proof: that takes no time, and shows all moves that keep the value."""
DEFAULT_MEGABYTES = 1_000
"""The size of the transposition table of a proof."""
KEEPING_SECONDS = 600
"""Seconds after which a proof is written to its file again."""
GROWTH_SHARE = 0.8
"""The share of the remaining budget for finding positions. The rest is for backing values up."""
SHOWN_TURNS = 20
"""How many of the last turns before a position a message shows."""
ORDERING = Mobility()
"""Orders moves in alpha-beta; estimates never decide the value."""


class _BudgetSpent(Exception):  # noqa: N818 - not an error
    """Unwinds the search."""


class _StuckError(Exception):
    """A role cannot move in a nonterminal state, somewhere below the positions that are listed."""


class _NoTotalError(Exception):
    """The goals do not have a constant sum, so alpha-beta does not apply."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of a position, or bounds on it."""

    bounds: Mapping[Role, tuple[float, float]]
    """The lower and the upper bound on each role's goal under perfect play."""
    exact: bool
    """True if the bounds meet for each role."""
    nodes: int
    """Children computed."""
    positions: int
    """Distinct positions among them."""
    seconds: float
    """Time spent."""
    best: Mapping[Role, tuple[Move, ...]] = field(default_factory=dict)
    """The moves that keep the value, for the role that chooses; empty if unknown or if several roles choose."""
    note: str = ""
    """How the value was found, or why it was not, in a few words."""
    unplayable: str = ""
    """If the rules leave a role without a move in a nonterminal state: which role and where, in a sentence.

    Then nothing is exact: such states are valued by their goals, but no match can end there.
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


@dataclass(frozen=True, slots=True)
class Watch:
    """How a caller follows a computation, and ends it."""

    progress: Callable[[str], None] = lambda text: None
    """Receives status texts from time to time."""
    report: Callable[[str], None] = lambda text: None
    """Receives a line whenever a proof has narrowed the bounds."""
    is_stopped: Callable[[], bool] = lambda: False
    """Returns True once the computation is to end with what it knows."""


class Solver:
    """Solves one position within a budget of seconds, not counting compilation."""

    def __init__(
        self,
        state: State,
        budget: float,
        watch: Watch = Watch(),  # noqa: B008 - immutable
        megabytes: int = DEFAULT_MEGABYTES,
        proof: Path | None = None,
    ) -> None:
        """With ``proof``, a proof goes on where this file ends, if there is one, and is kept there."""
        if state.game.hidden:
            raise GameError(
                f"{state.game.name} has hidden information, so positions have no values of their own; "
                "`ludens equilibrium` finds strategies for the whole game"
            )
        self._state = state = compiled_state(state)
        self._roles = state.game.roles
        self._budget = budget
        self._watch = watch
        self._progress = watch.progress
        self._megabytes = megabytes
        self._proof = proof
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
            return replace(found, unplayable=_describe_stuck(self._state, []))
        space = self._space
        if self._is_search:
            return self._solve_alone(space)
        if (total := self._total(space)) is not None:
            with suppress(_NoTotalError):
                return self._solve_shared(space, total)
        return self._enumerate(space, self._budget)[0]

    def _solve_shared(self, space: Space, total: float) -> Solution:
        """Constant-sum games of two roles: enumerate if positions are few, else prove. Raises `_NoTotalError`."""
        is_resumed = self._proof is not None and self._proof.exists()
        share = 0.0 if is_resumed else ENUMERATION_SHARE
        found, complete = self._enumerate(space, share * self._budget, total, FEW_POSITIONS)
        if complete or found.unplayable or (self._is_stopped and not is_resumed):
            return found
        if (proof := self._prove(space, total)) is not None:
            return proof
        now = self._seconds()
        found, complete = self._enumerate(space, now + share * (self._budget - now), total)
        if complete or found.unplayable or self._is_stopped:
            return found
        try:
            return self._depth_first(space, total) or replace(found, nodes=self._nodes, seconds=self._seconds())
        except _StuckError:
            where = f"below the first {found.positions:,} positions"
            return replace(found, unplayable=f"a role cannot move in a nonterminal state somewhere {where}")

    def _enumerate(
        self, space: Space, end: float, total: float | None = None, most: int = MOST_POSITIONS
    ) -> tuple[Solution, bool]:
        """The solution by about ``most`` positions, found until ``end`` (seconds from the beginning); if it has all."""
        graph = Graph(space, self._state)
        self._grow(graph, end, most)
        if total is not None:
            _check_total(graph.goals[graph.terminal], total)
        return self._back_up_values(graph, end), graph.complete

    @property
    def _is_search(self) -> bool:
        """Whether any path to the highest goal is a proof: with one role and no chance."""
        return len(self._roles) == 1 and not self._state.game.chance

    def _total(self, space: Space) -> float | None:
        """The possible constant sum of two roles' goals, by the values in the rules; None if there is none.

        None with chance, too: alpha-beta proves little there, and the budget is better spent on enumeration.
        """
        if not isinstance(space, CompiledSpace) or len(self._roles) != 2 or self._state.game.chance:
            return None
        first, second = map(set, space.game.goal_values)
        total = max(first, default=0) + min(second, default=0)
        return float(total) if {total - value for value in first} == second else None

    def _batch(self, space: CompiledSpace) -> Batch:
        """A batch with the position in every lane."""
        batch = Batch(space.game, PLAYOUTS_AT_ONCE, seed=0)
        batch.set_states([self._state])
        return batch

    def _solve_alone(self, space: Space) -> Solution:
        """One role: any line to the highest goal is a proof; random playouts are tried first, being fastest."""
        highest = _highest_goal(space)
        best = self._playouts(space) if isinstance(space, CompiledSpace) else 0.0
        if best >= highest:
            return self._one_role_solution(highest, "a random playout reaches it")
        if isinstance(space, CompiledSpace):
            found = self._find_line(space)
            if found.exact:
                return found
            best = max(best, found.bounds[self._roles[0]][0])
        graph = Graph(space, self._state)
        self._grow(graph, self._budget)
        if graph.best_goal_seen(0) >= highest:
            return self._one_role_solution(highest, "breadth-first search")
        found = self._back_up_values(graph, self._budget)
        low, high = found.bounds[self._roles[0]]
        return replace(found, bounds={self._roles[0]: (max(low, best), min(high, highest))})

    def _find_line(self, space: CompiledSpace) -> Solution:
        """The best line that the searches of the player `single` find; exact if it reaches the highest goal."""
        lines = line_space_of(space.game, seed=1)
        search = LineSolver(lines, self._state, level=2, megabytes=self._megabytes, shortest=False, seed=1)
        left = LINE_SHARE * (self._budget - self._seconds())
        deadline = Deadline(left)

        def after_each() -> None:
            self._progress(f"{search.states:,} positions, best goal {max(0, search.incumbent.goal)}")
            if self._is_stopped:
                deadline.cancel()

        search.run(deadline, after_each)
        best = search.incumbent
        self._nodes += search.states
        highest = _highest_goal(space)
        if best.goal < highest or not best.line:
            return self._solution(
                {self._roles[0]: (float(max(0, best.goal)), highest)}, exact=False, positions=0, note=""
            )
        note = f"a line of {len(best.line)} moves reaches it, found by {best.source}"
        return replace(self._one_role_solution(best.goal, note), best={self._roles[0]: best.line[:1]})

    @property
    def _is_stopped(self) -> bool:
        return self._watch.is_stopped()

    def _seconds(self) -> float:
        return time.monotonic() - self._began

    def _playouts(self, space: CompiledSpace) -> float:
        """The best goal over many random playouts."""
        batch = self._batch(space)
        best = 0
        while best < _highest_goal(space) and self._seconds() < PLAYOUT_SHARE * self._budget and not self._is_stopped:
            found = batch.playouts(LONGEST_PLAYOUT)
            self._nodes += found.moves
            best = max(best, int(found.goals.max()))
            self._progress(f"{self._nodes:,} positions in random playouts, best {best}")
        return best

    def _grow(self, graph: Graph, end: float, most: int = MOST_POSITIONS) -> None:
        """Find positions as long as their values can be backed up until ``end``, in seconds from the beginning."""
        highest, before = _highest_goal(graph.space), graph.children
        grown_by = self._seconds() + GROWTH_SHARE * (end - self._seconds())

        def go_on() -> bool:
            self._progress(f"{len(graph):,} positions, {graph.children:,} children")
            solved = self._is_search and graph.best_goal_seen(0) >= highest
            return not solved and not self._is_stopped and len(graph) <= most

        with self._time_limit(graph.space, grown_by), suppress(_BudgetSpent):
            graph.grow(go_on)
        self._nodes += graph.children - before

    @contextmanager
    def _time_limit(self, space: Space, end: float) -> Iterator[None]:
        """Expand positions only until ``end``, in seconds from the beginning."""

        def check_time() -> None:
            if self._seconds() > end or self._is_stopped:
                raise _BudgetSpent

        space.pulse = check_time
        try:
            yield
        finally:
            space.pulse = lambda: None

    def _back_up_values(self, graph: Graph, end: float) -> Solution:
        backup = back_up(graph, lambda: self._seconds() < end and not self._is_stopped)
        bounds = {
            role: (float(backup.low[0, number]), float(backup.high[0, number]))
            for number, role in enumerate(self._roles)
        }
        # Without the whole graph, the sum of goals need not be constant.
        exact = graph.complete and backup.is_exact(0) and graph.first_stuck is None
        note = "all positions" if graph.complete else f"stopped after {len(graph):,} positions"
        if graph.complete and not exact and self._seconds() >= end:
            note = f"stopped while backing up the values of all {len(graph):,} positions"
        elif graph.complete and not exact and graph.first_stuck is None:
            note = "several outcomes are rational" if not backup.determined else "play may cycle"
        found = self._solution(bounds, exact, len(graph), note, _best_moves(graph, backup) if exact else {})
        if graph.first_stuck is None:
            return found
        return replace(found, unplayable=_describe_stuck(self._state, graph.path_to(graph.first_stuck)))

    def _prove(self, space: Space, total: float) -> Solution | None:
        """Test whether the first role gets at least one goal after the other; None if lines are too long for that."""
        assert isinstance(space, CompiledSpace)
        # A proof that is kept must find the same symmetries again.
        seconds = math.inf if self._proof is not None else SYMMETRY_SHARE * (self._budget - self._seconds())
        prover = Prover(space.game, self._state, int(total), self._megabytes, seconds)
        if self._proof is not None and self._proof.exists():
            read_proof(prover, self._proof)
        self._run_proof(prover)
        self._nodes += prover.computed
        if self._proof is not None and not prover.failure:
            write_proof(prover, self._proof)
        if prover.failure is Failure.NO_TOTAL:
            raise _NoTotalError
        if prover.failure:
            return None
        low, high = prover.bounds
        bounds = {self._roles[0]: (float(low), float(high)), self._roles[1]: (total - high, total - low)}
        proved = "proved" if prover.is_solved else "stopped"
        note = f"{proved} by alpha-beta, {prover.nodes:,} nodes, table {prover.fill:.0%} full; keys have 64 bits"
        return self._solution(bounds, prover.is_solved, prover.stored, note, self._deciding_move(prover))

    def _run_proof(self, prover: Prover) -> None:
        """Prove until the value is known, or as long as allowed; keep what is known from time to time."""
        began, before, kept = time.monotonic(), prover.nodes, time.monotonic()
        while not prover.is_solved and not prover.failure and self._seconds() < self._budget and not self._is_stopped:
            known = prover.bounds
            prover.run()
            low, high = prover.bounds
            speed = (prover.nodes - before) / max(1e-9, time.monotonic() - began)
            text = f"{self._roles[0]} {low} to {high}, {prover.nodes:,} nodes, {speed:,.0f} a second"
            self._progress(text)
            if prover.bounds != known:
                self._watch.report(text)
            if self._proof is not None and time.monotonic() - kept > KEEPING_SECONDS:
                write_proof(prover, self._proof)
                kept = time.monotonic()

    def _deciding_move(self, prover: Prover) -> dict[Role, tuple[Move, ...]]:
        chooser = next((n for n, role in enumerate(self._roles) if len(self._state.legal_moves(role)) > 1), 0)
        number = prover.deciding_move()
        if number < 0 or not prover.is_solved:
            return {}
        return {self._roles[chooser]: (self._space.move(chooser, number),)}

    def _depth_first(self, space: Space, total: float) -> Solution | None:
        """Iterative-deepening alpha-beta for constant-sum games of two roles; None if the budget is not enough."""
        role = next((n for n, name in enumerate(self._roles) if len(self._state.legal_moves(name)) > 1), 0)

        def leaf(found: Expansion) -> Values:
            _check_total(found.goals[found.terminal], total)
            if found.stuck is not None and found.stuck.any():
                raise _StuckError
            own: Values = ORDERING.child_values(found)[:, role].copy()
            return own

        full = FullWidth(space, leaf, partial(value_for_one, role=role))
        try:
            with self._time_limit(space, self._budget):
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
        note = f"alpha-beta, {root.depth} plies; assumes that goals always add up to {total:g}, as in all ends found"
        best = {self._roles[role]: (space.move(role, root.moves[0].number),)}
        return self._solution({name: both[name] for name in self._roles}, True, 0, note, best)

    def _one_role_solution(self, goal: float, note: str) -> Solution:
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


def _describe_stuck(state: State, way: Sequence[JointMove]) -> str:
    """A sentence about the nonterminal state after some joint moves in which a role cannot move."""
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
    """Raise `_NoTotalError` unless each row sums to the total."""
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
    each = slab.joint.expected_values(backup.low[slab.children, role])
    best = np.flatnonzero(each >= each.max() - 1e-6)
    return {graph.space.roles[role]: tuple(graph.space.move(role, int(slab.joint.moves[n, role])) for n in best)}
