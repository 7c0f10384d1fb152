"""Matrix games: the value of simultaneous choices, and optimal mixed strategies.

A constant-sum game of two roles has a value, found by a linear programme. Otherwise strictly dominated moves are
removed until none is left; if that leaves one joint move, it is what rational players play.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludens.players.space.space import Values

TOLERANCE = 1e-9
"""Smaller differences between goals are rounding errors."""


@dataclass(frozen=True, slots=True)
class MatrixSolution:
    """The value of a matrix game for the row player, who maximises, and optimal mixed strategies."""

    value: float
    rows: Values
    """The optimal probability of each row."""
    columns: Values
    """The optimal probability of each column."""


def solve_matrix(payoffs: Values) -> MatrixSolution:
    """Solve the zero-sum game in which one player chooses a row, the other a column, and the column player pays."""
    lowest, highest = payoffs.min(axis=1), payoffs.max(axis=0)
    row, column = int(lowest.argmax()), int(highest.argmin())
    if lowest[row] == highest[column]:
        height, width = payoffs.shape
        return MatrixSolution(float(lowest[row]), np.eye(height)[row], np.eye(width)[column])
    return _linear_programme(payoffs)


def _linear_programme(payoffs: Values) -> MatrixSolution:
    """The simplex method: maximise the sum of y subject to A y <= 1 and y >= 0, where A is positive.

    The value of A is one divided by that sum; y and the prices of the rows, scaled by the value, are the column and the
    row strategy.
    """
    shift = 1.0 - payoffs.min()
    height, width = payoffs.shape
    tableau = np.zeros((height + 1, width + height + 1))
    tableau[:height, :width] = payoffs + shift
    tableau[:height, width : width + height] = np.eye(height)
    tableau[:height, -1] = 1.0
    tableau[height, :width] = -1.0
    basis = list(range(width, width + height))
    # Bland's rule, lowest indices first, cannot cycle.
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
    """The value of simultaneous choices."""

    values: Values
    """For each role."""
    exact: bool
    """False if rational play is not determined; the values are then each role's security levels."""


def joint_value(payoffs: Values) -> JointValue:
    """The value of a game in which several roles choose at once. The last axis of the payoffs is the role, every other
    axis the moves of one role, in order, with length one for a role that has no choice."""
    roles = payoffs.shape[-1]
    choosing = [role for role in range(roles) if payoffs.shape[role] > 1]
    if len(choosing) == 2:
        total = payoffs[..., choosing].sum(axis=-1)
        if total.max() - total.min() <= TOLERANCE:
            return _constant_sum(payoffs, choosing[0], choosing[1])
    left = _drop_dominated(payoffs)
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


def _drop_dominated(payoffs: Values) -> Values:
    """Remove strictly dominated moves."""
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
