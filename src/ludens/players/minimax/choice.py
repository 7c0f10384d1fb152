"""The value of positions from the values of their joint moves: the role that chooses maximises."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludens.core import BEST_GOAL
from ludens.players.minimax.matrix import joint_value, solve_matrix
from ludens.players.space.space import Flags, JointMoves, Values

BEST = float(BEST_GOAL)
"""The highest possible goal, as a float."""
NO_CHOICE, SEVERAL = -1, -2
"""Stand for the chooser where it is not exactly one role."""


def choosers(joint: JointMoves) -> NDArray[np.int64]:
    """Which role chooses in each position, `NO_CHOICE` or `SEVERAL`."""
    choosing = joint.counts > 1
    alone: NDArray[np.int64] = choosing.argmax(axis=1)
    count = choosing.sum(axis=1)
    return np.where(count == 1, alone, np.where(count == 0, NO_CHOICE, SEVERAL))


def value_for_one(joint: JointMoves, each: Values, role: int) -> Values:
    """The value of each position for one role if all others minimise it; ``each`` is the value of each joint move.
    Simultaneous choices are a matrix game between the role and the others together."""
    starts = joint.first[:-1]
    who = choosers(joint)
    mine = (who == role) | (who == NO_CHOICE)
    found: Values = np.where(mine, np.maximum.reduceat(each, starts), np.minimum.reduceat(each, starts))
    for place in np.flatnonzero(who == SEVERAL):
        payoffs = each[joint.first[place] : joint.first[place + 1]]
        found[place] = solve_matrix(payoff_matrix(payoffs, joint.counts[place], role)).value
    return found


def payoff_matrix(payoffs: Values, counts: NDArray[np.int32], role: int) -> Values:
    """The joint moves of one position as a matrix: the role's moves as rows, the others' combinations as columns."""
    shaped = payoffs.reshape(np.maximum(counts, 1))
    return np.moveaxis(shaped, role, 0).reshape(shaped.shape[role], -1)


def values_for_all(joint: JointMoves, each: Values) -> tuple[Values, Flags]:
    """The value of each position for every role (positions, roles) if each maximises its own value, and among equals
    minimises the sum of the others'; and whether that is the only rational outcome. NaN where a joint move is NaN.

    With three roles or more, several such outcomes may be left: then the first roles get as much as possible, so that
    the values do not depend on the order of moves.
    """
    starts = joint.first[:-1]
    who = choosers(joint)
    position = np.repeat(np.arange(len(who)), np.diff(joint.first))
    own = np.maximum(who, 0)[position]
    mine = np.take_along_axis(each, own[:, None], axis=1)[:, 0]
    worth = mine * 2 * BEST * each.shape[1] - (each.sum(axis=1) - mine)
    values: Values = np.full((len(who), each.shape[1]), np.nan)
    # A maximum over NaN is NaN, and equals nothing.
    best = np.flatnonzero(worth == np.maximum.reduceat(worth, starts)[position])
    if each.shape[1] > 2:
        best = best[np.lexsort((*each[best].T[::-1], position[best]))]
    known, where = np.unique(position[best][::-1], return_index=True)
    values[known] = each[best[::-1][where]]
    determined = np.ones(len(who), np.bool_)
    for place in np.flatnonzero(who == SEVERAL):
        payoffs = each[joint.first[place] : joint.first[place + 1]]
        if np.isnan(payoffs).any():
            values[place] = np.nan
            continue
        found = joint_value(payoffs.reshape(*np.maximum(joint.counts[place], 1), -1))
        values[place], determined[place] = found.values, found.exact
    return values, determined
