from __future__ import annotations

import math

import numpy as np
import pytest

import ludens
from ludens.core.batch_game import BatchGame
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.packed.assessment import HEAVIEST, assess
from ludens.players.packed.self_play import SelfPlay


def load(name: str) -> BatchGame:
    game = ludens.load(name, wait=True)
    assert isinstance(game, BatchGame)
    return game


def weigh(game: BatchGame, white: float) -> FluentWeights:
    weights = np.zeros((8 * game.packed_width + 1, 2))
    for n, text in enumerate(game.fluent_texts):
        weights[n, 0] = white * (("white" in text) - ("black" in text))
    weights[:, 1] = -weights[:, 0]
    return FluentWeights.of(weights)


def test_an_evaluation_that_knows_nothing_is_a_fair_coin() -> None:
    game = load("breakthrough:4,4")

    found = assess(game, weigh(game, 0.0))

    assert found is not None
    assert found.weights == pytest.approx(math.log(2))
    assert found.constant <= math.log(2) + 1e-9
    assert found.playouts < found.constant  # on so small a board even random playouts tell who wins
    assert len(found.heaviest) == HEAVIEST


def test_counting_pieces_predicts_better_than_a_coin_and_than_its_opposite() -> None:
    game = load("breakthrough:4,4")

    right, wrong = (assess(game, weigh(game, sign * 0.3)) for sign in (1, -1))

    assert right is not None
    assert wrong is not None
    assert right.weights < math.log(2) < wrong.weights
    assert all(weight > 0 for fluent, weight in right.heaviest if "white" in fluent)


def test_positions_of_samples_are_positions_of_the_game() -> None:
    game = load("tic_tac_toe")
    play = SelfPlay(game)
    found = play.play(play.fitted(weigh(game, 0.0)), 20, 1.0, lambda: True)
    assert found is not None

    for state in game.unpack(play.packed(found[0]))[:40]:
        assert not state.is_terminal
        assert any(len(state.legal_moves(role)) >= 1 for role in game.roles)
        assert str(state) != str(game.initial_state())
