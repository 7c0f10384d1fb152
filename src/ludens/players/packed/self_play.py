"""Learn an evaluation from matches of a player against itself, in machine code, for two players: who leads in goals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ludens.core import BEST_GOAL
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame, PackedBits
from ludens.players.evaluation.fit import (
    BEGINNING,
    GREED,
    LONGEST_MATCH,
    RANDOM_BEGINNING,
    RANDOM_LATER,
    ROUNDS_KEPT,
)
from ludens.players.evaluation.weights import FluentWeights, Network, Weights, descend, expected_share
from ludens.players.packed.block_rules import BlockRules
from ludens.players.packed.machine import MatchesStructure, SearcherStructure, self_play_machine

ROUNDS = 8
"""Rounds of playing matches and fitting weights to them."""
FIRST_CHILDREN, MOST_CHILDREN = 200_000, 3_000_000
"""Positions computed in a round, approximately: twice as many as in the round before, up to a limit."""
FEWEST_MATCHES, MOST_MATCHES = 64, 4_096
SAMPLES, FITTED_SAMPLES = 120_000, 40_000
"""Positions of each round, approximately, that the network is trained with, and that weights are fitted to."""
FIRST_NETWORK = 3
"""The round after which a network is trained; later rounds are played with it."""
UNITS = 16
"""Of the network; the last is linear."""
PASSES, RATE = 2, 0.03
"""How often each round of training goes through the samples, and the size of the first steps."""
LAMBDA = 0.9
"""The network learns to predict later estimates of the same match and its result, which counts for a position k turns
before the end with this factor to the power of k (TD(lambda)): results alone are too noisy for so many weights."""
_SCALE = 1000
"""Units of a logit in machine code."""
_FIRST_INPUT, _FIRST_OUTPUT = 0.1, 0.3
"""The size of random weights at the beginning."""
_TRIALS = 512
_ITEMS, _MOVES, _STATE_WORDS, _ITEM_BYTES = 1 << 16, 1 << 21, 1 << 21, 56
_SEED = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions of matches."""

    states: NDArray[np.uint64]
    shares: NDArray[np.float64]
    """Of the goals that the first player got in the end."""
    targets: NDArray[np.float64]
    """The same, mixed with what was expected later in the match."""

    @classmethod
    def together(cls, parts: Sequence[Samples]) -> Samples:
        """All samples of some rounds."""
        return cls(
            np.concatenate([part.states for part in parts]),
            np.concatenate([part.shares for part in parts]),
            np.concatenate([part.targets for part in parts]),
        )

    def take(self, rng: np.random.Generator, most: int) -> Samples:
        """Some of them, at random."""
        if len(self.shares) <= most:
            return self
        chosen = rng.choice(len(self.shares), most, replace=False)
        return Samples(self.states[chosen], self.shares[chosen], self.targets[chosen])


