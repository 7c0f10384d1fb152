"""Individuals and how they vary: vectors of weights, or expression trees, by the means of DEAP.

This module imports deap, so everything that must work without it imports this module when it is needed. DEAP draws
from Python's own generator of random numbers, which whoever breeds has to seed.
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

from ludens.core.batch import BatchGame
from ludens.players.genetic.judgement import WORTH, Judgement, feature_names
from ludens.players.genetic.trees import MOST_TOKENS, OPERATIONS, Token

SPREAD = 0.5
"""How far weights of the first generation are from those that were learnt, compared with how far these are from 0."""
STEP = 0.35
"""The same for one mutation."""
MUTATED = 0.15
"""The part of the weights that a mutation changes."""
MOBILITY_UNIT = 0.2
"""What mobility and goals are measured in, so that one step is about as much for them as for weights."""
DEEPEST, LONGEST = 8, 80
"""Of expression trees."""
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
    """A kind of individuals: how the first are made, how they vary, and what they stand for."""

    @abstractmethod
    def first_generation(self, count: int) -> list[Individual]:
        """The first generation, of which the first stands for what was learnt before."""

    @abstractmethod
    def child(self, first: Individual, second: Individual) -> Individual:
        """A child of two individuals, which stay as they are."""

    @abstractmethod
    def judgement(self, individual: Individual) -> Judgement:
        """What an individual stands for."""

    @abstractmethod
    def individual(self, judgement: Judgement) -> Individual:
        """The individual that stands for a judgement."""

    def mean(self, individuals: Sequence[Individual]) -> Individual | None:
        """What many individuals have in common, if there is such a thing."""
        return None


class VectorBreed(Breed):
    """Weights of fluents, of mobility and of goals, varied around those that were learnt."""

    def __init__(self, learnt: NDArray[np.float64]) -> None:
        self._learnt = learnt
        self._unit = float(np.sqrt(np.mean(learnt**2))) or 0.1
        self._is_mirrored = learnt.shape[1] == 2 and np.array_equal(learnt[:, 0], -learnt[:, 1])
        self._columns = 1 if self._is_mirrored else learnt.shape[1]

    def first_generation(self, count: int) -> list[Individual]:
        """What was learnt, and variations of it, with some mobility."""
        known = self.individual(Judgement(self._learnt))
        found = [known]
        for _ in range(count - 1):
            spread = random.uniform(0, SPREAD)
            genes = [gene + random.gauss(0, spread) for gene in known[:-2]]
            found.append(Vector([*genes, random.uniform(-1, 3), random.uniform(-1, 1)]))
        return found

    def child(self, first: Individual, second: Individual) -> Individual:
        """Crossed over, each weight from one of both or from between, and mutated."""
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
        """The mean, in which accidents of single individuals cancel out."""
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
        """What was learnt, that with something added, and anything."""
        known = [WORTH]
        found: list[Individual] = [self._from_tokens([WORTH])]
        while len(found) < count:
            grown = self._tokens(gp.PrimitiveTree(self._grown()))
            found.append(self._from_tokens(grown if len(found) % 4 == 0 else ["add", *known, "multiply", 0.2, *grown]))
        return found

    def child(self, first: Individual, second: Individual) -> Individual:
        """Subtrees exchanged, replaced, or constants changed; the parent itself where that grows too large."""
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
