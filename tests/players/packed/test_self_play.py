from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

import ludens
from ludens.core import State
from ludens.core.batch_game import BatchGame
from ludens.players.evaluation.weights import expected_share
from ludens.players.packed.machine import self_play_machine
from ludens.players.packed.self_play import SelfPlay, can_learn, has_lead, learn_by_self_play


def load(name: str) -> BatchGame:
    game = ludens.load(name, wait=True)
    assert isinstance(game, BatchGame)
    return game


def piece_count(game: BatchGame, word: str) -> list[int]:
    return [n for n, text in enumerate(game.fluent_texts) if word in text and "cell" in text]


@pytest.mark.parametrize(
    ("name", "suits"),
    [("breakthrough:5,5", True), ("pig", False), ("prisoners_dilemma", False), ("connect_four_3p", False)],
)
def test_two_players_with_opposite_goals_learn_in_machine_code(name: str, suits: bool) -> None:
    assert can_learn(load(name)) is suits


@pytest.mark.parametrize(
    ("name", "has_one"), [("breakthrough:5,5", True), ("criss_cross", True), ("pig", False), ("connect_four_3p", False)]
)
def test_two_players_may_have_a_lead_without_opposite_goals(name: str, has_one: bool) -> None:
    assert has_lead(load(name)) is has_one


def test_own_pieces_are_worth_more_than_the_opponents() -> None:
    game = load("breakthrough:5,5")
    weights = list(islice(learn_by_self_play(game, lambda: True), 3))[-1].by_fluent

    assert weights[piece_count(game, "white"), 0].mean() > 0.2
    assert weights[piece_count(game, "black"), 0].mean() < -0.2
    assert weights[:, 1] == pytest.approx(-weights[:, 0])


def test_learning_twice_gives_the_same_weights() -> None:
    game = load("connect_four")
    found = [list(islice(learn_by_self_play(game, lambda: True), 2))[-1].by_fluent for _ in range(2)]

    assert (found[0] == found[1]).all()


def test_positions_of_matches_are_reached_by_legal_moves_and_results_are_goals() -> None:
    game = load("tic_tac_toe")
    learner = SelfPlay(game)
    played = learner.play(np.zeros(learner.bits + 1), 200, 1.0, lambda: True)
    assert played is not None
    samples, children, turns = played
    changing = np.flatnonzero(game.changing_fluents)
    known = set()
    for packed in game.pack(reachable(game)):
        all_bits = np.unpackbits(packed, bitorder="little")
        known.add(all_bits[changing].tobytes())
    bits = np.unpackbits(samples.states.view(np.uint8), axis=1, bitorder="little")[:, : learner.bits]

    assert 5 <= turns <= 9
    assert children > 200
    assert set(samples.shares.tolist()) <= {0.0, 0.5, 1.0}
    assert {row.tobytes() for row in bits} <= known


def reachable(game: BatchGame) -> list[State]:
    found = {game.initial_state()}
    front = list(found)
    while front:
        state = front.pop()
        mover = next((role for role in game.roles if len(state.legal_moves(role)) > 1), None)
        if state.is_terminal or mover is None:
            continue
        for move in state.legal_moves(mover):
            after = state.play({role: move if role == mover else state.legal_moves(role)[0] for role in game.roles})
            if after not in found:
                found.add(after)
                front.append(after)
    return list(found)


def test_the_slope_is_that_of_the_loss() -> None:
    rng = np.random.default_rng(1)
    states = rng.integers(0, 1 << 63, (50, 2), np.uint64)
    bits = np.unpackbits(states.view(np.uint8), axis=1, bitorder="little").astype(np.float64)
    shares, weights = rng.random(50), rng.normal(size=129) / 10
    slope = np.zeros(129)

    self_play_machine().slope(
        states.ctypes.data, shares.ctypes.data, 50, 2, 128, weights.ctypes.data, slope.ctypes.data
    )

    error = expected_share((bits @ weights[:-1] + weights[-1])[:, None])[:, 0] - shares
    assert slope[:-1] == pytest.approx(bits.T @ error / 50)
    assert slope[-1] == pytest.approx(error.mean())


def test_games_with_hundreds_of_moves_are_played_in_smaller_groups() -> None:
    game = load("pentago")
    learner = SelfPlay(game)

    assert learner.play(np.zeros(learner.bits + 1), 64, 1.0, lambda: True) is not None


def test_learning_ends_when_it_is_told_to() -> None:
    game = load("connect_four")
    looks = iter([True] * 5)

    assert list(learn_by_self_play(game, lambda: next(looks, False))) == []


def test_simultaneous_choices_are_left_to_others() -> None:
    game = load("rock_paper_scissors")

    assert list(learn_by_self_play(game, lambda: True)) == []
