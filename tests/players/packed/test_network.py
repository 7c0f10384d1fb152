from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

import ludens
from ludens.core.batch_game import BatchGame
from ludens.players.evaluation.weights import Network, Weights, expected_share
from ludens.players.packed import self_play
from ludens.players.packed.assessment import assess
from ludens.players.packed.self_play import FIRST_NETWORK, UNITS, Samples, SelfPlay, learn_by_self_play, mixed_targets


def load(name: str) -> BatchGame:
    game = ludens.load(name, wait=True)
    assert isinstance(game, BatchGame)
    return game


def played(learner: SelfPlay, count: int) -> Samples:
    found = learner.play(np.zeros(learner.bits + 1), count, 1.0, lambda: True)
    assert found is not None
    return found[0]


def expected_logits(learner: SelfPlay, network: Network, samples: Samples) -> Weights:
    """The network as numpy computes it."""
    bits = np.unpackbits(samples.states.view(np.uint8), axis=1, bitorder="little")[:, : learner.bits]
    sums = bits @ network[:-2] + network[-2]
    found: Weights = sums[:, -1] + np.maximum(sums[:, :-1], 0.0) @ network[-1, :-1]
    return found


def random_network(learner: SelfPlay) -> Network:
    network: Network = np.random.default_rng(1).normal(scale=0.25, size=(learner.bits + 2, UNITS)).astype(np.float32)
    network[-1, -1] = 0.0  # the linear unit is added as it is
    return network


def test_logits_are_those_of_the_network() -> None:
    learner = SelfPlay(load("breakthrough:4,4"))
    network, samples = random_network(learner), played(learner, 20)

    assert learner.logits(network, samples) == pytest.approx(expected_logits(learner, network, samples), abs=1e-4)


def test_a_new_network_adds_little_to_the_weights() -> None:
    learner = SelfPlay(load("breakthrough:4,4"))
    samples, fitted = played(learner, 20), np.linspace(-1, 1, learner.bits + 1)
    linear = learner.linear_network(fitted)

    difference = learner.logits(learner.new_network(fitted), samples) - learner.logits(linear, samples)

    assert np.abs(difference).max() < 3.0
    assert np.abs(difference).max() > 0.0


def test_training_lowers_the_loss() -> None:
    learner = SelfPlay(load("breakthrough:4,4"))
    samples = played(learner, 200)
    network, squares = learner.new_network(np.zeros(learner.bits + 1)), np.ones((learner.bits + 2, UNITS), np.float32)

    def loss() -> float:
        logits = learner.logits(network, samples)
        return float((np.logaddexp(0.0, logits) - samples.targets * logits).mean())

    before = loss()
    learner.train(network, squares, samples, lambda: True)

    assert loss() < before - 0.02


def test_targets_are_results_at_the_end_and_expectations_before() -> None:
    expected = [np.array([0.5]), np.array([0.8]), np.array([0.2]), np.array([1.0])]

    targets = mixed_targets(expected, np.array([1.0]))

    assert targets[3] == 1.0
    assert targets[2] == pytest.approx(1.0)
    assert targets[1] == pytest.approx(0.9 * 1.0 + 0.1 * 0.2)
    assert targets[0] == pytest.approx(0.9 * targets[1] + 0.1 * 0.8)


def test_children_are_evaluated_as_the_network_does(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = SelfPlay(load("breakthrough:4,4"))
    network = random_network(learner)
    seen: list[Weights] = []

    def note(expected: list[Weights], results: Weights) -> Weights:
        seen.extend(expected)
        return np.zeros((len(expected), len(results)))

    monkeypatch.setattr(self_play, "mixed_targets", note)
    found = learner.play(np.zeros(learner.bits + 1), 1, 1.0, lambda: True, network)

    assert found is not None
    logits = learner.logits(network, found[0])
    assert len(logits) == len(seen) - 1  # all positions of the match but the last, in which it is over
    assert np.array(seen[:-1])[:, 0] == pytest.approx(expected_share(logits), abs=1e-3)


@pytest.mark.slow
def test_a_learnt_network_predicts_better_than_weights() -> None:
    game = load("breakthrough:5,5")
    weights = list(learn_by_self_play(game, lambda: True))[-1]
    found = assess(game, weights)

    assert found is not None
    assert found.network is not None
    assert found.network < found.weights < found.constant


def test_no_network_comes_in_the_first_rounds() -> None:
    game = load("breakthrough:5,5")
    found = list(islice(learn_by_self_play(game, lambda: True), FIRST_NETWORK + 1))

    assert [weights.network is not None for weights in found] == [False] * FIRST_NETWORK + [True]


def test_a_network_that_predicts_worse_than_weights_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SelfPlay, "loss", lambda self, network, samples: float(np.abs(network[-1]).sum()))
    found = list(islice(learn_by_self_play(load("tic_tac_toe"), lambda: True), FIRST_NETWORK + 2))

    assert found[FIRST_NETWORK].network is not None
    assert found[-1].network is None
