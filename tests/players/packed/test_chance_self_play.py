from __future__ import annotations

from itertools import islice
from random import Random

import numpy as np
import pytest

import ludens
from ludens.core import Clock, Deadline
from ludens.core.batch_game import BatchGame
from ludens.players.evaluation.weights import FluentWeights, expected_share
from ludens.players.packed.chance_self_play import ChanceSelfPlay, learn_with_chance
from ludens.players.packed.self_play import UNITS, Samples, is_opposed
from ludens.players.registry import make_player
from ludens.players.search.block_search import BlockSearch
from ludens.players.search.settings import SearchSettings


def load(name: str) -> BatchGame:
    game = ludens.load(name, wait=True)
    assert isinstance(game, BatchGame)
    return game


@pytest.mark.parametrize(("name", "suits"), [("pig", True), ("backgammon", True), ("ludo", False)])
def test_networks_are_for_two_with_opposite_goals(name: str, suits: bool) -> None:
    assert is_opposed(load(name)) is suits


def test_positions_of_matches_have_their_results() -> None:
    game = load("pig")
    learner = ChanceSelfPlay(game)

    played = learner.play(np.zeros(learner.bits + 1), 64, 1.0, lambda: True)

    assert played is not None
    samples, children, turns = played
    assert turns > 20
    assert children > len(samples.shares)
    assert set(samples.shares.tolist()) == {0.0, 1.0}
    assert ((samples.targets >= 0) & (samples.targets <= 1)).all()
    assert len(learner.packed(samples)) == len(samples.shares)


def test_matches_end_without_a_result_when_time_is_up() -> None:
    learner = ChanceSelfPlay(load("pig"))

    assert learner.play(np.zeros(learner.bits + 1), 64, 1.0, lambda: False) is None


def test_who_leads_is_expected_to_win() -> None:
    game = load("pig")
    weights = list(islice(learn_with_chance(game, lambda: True), 4))[-1]
    assert weights.network is not None
    learner = ChanceSelfPlay(game)
    played = learner.play(np.zeros(learner.bits + 1), 500, 0.1, lambda: True, weights.network)
    assert played is not None
    samples = played[0]

    expected = expected_share(learner.logits(weights.network, samples))

    assert np.corrcoef(expected, samples.shares)[0, 1] > 0.3
    assert learner.loss(weights.network, samples) < constant_loss(samples)


def constant_loss(samples: Samples) -> float:
    mean = float(samples.shares.mean())
    return float(-mean * np.log(mean) - (1 - mean) * np.log(1 - mean))


def test_a_search_values_leaves_by_the_network() -> None:
    game = load("backgammon")
    network = np.zeros((int(game.changing_fluents.sum()) + 2, UNITS), np.float32)
    network[-2, -1] = 1.0
    weights = FluentWeights(np.zeros((game.packed_width, 256, 2)), np.zeros(2), network)
    settings = SearchSettings(0.2, 0.0, 0, False, 20, 0, 0, 4)

    state = game.initial_state()
    rng = Random(1)
    while len(state.legal_moves("white")) < 2:
        state = state.sample({role: state.legal_moves(role)[0] for role in game.roles}, rng)
    search = BlockSearch(game, 0, settings, 1, weights)
    search.set_root(state)
    search.run(60.0, 500)

    means = [move.mean for move in search.root_moves() if move.visits]
    assert means == pytest.approx([100 * float(expected_share(np.ones(1))[0])] * len(means), abs=0.1)


def test_mcts_plays_by_a_network() -> None:
    game = load("pig")
    player = make_player("mcts:network=on,iterations=200")
    player.start(game, game.roles[0], 1, Clock(1, 10))
    state = game.initial_state()

    decision = player.choose(state.view(game.roles[0]), Deadline(60))

    assert decision.move in state.legal_moves(game.roles[0])
    assert getattr(player, "why", "") == "leaves are valued by a network"
    player.stop()