class SelfPlay:
    """Matches of a game for two who move in turns."""

    def __init__(self, game: BatchGame, seed: int = 0) -> None:
        self._game = game
        self._machine = self_play_machine()
        self._rules = BlockRules(game, game.initial_state(), np.zeros(len(game.fluent_texts), np.bool_), 1)
        counts = [len(moves) for moves in game.move_texts]
        searcher = SearcherStructure()
        searcher.width, searcher.roles, searcher.most_moves = self._rules.width, len(counts), max(counts)
        searcher.state_room, searcher.item_room, searcher.move_room = _STATE_WORDS, _ITEMS, _MOVES
        searcher.hold(
            move_counts=np.array(counts, np.int64),
            states=np.zeros(_STATE_WORDS, np.uint64),
            items=np.zeros(_ITEMS * _ITEM_BYTES, np.uint8),
            moves=np.zeros(_MOVES, np.int32),
        )
        self._searcher = searcher
        self.rng = np.random.default_rng(seed)
        bits = np.unpackbits(game.pack([game.initial_state()])[0], count=len(game.fluent_texts), bitorder="little")
        self._initial = bits.view(np.bool_)
        self._first = np.zeros(8 * self._rules.width, np.uint8)
        kept = np.packbits(self._initial[self._rules.kept], bitorder="little")
        self._first[: len(kept)] = kept

    @property
    def bits(self) -> int:
        """The number of fluents that have weights."""
        return len(self._rules.kept)

    def weights_of(self, fitted: Weights) -> FluentWeights:
        """The weights of all fluents, from those of the fluents that change and the bias."""
        weights = np.zeros((8 * self._game.packed_width + 1, 2))
        weights[self._rules.kept, 0] = fitted[:-1]
        weights[-1, 0] = fitted[-1]
        weights[:, 1] = -weights[:, 0]
        return FluentWeights.of(weights)

    def fitted(self, weights: FluentWeights) -> Weights:
        """The weights of the fluents that change, for the first player, and the bias."""
        by_fluent = weights.by_fluent[:, 0]
        unchanging = by_fluent[: len(self._initial)][self._initial & ~self._game.changing_fluents].sum()
        return np.append(by_fluent[self._rules.kept], by_fluent[-1] + unchanging)

    def packed(self, samples: Samples) -> PackedBits:
        """The positions of samples with all fluents, as batches take them."""
        bits = np.repeat(self._initial[None], len(samples.shares), axis=0)
        bits[:, self._rules.kept] = np.unpackbits(samples.states.view(np.uint8), axis=1, bitorder="little")[
            :, : self.bits
        ]
        packed = np.packbits(bits, axis=1, bitorder="little")
        return np.pad(packed, ((0, 0), (0, self._game.packed_width - packed.shape[1])))

    def play(
        self, fitted: Weights, count: int, keep: float, go_on: Callable[[], bool], network: Network | None = None
    ) -> tuple[Samples, int, float] | None:
        """Matches by the weights, or by a network; returns a share of their positions, how many children were computed,
        and how many turns a match took. None if both players choose at once, or ``go_on`` returns False."""
        searcher, matches = self._searcher, MatchesStructure()
        rounded = np.round(fitted[:-1] * _SCALE).astype(np.int32)
        searcher.hold(weights=rounded, network=network)
        matches.count, matches.most_children, matches.greed = count, _ITEMS // 2, GREED
        matches.rng = int(self.rng.integers(1, 1 << 63)) ^ _SEED
        estimate = int(rounded[self._initial[self._rules.kept]].sum()) + round(float(fitted[-1]) * _SCALE)
        matches.hold(
            states=np.repeat(self._first.view(np.uint64)[None], count, axis=0),
            estimates=np.full(count, estimate, np.int32),
            is_over=np.zeros(count, np.uint8),
            shares=np.zeros(count, np.float64),
        )
        before = int(searcher.computed)
        owners, states, numbers, expected = [], [], [], []
        turns = 0
        for turn in range(LONGEST_MATCH):
            matches.random = RANDOM_BEGINNING if turn < BEGINNING else RANDOM_LATER
            self._rules.update_code()
            going_on = self._machine.turn(
                self._rules.structure.reference, searcher.reference, matches.reference, self._rules.root.ctypes.data
            )
            self._rules.code.note_use(int(searcher.work), 0)
            if going_on < 0 or not go_on():
                return None
            turns += going_on
            playing = np.flatnonzero(matches["is_over"] == 0)
            playing = playing[self.rng.random(len(playing)) < keep]
            owners.append(playing)
            states.append(matches["states"][playing])
            numbers.append(np.full(len(playing), turn))
            estimates = expected_share(matches["estimates"] / _SCALE)
            expected.append(np.where(matches["is_over"] == 1, matches["shares"], estimates))
            if not going_on:
                break
        owner = np.concatenate(owners)
        ended = matches["is_over"][owner] == 1
        owner, number = owner[ended], np.concatenate(numbers)[ended]
        targets = mixed_targets(expected, matches["shares"])[number, owner]
        samples = Samples(np.concatenate(states)[ended], matches["shares"][owner], targets)
        return samples, int(searcher.computed) - before, turns / count

    def fit(self, samples: Samples, start: Weights, go_on: Callable[[], bool]) -> Weights:
        """Weights that predict the shares (logistic regression)."""

        def slope_at(weights: Weights) -> Weights:
            slope = np.zeros_like(weights)
            self._machine.slope(
                samples.states.ctypes.data,
                samples.shares.ctypes.data,
                len(samples.shares),
                self._rules.width,
                self.bits,
                weights.ctypes.data,
                slope.ctypes.data,
            )
            return slope

        return descend(slope_at, start, go_on)

    def train(
        self, network: Network, squares: Network, samples: Samples, go_on: Callable[[], bool], passes: int = PASSES
    ) -> None:
        """Lower the loss of a network, in place; ``squares`` says how much it has learnt already."""
        count = len(samples.targets)
        for number in range(passes):
            if not go_on():
                return
            order = self.rng.permutation(count).astype(np.int32)
            self._machine.descend(
                network.ctypes.data,
                squares.ctypes.data,
                self.bits,
                samples.states.ctypes.data,
                self._rules.width,
                samples.targets.ctypes.data,
                order.ctypes.data,
                count,
                RATE * (1 - number / passes),
            )

    def logits(self, network: Network, samples: Samples) -> Weights:
        """What a network expects for the first player."""
        found = np.zeros(len(samples.shares))
        states = samples.states.ctypes.data, self._rules.width, len(found)
        self._machine.predict(network.ctypes.data, self.bits, *states, found.ctypes.data)
        return found

    def loss(self, network: Network, samples: Samples) -> float:
        """The log loss of a network's predictions of results."""
        logits = self.logits(network, samples)
        return float((np.logaddexp(0.0, logits) - samples.shares * logits).mean())

    def linear_network(self, fitted: Weights) -> Network:
        """A network that is the weights."""
        network = np.zeros((self.bits + 2, UNITS), np.float32)
        network[:-1, -1] = fitted
        return network

    def new_network(self, fitted: Weights) -> Network:
        """A network that begins near the weights, with random units."""
        network = self.linear_network(fitted)
        network[:-2, :-1] = _FIRST_INPUT * self.rng.normal(size=(self.bits, UNITS - 1))
        network[-2, :-1] = _FIRST_INPUT
        network[-1, :-1] = _FIRST_OUTPUT * self.rng.choice([-1.0, 1.0], UNITS - 1)
        return network


