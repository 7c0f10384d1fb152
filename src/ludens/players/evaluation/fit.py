"""Learn weights of fluents from self-play, thousands of positions at once.

Weights are fitted to results by logistic regression. Measured alternatives: results of random play alone say too
little about the value of a piece in breakthrough; sharing weights between fluents with common arguments helped
breakthrough and hurt othello; temporal differences instead of results made little difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.core.batch_game import PackedBits
from ludens.players.evaluation.weights import FluentWeights, Weights, fit_weights
from ludens.players.minimax.choice import BEST, SEVERAL, choosers
from ludens.players.space.compiled import CompiledSpace
from ludens.players.space.space import Expansion, Values

ROUNDS = 5
"""Rounds of playing matches and fitting weights to them."""
CHILDREN_EACH_ROUND = 200_000
"""Positions computed in one round, approximately."""
MOST_MATCHES = 512
LONGEST_MATCH = 300
"""Longer matches are not learnt from."""
MOST_BYTES = 300_000
"""The size limit of the samples that weights are fitted to."""
FEWEST_MATCHES = 64
ROUNDS_KEPT = 3
"""Weights are fitted to the matches of this many recent rounds."""
RANDOM_BEGINNING, RANDOM_LATER = 0.5, 0.05
"""The share of random moves, in the first plies and later, so that matches differ."""
BEGINNING = 6
GREED = 2.0
"""The inverse temperature by which better moves are played more often."""
SURE = 20.0
"""The logit that stands for the certain result of a terminal position."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions and the results of their matches."""

    packed: PackedBits
    shares: Values
    """The share of the best goal that each role got in the end (positions, roles)."""

    def sample(self, most_bytes: int, rng: np.random.Generator) -> Samples:
        """A random subset of the samples within a size limit."""
        most = max(1, most_bytes // self.packed.shape[1])
        if len(self.packed) <= most:
            return self
        chosen = rng.choice(len(self.packed), most, replace=False)
        return Samples(self.packed[chosen], self.shares[chosen])


def learn(space: CompiledSpace, go_on: Callable[[], bool]) -> Iterator[FluentWeights]:
    """Yield weights for all fluents of a game after each round of matches, which are played with the weights of the
    round before, the first at random. Stops without a result in the round in which ``go_on`` returns False."""
    rng = np.random.default_rng(0)
    weights: Weights = np.zeros((8 * space.width + 1, len(space.roles)))
    rounds: list[Samples] = []
    matches = FEWEST_MATCHES
    for _ in range(ROUNDS):
        played, children = _play(space, FluentWeights.of(weights), matches, rng, go_on)
        matches = int(np.clip(matches * CHILDREN_EACH_ROUND / children, FEWEST_MATCHES, MOST_MATCHES))
        rounds = [*rounds[1 - ROUNDS_KEPT :], played.sample(MOST_BYTES // ROUNDS_KEPT, rng)]
        packed = np.concatenate([part.packed for part in rounds])
        shares = np.concatenate([part.shares for part in rounds])
        if len(packed):
            weights = fit_weights(packed, shares, weights, go_on)
        if not go_on():
            return
        yield FluentWeights.of(weights)


def _play(
    space: CompiledSpace, worth: FluentWeights, matches: int, rng: np.random.Generator, go_on: Callable[[], bool]
) -> tuple[Samples, int]:
    """Play matches from the initial position; returns samples and the number of children computed."""
    keys = [space.key(space.game.initial_state())] * matches
    lanes = np.arange(matches)
    shares = np.zeros((matches, len(space.roles)))
    seen: list[tuple[NDArray[np.int64], PackedBits]] = []
    children = 0
    for ply in range(LONGEST_MATCH):
        found = space.expand(keys)
        assert found.packed is not None
        children += len(found.keys)
        chosen = choose_children(found, worth(found.packed), RANDOM_BEGINNING if ply < BEGINNING else RANDOM_LATER, rng)
        over = found.terminal[chosen]
        shares[lanes[over]] = found.goals[chosen[over]] / BEST
        chosen, lanes = chosen[~over], lanes[~over]
        seen.append((lanes, found.packed[chosen]))
        keys = [found.keys[place] for place in chosen.tolist()]
        if not keys or not go_on():
            break
    lane = np.concatenate([lanes for lanes, _ in seen])
    packed = np.concatenate([packed for _, packed in seen])
    ended = ~np.isin(lane, lanes)
    return Samples(packed[ended], shares[lane[ended]]), children


def choose_children(found: Expansion, worth: Values, random: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw one child of each position: better ones for the role that chooses are more likely; some are uniform.

    ``worth`` is a logit for each nonterminal child and each role. A joint move is worth the mean of its outcomes, of
    which one is drawn.
    """
    joint = found.joint
    position = np.repeat(np.arange(len(joint.counts)), np.diff(joint.first))
    who = choosers(joint)
    sums = np.where(found.terminal[:, None], SURE * (found.goals / BEST - 0.5), worth)
    promise = (
        GREED * np.take_along_axis(joint.expected_values(sums), np.maximum(who, 0)[position][:, None], axis=1)[:, 0]
    )
    uniform = (rng.random(len(who)) < random) | (who == SEVERAL)
    chosen = _sample_softmax(np.where(uniform[position], 0.0, promise), joint.first, rng)
    if joint.first_child is None or joint.probabilities is None:
        return chosen
    return _sample_softmax(np.log(joint.probabilities), joint.first_child, rng)[chosen]


def _sample_softmax(promise: Values, first: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw one member of each group by softmax; ``first`` says where groups begin, and where the last ends."""
    group = np.repeat(np.arange(len(first) - 1), np.diff(first))
    # The highest of promises with Gumbel noise is a draw by the softmax of the promises.
    found: NDArray[np.int64] = np.lexsort((promise + rng.gumbel(size=len(promise)), group))[first[1:] - 1]
    return found
