"""Matrix games: what simultaneous choices are worth, and how often to make each.

Two roles whose goals always add up to the same have one value, found by a linear programme. Otherwise strictly
dominated moves are removed until none is left; if that leaves one joint move, it is what rational players play.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludens.players.space.space import Values

TOLERANCE = 1e-9
"""Smaller differences between numbers of the size of goals are rounding."""


@dataclass(frozen=True, slots=True)
class MatrixSolution:
    """The value of a matrix game for the one who chooses the row and wants much, and optimal mixed strategies."""

    value: float
    rows: Values
    """How likely each row should be chosen."""
    columns: Values
    """How likely the other should choose each column."""


def solve_matrix(payoffs: Values) -> MatrixSolution:
    """Solve a game in which one chooses a row, the other at once a column, and the payoff goes from other to one."""
    lowest, highest = payoffs.min(axis=1), payoffs.max(axis=0)
    row, column = int(lowest.argmax()), int(highest.argmin())
    if lowest[row] == highest[column]:
        height, width = payoffs.shape
        return MatrixSolution(float(lowest[row]), np.eye(height)[row], np.eye(width)[column])
    return _linear_programme(payoffs)


def _linear_programme(payoffs: Values) -> MatrixSolution:
    """The simplex method on: columns y >= 0 with A y <= 1, as large a sum of y as possible, where A is positive.

    The value of A is one by that sum, y scaled by it is the column strategy, and the prices of the rows scaled by it
    are the row strategy.
    """
    shift = 1.0 - payoffs.min()
    height, width = payoffs.shape
    tableau = np.zeros((height + 1, width + height + 1))
    tableau[:height, :width] = payoffs + shift
    tableau[:height, width : width + height] = np.eye(height)
    tableau[:height, -1] = 1.0
    tableau[height, :width] = -1.0
    basis = list(range(width, width + height))
    # Bland's rule, the lowest numbers first, cannot run in circles.
    while (entering := np.flatnonzero(tableau[height, :-1] < -TOLERANCE)).size:
        enter = int(entering[0])
        column = tableau[:height, enter]
        ratios = np.where(column > TOLERANCE, tableau[:height, -1] / np.where(column > TOLERANCE, column, 1.0), np.inf)
        tied = np.flatnonzero(ratios <= ratios.min() + TOLERANCE)
        leave = min(map(int, tied), key=lambda row: basis[row])
        tableau[leave] /= tableau[leave, enter]
        others = np.arange(height + 1) != leave
        tableau[others] -= np.outer(tableau[others, enter], tableau[leave])
        basis[leave] = enter
    total = tableau[height, -1]
    columns = np.zeros(width)
    for row, variable in enumerate(basis):
        if variable < width:
            columns[variable] = tableau[row, -1]
    rows = tableau[height, width:-1]
    return MatrixSolution(float(1.0 / total - shift), rows / rows.sum(), columns / columns.sum())


@dataclass(frozen=True, slots=True)
class JointValue:
    """What simultaneous choices are worth."""

    values: Values
    """For each role."""
    exact: bool
    """False if rational play is not determined; the values are then what each role can make sure of by itself."""


def joint_value(payoffs: Values) -> JointValue:
    """The value of a game in which several choose at once; the last axis of the payoffs is the role, and every other
    axis the moves of one role, in order, with length one for a role that has no choice."""
    roles = payoffs.shape[-1]
    choosing = [role for role in range(roles) if payoffs.shape[role] > 1]
    if len(choosing) == 2:
        total = payoffs[..., choosing].sum(axis=-1)
        if total.max() - total.min() <= TOLERANCE:
            return _constant_sum(payoffs, choosing[0], choosing[1])
    left = _without_dominated(payoffs)
    cells = left.reshape(-1, roles)
    if np.ptp(cells, axis=0).max() <= TOLERANCE:
        return JointValue(cells[0], exact=True)
    others = [tuple(axis for axis in range(roles) if axis != role) for role in range(roles)]
    secure = [payoffs[..., role].min(axis=others[role]).max() for role in range(roles)]
    return JointValue(np.array(secure), exact=False)


def _constant_sum(payoffs: Values, one: int, other: int) -> JointValue:
    flat = payoffs.reshape(payoffs.shape[one], payoffs.shape[other], -1)
    found = solve_matrix(flat[..., one])
    return JointValue(np.einsum("i,j,ijr->r", found.rows, found.columns, flat), exact=True)


def _without_dominated(payoffs: Values) -> Values:
    """The game without moves that are worse than one other whatever everybody else does."""
    changed = True
    while changed:
        changed = False
        for role in range(payoffs.shape[-1]):
            own = np.moveaxis(payoffs[..., role], role, 0).reshape(payoffs.shape[role], -1)
            worse = np.any(np.all(own[:, None] < own[None] - TOLERANCE, axis=2), axis=1)
            if worse.any():
                payoffs = np.compress(~worse, payoffs, axis=role)
                changed = True
    return payoffs
