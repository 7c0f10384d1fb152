"""What a position is worth that is not over: a guess from goals as they stand and from mobility."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ludens.players.minimax.choice import BEST
from ludens.players.minimax.space import Expansion, Values

MIDDLE = BEST / 2
RANGE = 49.0
"""Guesses stay inside 1 to 99, so that 0 and 100 are always proved."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Weights of what makes a position look good."""

    goals: float
    """Of the own goal, less the mean of the others', if the match ended here."""
    mobility: float
    """Of the logarithm of the own number of moves, less that of the others."""

    def of_children(self, found: Expansion) -> Values:
        """What each child is worth for every role (children, roles): its goals if it is over, or a guess."""
        goals = found.goals.astype(np.float64)
        guess = self.goals * _advantage(goals / BEST) + self.mobility * _advantage(np.log1p(found.mobility))
        return np.where(found.terminal[:, None], goals, MIDDLE + RANGE * np.tanh(guess))


def _advantage(figures: Values) -> Values:
    """Each role's figure less the mean of the others'."""
    others = figures.shape[1] - 1
    if not others:
        return figures
    total = figures.sum(axis=1, keepdims=True)
    less: Values = figures - (total - figures) / others
    return less
