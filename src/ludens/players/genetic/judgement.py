"""Evolved evaluations: weights of fluents and mobility, or an expression over such sums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ludens.core import BEST_GOAL
from ludens.core.batch_game import BatchGame
from ludens.gdl.read import read_term
from ludens.gdl.terms import arguments, functor
from ludens.gdl.write import kif
from ludens.players.evaluation.evaluators import Evaluation, advantage
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.genetic.trees import Token, value_of
from ludens.players.space.space import Expansion, Values

MOBILITY, GOAL, WORTH = "mobility", "goal", "worth"
OTHERS = "others' "
MOST_PARTS = 64
"""The most sums over a part of the fluents that expressions may use."""


@dataclass(frozen=True)
class Judgement:
    """An evaluation as numbers, and perhaps an expression."""

    weights: NDArray[np.float64]
    """The weight of each fluent for each role, and the bias in the last row (fluents + 1, roles)."""
    mobility: float = 0.0
    """The weight of having e times as many moves as others."""
    goals: float = 0.0
    """The weight of a lead of 100 to 0 in goals."""
    tree: tuple[Token, ...] = ()
    """An expression over features, which replaces all of the above if given."""


class Evolved(Evaluation):
    """A judgement as the evaluation of a search."""

    def __init__(self, game: BatchGame, judgement: Judgement) -> None:
        self._tree = judgement.tree
        self._mobility, self._goals = judgement.mobility, judgement.goals
        self._parts = parts_of(game) if judgement.tree else {}
        self._weights = judgement.weights
        self._sums = {WORTH: _sums(judgement.weights)}

    def estimate(self, found: Expansion) -> Values:
        """The sum of all weights, or the value of the expression."""
        assert found.packed is not None
        if self._tree:
            known: dict[str, Values] = {}
            features = (partial(self._feature, found, known, role) for role in range(found.goals.shape[1]))
            return np.stack([value_of(self._tree, feature, len(found.packed)) for feature in features], axis=1)
        whole = self._sums[WORTH](found.packed) / 2  # tanh(x/2) is the logistic function from -1 to 1
        if self._mobility:
            whole += self._mobility * advantage(np.log1p(found.mobility))
        if self._goals:
            whole += self._goals * advantage(found.goals / BEST_GOAL)
        return whole

    def _feature(self, found: Expansion, known: dict[str, Values], role: int, name: str) -> Values:
        """The value of a feature for a role; for others' features, the mean over all others."""
        own = name.removeprefix(OTHERS)
        if own not in known:
            known[own] = self._figures(own, found)
        figures = known[own]
        if own == name or figures.shape[1] == 1:
            return figures[:, role]
        mean: Values = (figures.sum(axis=1) - figures[:, role]) / (figures.shape[1] - 1)
        return mean

    def _figures(self, name: str, found: Expansion) -> Values:
        assert found.packed is not None
        if name == MOBILITY:
            return np.log1p(found.mobility)
        if name == GOAL:
            return found.goals / BEST_GOAL
        if name not in self._sums:
            chosen = np.zeros((len(self._weights), 1))
            chosen[self._parts[name]] = 1.0
            self._sums[name] = _sums(self._weights * chosen)
        return self._sums[name](found.packed) / 2


def _sums(weights: NDArray[np.float64]) -> FluentWeights:
    fluents = len(weights) - 1
    rows = np.zeros((8 * -(-fluents // 8) + 1, weights.shape[1]))
    rows[:fluents], rows[-1] = weights[:-1], weights[-1]
    return FluentWeights.of(rows)


def feature_names(game: BatchGame) -> list[str]:
    """The features of expressions: mobility, goals and sums of weights, for the own role and the others."""
    own = [MOBILITY, GOAL, WORTH, *parts_of(game)]
    return own + [OTHERS + name for name in own]


def parts_of(game: BatchGame) -> Mapping[str, list[int]]:
    """Fluents that share an argument, by a name such as ``worth cell 1=4``: columns, rows, kinds of pieces."""
    parts: dict[str, list[int]] = {}
    for number, fluent in enumerate(map(read_term, game.fluent_texts)):
        for place, argument in enumerate(arguments(fluent), start=1):
            parts.setdefault(f"{WORTH} {functor(fluent)} {place}={kif(argument)}", []).append(number)
    several = {name: numbers for name, numbers in parts.items() if len(numbers) > 1}
    return dict(sorted(several.items(), key=lambda part: -len(part[1]))[:MOST_PARTS])