def mixed_targets(expected: Sequence[Weights], results: Weights) -> Weights:
    """What the estimate of each turn and match should have been, by later estimates and the results."""
    found = [results]
    for later in reversed(expected[1:]):
        found.append(LAMBDA * found[-1] + (1 - LAMBDA) * later)
    return np.array(found[::-1])


def can_learn(game: BatchGame) -> bool:
    """Whether this is a game for two without chance in which one gets what the other does not, by random playouts."""
    return not game.chance and is_opposed(game)


def is_opposed(game: BatchGame) -> bool:
    """Whether one of two roles gets what the other does not, by random playouts."""
    goals = _random_goals(game)
    return len(goals) > 0 and bool((goals.sum(axis=1) == BEST_GOAL).all())


def has_lead(game: BatchGame) -> bool:
    """Whether this is a game for two without chance in which one may get more than the other, by random playouts."""
    goals = _random_goals(game)
    return not game.chance and bool((goals[:, :1] != goals[:, 1:]).any())


def _random_goals(game: BatchGame) -> NDArray[np.int64]:
    """The goals in random playouts of a game for two without secrets; none of other games."""
    if len(game.roles) != 2 or game.hidden:
        return np.zeros((0, 2), np.int64)
    found = Batch(game, _TRIALS, seed=1).playouts(LONGEST_MATCH)
    return found.goals[found.ended]


def learn_by_self_play(game: BatchGame, go_on: Callable[[], bool]) -> Iterator[FluentWeights]:
    """Yield weights for all fluents after each round of matches, which are played with the weights of the round
    before, the first at random. Stops without a result in the round in which ``go_on`` returns False.

    After some rounds the weights come with a network, by which the next matches are played, as long as it predicts
    their results better than the weights do."""
    learner = SelfPlay(game)
    fitted: Weights = np.zeros(learner.bits + 1)
    network, squares = learner.new_network(fitted), np.ones((learner.bits + 2, UNITS), np.float32)
    rounds: list[Samples] = []
    count, wanted, length = FEWEST_MATCHES, FIRST_CHILDREN, float(LONGEST_MATCH)
    is_better = False
    for number in range(ROUNDS):
        keep = min(1.0, SAMPLES / (count * length)) if number else 1.0
        found = learner.play(fitted, count, keep, go_on, network if is_better else None)
        if found is None:
            return
        samples, children, length = found
        if number > FIRST_NETWORK and len(samples.shares):
            is_better = learner.loss(network, samples) < learner.loss(learner.linear_network(fitted), samples)
        rounds = [*rounds[1 - ROUNDS_KEPT :], samples]
        together = Samples.together(rounds)
        if len(together.shares):
            fitted = learner.fit(together.take(learner.rng, ROUNDS_KEPT * FITTED_SAMPLES), fitted, go_on)
        if number == FIRST_NETWORK:
            network, is_better = learner.new_network(fitted), True
        if number >= FIRST_NETWORK:
            learner.train(network, squares, together, go_on)
        if not go_on():
            return
        weights = learner.weights_of(fitted)
        yield replace(weights, network=network.copy()) if is_better else weights
        count = int(np.clip(count * wanted / max(1, children), FEWEST_MATCHES, MOST_MATCHES))
        wanted, length = min(2 * wanted, MOST_CHILDREN), max(1.0, length)
