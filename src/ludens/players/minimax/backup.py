"""Back up values from children to parents, for all positions of a graph at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ludens.players.minimax.choice import BEST, value_for_one, values_for_all
from ludens.players.space.graph import Graph, Slab
from ludens.players.space.space import Flags, JointMoves, Values

MOST_SWEEPS = 1_000
"""Sweeps through a graph with cycles before giving up."""


@dataclass(frozen=True, slots=True)
class Backup:
    """Bounds on the value of every position of a graph."""

    low: Values
    """Lower bounds for each role (positions, roles)."""
    high: Values
    """Upper bounds for each role (positions, roles)."""
    determined: bool = True
    """False if some simultaneous choice has no single rational outcome."""

    def is_exact(self, position: int) -> bool:
        """True if the bounds meet for all roles."""
        return self.determined and bool((self.high[position] - self.low[position] < 1e-6).all())


def _is_constant_sum(graph: Graph) -> bool:
    """True if the goals of two roles have the same sum in all terminal positions found."""
    sums = graph.goals[graph.terminal].sum(axis=1)
    return len(graph.space.roles) == 2 and len(sums) > 0 and int(np.ptp(sums)) == 0


def back_up(graph: Graph, go_on: Callable[[], bool]) -> Backup:
    """Back up goals from terminal positions, nearest positions last, until nothing changes.

    A single role maximises. Two roles with a constant sum of goals get bounds, which meet where enough of the graph is
    known. In all other games a role maximises its own goal, and among equals minimises the others'; where that leaves
    several outcomes, a role gets at least what it gets if all others minimise its goal. If ``go_on`` returns False on
    the way, the bounds are wider, but correct.
    """
    if len(graph.space.roles) == 1:
        return _bound_values(graph, 0.0, go_on)
    if _is_constant_sum(graph):
        return _bound_values(graph, float(graph.goals[graph.terminal][0].sum()), go_on)
    return _induct_backwards(graph, go_on)


def _bound_values(graph: Graph, total: float, go_on: Callable[[], bool]) -> Backup:
    """Bounds for the first role; the second gets the rest of the total."""
    over = graph.terminal
    low = np.where(over, graph.goals[:, 0], 0.0)
    high = np.where(over, graph.goals[:, 0], total or BEST)
    layered = _is_layered(graph)
    settled = all(_settle(graph, bound, 0, layered, go_on) for bound in (low, high))
    if len(graph.space.roles) == 1:
        # Infinite play is worth nothing, so the least fixpoint is the value.
        return Backup(low[:, None], (low if graph.complete and settled else high)[:, None])
    return Backup(np.stack([low, total - high], axis=1), np.stack([high, total - low], axis=1))


def _settle(graph: Graph, values: Values, role: int, layered: bool, go_on: Callable[[], bool]) -> bool:
    """Back up a role's values, which all others minimise, until nothing changes; False if that was not reached."""
    for _ in range(MOST_SWEEPS):
        changed = False
        for slab in reversed(graph.slabs):
            if not go_on():
                return False
            found = value_for_one(slab.joint, slab.joint.expected_values(values[slab.children]), role)
            changed = changed or not np.array_equal(found, values[slab.ids])
            values[slab.ids] = found
        if layered or not changed:
            return True
    return False


def _is_layered(graph: Graph) -> bool:
    """True if all children come after their parents' slab, so that one sweep is enough."""
    return all(slab.children.min() > slab.ids[-1] for slab in graph.slabs)


def _induct_backwards(graph: Graph, go_on: Callable[[], bool]) -> Backup:
    """Backward induction with a value for each role; positions in cycles stay unknown."""
    over = graph.terminal
    values = np.where(over[:, None], graph.goals, np.nan)
    determined = np.ones(len(over), np.bool_)
    for _ in range(MOST_SWEEPS):
        before = np.isnan(values).sum()
        for slab in reversed(graph.slabs):
            if not go_on():
                break
            _back_up_roles(slab, values, determined)
        if np.isnan(values).sum() in {0, before}:
            break
    unknown = np.isnan(values)
    low, high = np.where(unknown, 0.0, values), np.where(unknown, BEST, values)
    if determined[0]:
        return Backup(low, high)
    for role in range(low.shape[1]):
        secure = np.where(over, graph.goals[:, role], 0.0)
        _settle(graph, secure, role, _is_layered(graph), go_on)
        low[~determined, role] = secure[~determined]
    high[~determined] = graph.goals[over].max(axis=0) if graph.complete else BEST
    return Backup(low, high, determined=False)


def _back_up_roles(slab: Slab, values: Values, determined: Flags) -> None:
    joint = slab.joint
    each = joint.expected_values(values[slab.children])
    sure = np.minimum.reduceat(_hold_in_all_outcomes(joint, determined[slab.children]), joint.first[:-1])
    values[slab.ids], rational = values_for_all(joint, each)
    determined[slab.ids] = sure & rational


def _hold_in_all_outcomes(joint: JointMoves, flags: Flags) -> Flags:
    """For each joint move, whether the flag is set in all its outcomes."""
    found: Flags = flags if joint.first_child is None else np.minimum.reduceat(flags, joint.first_child[:-1])
    return found
