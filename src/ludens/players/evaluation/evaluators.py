"""Evaluation of nonterminal positions: by simple features or by learnt weights."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from ludens.core.batch_game import BatchGame
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.minimax.choice import BEST
from ludens.players.space.space import Expansion, Values

MIDDLE = BEST / 2
RANGE = 49.0
"""Estimates stay between 1 and 99, so that 0 and 100 are always proved."""
MOBILITY = 0.1
"""The weight of having twice as many moves as others; a lead of 100 to 0 in goals weighs 1."""


class Evaluation(ABC):
    """An evaluation function."""

    def child_values(self, expansion: Expansion) -> Values:
        """The value of each child for every role (children, roles): its goals if it is terminal, else an estimate."""
        estimates = MIDDLE + RANGE * np.tanh(self.estimate(expansion))
        return np.where(expansion.terminal[:, None], expansion.goals, estimates)

    @abstractmethod
    def estimate(self, expansion: Expansion) -> Values:
        """The estimated advantage of every role in each child (children, roles): 0 is even, 1 is good."""


class Mobility(Evaluation):
    """Current goals, and having more moves than others."""

    def estimate(self, expansion: Expansion) -> Values:
        """The advantage in goals and in the logarithm of the number of moves."""
        return advantage(expansion.goals / BEST) + MOBILITY * advantage(np.log1p(expansion.mobility))


class GoalNearness(Evaluation):
    """Current goals, and how many conditions of each role's best goal hold."""

    def __init__(self, game: BatchGame) -> None:
        best = [max(values, default=0) for values in game.goal_values]
        self._nearness = [game.nearness(role, value) for role, value in enumerate(best)]
        self._fluents = len(game.fluent_texts)

    def estimate(self, expansion: Expansion) -> Values:
        """The advantage in goals and in nearness to the best one."""
        assert expansion.packed is not None
        bits = np.unpackbits(expansion.packed, axis=1, count=self._fluents, bitorder="little")
        nothing = np.zeros(len(bits))
        nearness = np.stack([nothing if near is None else near(bits) for near in self._nearness], axis=1)
        return advantage(expansion.goals / BEST) + advantage(nearness)


class Learned(Evaluation):
    """Weights of fluents, learnt from play."""

    def __init__(self, weights: FluentWeights) -> None:
        self.weights = weights
        """One for each fluent and role."""

    def estimate(self, expansion: Expansion) -> Values:
        """The sum of weights, scaled so that the estimate is the predicted goal."""
        assert expansion.packed is not None
        return self.weights(expansion.packed) / 2  # tanh(x/2) is the logistic function from -1 to 1


def advantage(figures: Values) -> Values:
    """Each role's figure minus the mean of the others'."""
    others = figures.shape[1] - 1
    if not others:
        return figures
    total = figures.sum(axis=1, keepdims=True)
    less: Values = figures - (total - figures) / others
    return less
