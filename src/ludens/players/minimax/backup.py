"""Values of positions from the values of their children, for all positions of a graph at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludens.players.minimax.graph import Graph, Slab
from ludens.players.minimax.matrix import joint_value
from ludens.players.minimax.space import Flags, JointMoves, Values

BEST = 100.0
"""The highest goal there is."""
NO_CHOICE, SEVERAL = -1, -2
"""Who chooses, if it is not one role."""
MOST_SWEEPS = 1_000
"""How often values are carried through a graph that has circles."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What is known of every position of a graph."""

    low: Values
    """What each role gets at least (positions, roles)."""
    high: Values
    """What each role gets at most (positions, roles)."""
    determined: bool = True
    """False if some simultaneous choice has no single rational outcome."""

    def exact(self, position: int) -> bool:
        """True if bounds meet for all roles."""
        return self.determined and bool((self.high[position] - self.low[position] < 1e-6).all())


def choosers(joint: JointMoves) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Which role chooses in each position, `NO_CHOICE` or `SEVERAL`."""
    choosing = joint.counts > 1
    alone: np.ndarray[tuple[int], np.dtype[np.int64]] = choosing.argmax(axis=1)
    count = choosing.sum(axis=1)
    return np.where(count == 1, alone, np.where(count == 0, NO_CHOICE, SEVERAL))


def is_constant_sum(graph: Graph) -> bool:
    """True if two roles share the same sum of goals in all positions found that are over."""
    sums = graph.goals[graph.terminal].sum(axis=1)
    return len(graph.space.roles) == 2 and len(sums) > 0 and int(np.ptp(sums)) == 0


def back_up(graph: Graph) -> Backup:
    """Carry goals back from where the game is over, nearest positions last, until nothing changes any more.

    One role takes what is most; two roles with a constant sum of goals have bounds, which meet where enough of the
    graph is known; in all other games a role takes what is most for itself, and among equals what is least for
    the others.
    """
    if len(graph.space.roles) == 1:
        return _with_bounds(graph, total=0.0)
    if is_constant_sum(graph):
        return _with_bounds(graph, float(graph.goals[graph.terminal][0].sum()))
    return _for_each_role(graph)


def _with_bounds(graph: Graph, total: float) -> Backup:
    """The least and the most that the first role can get; the second gets what is left of the total."""
    over = graph.terminal
    low = np.where(over, graph.goals[:, 0], 0.0)
    high = np.where(over, graph.goals[:, 0], total or BEST)
    for bound in (low, high):
        for _ in range(MOST_SWEEPS):
            if not _sweep(graph, bound):
                break
    if len(graph.space.roles) == 1:
        # Going in circles for ever is worth nothing, so what can be reached is all there is.
        return Backup(low[:, None], (low if graph.complete else high)[:, None])
    return Backup(np.stack([low, total - high], axis=1), np.stack([high, total - low], axis=1))


def _sweep(graph: Graph, values: Values) -> bool:
    changed = False
    for slab in reversed(graph.slabs):
        found = _first_roles_value(slab, values)
        changed = changed or not np.array_equal(found, values[slab.ids])
        values[slab.ids] = found
    return changed and not _is_layered(graph)


def _is_layered(graph: Graph) -> bool:
    """True if all children are found after their parents' slab, so that one sweep is enough."""
    return all(slab.children.min() > slab.ids[-1] for slab in graph.slabs)


def _first_roles_value(slab: Slab, values: Values) -> Values:
    joint = slab.joint
    each = joint.expected(values[slab.children])
    starts = joint.first[:-1]
    who = choosers(joint)
    found: Values = np.where(who == 1, np.minimum.reduceat(each, starts), np.maximum.reduceat(each, starts))
    for place in np.flatnonzero(who == SEVERAL):
        payoffs = each[joint.first[place] : joint.first[place + 1]].reshape(joint.counts[place])
        found[place] = joint_value(np.stack([payoffs, -payoffs], axis=-1)).values[0]
    return found


def _for_each_role(graph: Graph) -> Backup:
    """Backward induction with a value for each role; positions in circles stay unknown."""
    over = graph.terminal
    values = np.where(over[:, None], graph.goals, np.nan)
    determined = np.ones(len(over), np.bool_)
    for _ in range(MOST_SWEEPS):
        before = np.isnan(values).sum()
        for slab in reversed(graph.slabs):
            _back_up_roles(slab, values, determined)
        if np.isnan(values).sum() in {0, before}:
            break
    unknown = np.isnan(values)
    low, high = np.where(unknown, 0.0, values), np.where(unknown, BEST, values)
    return Backup(low, high, bool(determined[0]))


def _back_up_roles(slab: Slab, values: Values, determined: Flags) -> None:
    joint = slab.joint
    each = joint.expected(values[slab.children])
    starts = joint.first[:-1]
    who = choosers(joint)
    position = np.repeat(np.arange(len(who)), np.diff(joint.first))
    own = np.maximum(who, 0)[position]
    mine = np.take_along_axis(each, own[:, None], axis=1)[:, 0]
    worth = mine * 2 * BEST * each.shape[1] - (each.sum(axis=1) - mine)
    # A maximum over something unknown is unknown too, and equals nothing.
    best = np.flatnonzero(worth == np.maximum.reduceat(worth, starts)[position])
    known, where = np.unique(position[best], return_index=True)
    values[slab.ids[known]] = each[best[where]]
    sure = np.minimum.reduceat(_all_outcomes(joint, determined[slab.children]), starts)
    determined[slab.ids] = sure
    for place in np.flatnonzero(who == SEVERAL):
        payoffs = each[joint.first[place] : joint.first[place + 1]].reshape(*joint.counts[place], -1)
        found = joint_value(payoffs) if not np.isnan(payoffs).any() else None
        values[slab.ids[place]] = np.nan if found is None else found.values
        determined[slab.ids[place]] = found is not None and found.exact and sure[place]


def _all_outcomes(joint: JointMoves, flags: Flags) -> Flags:
    """For each joint move, whether the flag is set in all children that it may lead to."""
    found: Flags = flags if joint.first_child is None else np.minimum.reduceat(flags, joint.first_child[:-1])
    return found
