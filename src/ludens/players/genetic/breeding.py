"""Individuals and their variation, with DEAP: vectors of weights, or expression trees.

This module imports deap, so everything that must work without it imports this module on demand. DEAP uses Python's
global random generator, which the caller has to seed.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from deap import base, gp, tools
from numpy.typing import NDArray

from ludens.core.batch_game import BatchGame
from ludens.players.genetic.judgement import WORTH, Judgement, feature_names
from ludens.players.genetic.trees import MOST_TOKENS, OPERATIONS, Token

SPREAD = 0.5
"""The spread of the first generation around the learnt weights, in units of their usual size."""
STEP = 0.35
"""The same for one mutation."""
MUTATED = 0.15
"""The share of the weights that a mutation changes."""
MOBILITY_UNIT = 0.2
"""The unit of mobility and goals, so that one step is about as much for them as for weights."""
DEEPEST, LONGEST = 8, 80
"""The limits of the height and size of expression trees."""
assert LONGEST <= MOST_TOKENS


class Fitness(base.Fitness):  # type: ignore[misc]  # deap has no types
    """The share of points won; more is better."""

    weights = (1.0,)


class Vector(list[float]):
    """Weights in units of their usual size, then mobility and goals."""

    def __init__(self, genes: Sequence[float] = ()) -> None:
        super().__init__(genes)
        self.fitness = Fitness()
        self.won, self.played = 0.0, 0.0


class Expression(gp.PrimitiveTree):  # type: ignore[misc]  # deap has no types
    """A tree of operations, features and constants."""

    def __init__(self, nodes: Sequence[Any] = ()) -> None:
        super().__init__(nodes)
        self.fitness = Fitness()
        self.won, self.played = 0.0, 0.0


Individual = Vector | Expression


class Breed(ABC):
    """A kind of individuals: how they are created, varied, and decoded."""

    @abstractmethod
    def first_generation(self, count: int) -> list[Individual]:
        """The first generation; its first individual encodes the learnt weights."""

    @abstractmethod
    def child(self, first: Individual, second: Individual) -> Individual:
        """A child of two individuals, which are not changed."""

    @abstractmethod
    def judgement(self, individual: Individual) -> Judgement:
        """The judgement that an individual encodes."""

    @abstractmethod
    def individual(self, judgement: Judgement) -> Individual:
        """The individual that encodes a judgement."""

    def mean(self, individuals: Sequence[Individual]) -> Individual | None:
        """The mean of individuals, if it is defined; else None."""
        return None


class VectorBreed(Breed):
    """Weights of fluents, mobility and goals, varied around the learnt ones."""

    def __init__(self, learnt: NDArray[np.float64]) -> None:
        self._learnt = learnt
        self._unit = float(np.sqrt(np.mean(learnt**2))) or 0.1
        self._is_mirrored = learnt.shape[1] == 2 and np.array_equal(learnt[:, 0], -learnt[:, 1])
        self._columns = 1 if self._is_mirrored else learnt.shape[1]

    def first_generation(self, count: int) -> list[Individual]:
        """The learnt weights, and variations of them, with some mobility."""
        known = self.individual(Judgement(self._learnt))
        found = [known]
        for _ in range(count - 1):
            spread = random.uniform(0, SPREAD)
            genes = [gene + random.gauss(0, spread) for gene in known[:-2]]
            found.append(Vector([*genes, random.uniform(-1, 3), random.uniform(-1, 1)]))
        return found

    def child(self, first: Individual, second: Individual) -> Individual:
        """Blend crossover of each weight, then mutation."""
        one, other = Vector(first), Vector(second)
        if random.random() < 0.5:
            tools.cxUniform(one, other, 0.5)
        else:
            tools.cxBlend(one, other, 0.1)
        tools.mutGaussian(one, 0.0, random.choice([STEP / 4, STEP]), MUTATED)
        return one

    def judgement(self, individual: Individual) -> Judgement:
        """The genes in their units."""
        genes = np.array(individual)
        weights = genes[:-2].reshape(-1, self._columns) * self._unit
        if self._is_mirrored:
            weights = np.concatenate([weights, -weights], axis=1)
        return Judgement(weights, genes[-2] * MOBILITY_UNIT, genes[-1] * MOBILITY_UNIT)

    def individual(self, judgement: Judgement) -> Individual:
        """Back to genes."""
        genes = (judgement.weights[:, : self._columns] / self._unit).ravel().tolist()
        return Vector([*genes, judgement.mobility / MOBILITY_UNIT, judgement.goals / MOBILITY_UNIT])

    def mean(self, individuals: Sequence[Individual]) -> Individual | None:
        """The mean, in which noise of single individuals cancels out."""
        return Vector(np.mean([list(one) for one in individuals], axis=0).tolist())


class TreeBreed(Breed):
    """Expressions over sums of learnt weights, mobility and goals."""

    def __init__(self, game: BatchGame, learnt: NDArray[np.float64]) -> None:
        self._learnt = learnt
        self._features = feature_names(game)
        self._kit = gp.PrimitiveSet("judgement", 0)
        for name, (arity, function) in OPERATIONS.items():
            self._kit.addPrimitive(function, arity, name=name)
        for number in range(len(self._features)):
            self._kit.addTerminal(0.0, name=f"feature_{number}")
        self._grown = partial(gp.genHalfAndHalf, self._kit, 1, 4)

    def first_generation(self, count: int) -> list[Individual]:
        """The learnt evaluation, variations with a term added, and random expressions."""
        known = [WORTH]
        found: list[Individual] = [self._from_tokens([WORTH])]
        while len(found) < count:
            grown = self._tokens(gp.PrimitiveTree(self._grown()))
            found.append(self._from_tokens(grown if len(found) % 4 == 0 else ["add", *known, "multiply", 0.2, *grown]))
        return found

    def child(self, first: Individual, second: Individual) -> Individual:
        """Exchange or replace subtrees, or change constants; the parent itself if the result is too large."""
        one, other = Expression(first), Expression(second)
        kind = random.random()
        if kind < 0.6 and len(one) > 1 and len(other) > 1:
            gp.cxOnePoint(one, other)
        elif kind < 0.85:
            gp.mutUniform(one, expr=lambda pset, type_: gp.genHalfAndHalf(pset, 0, 2, type_), pset=self._kit)
        elif len(one) > 1:
            gp.mutShrink(one)
        for place, node in enumerate(one):
            if isinstance(node, gp.Terminal) and not _is_feature(node) and random.random() < 0.3:
                one[place] = _constant(node.value + random.gauss(0, 0.2))
        fits = len(one) <= LONGEST and one.height <= DEEPEST
        return Expression(one) if fits else Expression(first)

    def judgement(self, individual: Individual) -> Judgement:
        """The learnt weights, and the expression over them."""
        return Judgement(self._learnt, tree=tuple(self._tokens(individual)))

    def individual(self, judgement: Judgement) -> Individual:
        """Back to a tree of DEAP."""
        return self._from_tokens(judgement.tree or [WORTH])

    def _from_tokens(self, tokens: Sequence[Token]) -> Expression:
        numbers = {name: f"feature_{number}" for number, name in enumerate(self._features)}
        return Expression(
            [
                _constant(token) if not isinstance(token, str) else self._kit.mapping[numbers.get(token, token)]
                for token in tokens
            ]
        )

    def _tokens(self, tree: Sequence[Any]) -> list[Token]:
        return [
            node.name
            if isinstance(node, gp.Primitive)
            else self._features[int(node.name.removeprefix("feature_"))]
            if _is_feature(node)
            else float(node.value)
            for node in tree
        ]


def _is_feature(node: Any) -> bool:
    return isinstance(node.name, str) and node.name.startswith("feature_")


def _constant(value: float) -> Any:
    return gp.Terminal(float(value), False, object)
