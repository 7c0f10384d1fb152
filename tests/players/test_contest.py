from __future__ import annotations

import numpy as np
import pytest

import ludens
from ludens.core import Clock, Deadline
from ludens.core.batch_game import BatchGame
from ludens.players import contest
from ludens.players.alphabeta import AlphaBetaPlayer
from ludens.players.contest import Contender, choose_search
from ludens.players.decomposition.player import DecompositionPlayer
from ludens.players.evaluation import choose
from ludens.players.evaluation.weights import FluentWeights
from ludens.players.mcts import MctsPlayer
from ludens.players.search import trial
from ludens.players.search.trial import Rival


def load(name: str) -> BatchGame:
    game = ludens.load(name, wait=True)
    assert isinstance(game, BatchGame)
    return game


def count_pieces(game: BatchGame, sign: int = 1) -> FluentWeights:
    weights = np.zeros((8 * game.packed_width + 1, 2))
    for n, text in enumerate(game.fluent_texts):
        side = sign * (("white" in text) - ("black" in text))
        weights[n] = side, -side
    return FluentWeights.of(weights)


@pytest.fixture
def duel(monkeypatch: pytest.MonkeyPatch) -> BatchGame:
    """A game whose evaluation was learnt before."""
    game = load("breakthrough:5,6")
    monkeypatch.setitem(choose._weights.learnt, game, count_pieces(game))
    return game


def decide(monkeypatch: pytest.MonkeyPatch, duel: BatchGame, *shares: float | None) -> tuple[Contender, str]:
    """The choice if challengers get these shares of the points, one after the other."""
    found = list(shares)
    monkeypatch.setattr(contest, "share_of_points", lambda *_: found.pop(0))
    return choose_search(duel, Clock(1.0, 60.0), 20)


@pytest.mark.parametrize("name", ["pig", "sokoban", "connect_four_3p", "prisoners_dilemma"])
def test_games_that_are_no_duels_are_left_to_mcts(name: str) -> None:
    player, why = choose_search(load(name), Clock(1.0, 0.5), 20)

    assert isinstance(player, MctsPlayer)
    assert player.settings["lookahead"] == "auto"
    assert why == ""


def test_without_time_mcts_plays() -> None:
    player, _ = choose_search(load("breakthrough:5,6"), Clock(1.0, 0.0), 20)

    assert isinstance(player, MctsPlayer)


def test_the_winner_plays_and_the_reason_names_the_loser(monkeypatch: pytest.MonkeyPatch, duel: BatchGame) -> None:
    player, why = decide(monkeypatch, duel, 0.25, 0.75)

    assert isinstance(player, AlphaBetaPlayer)
    assert player.settings["memory"] == 20
    assert why == "alphabeta won 75% of the points in quick matches against mcts"


def test_a_challenger_that_loses_does_not_play(monkeypatch: pytest.MonkeyPatch, duel: BatchGame) -> None:
    player, why = decide(monkeypatch, duel, 1.0, 0.25)

    assert isinstance(player, MctsPlayer)
    assert player.settings["lookahead"] == "on"
    assert why == "mcts with estimates of moves won 75% of the points in quick matches against alphabeta"


def test_a_round_without_a_result_changes_nothing(monkeypatch: pytest.MonkeyPatch, duel: BatchGame) -> None:
    player, why = decide(monkeypatch, duel, None, None)

    assert isinstance(player, MctsPlayer)
    assert player.settings["lookahead"] == "off"
    assert why == "no time for quick matches"


def test_a_search_that_counts_its_pieces_beats_one_that_gives_them_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "_MOST_MOVE_SECONDS", trial._LEAST_MOVE_SECONDS)
    game = load("breakthrough:5,6")
    wise = AlphaBetaPlayer().rival(game, count_pieces(game))
    foolish = Rival("foolish", AlphaBetaPlayer().rival(game, count_pieces(game, -1)).make)

    share = trial.share_of_points(game, (wise, foolish), Deadline(600.0))

    assert share is not None
    assert share > 0.7


def test_decomposition_plays_with_the_chosen_search(monkeypatch: pytest.MonkeyPatch, duel: BatchGame) -> None:
    monkeypatch.setattr(contest, "share_of_points", lambda *_: 1.0)
    player = DecompositionPlayer(memory=20)

    player.start(duel, "white", 1, Clock(0.05, 20.0))
    decision = player.choose(duel.initial_state().view("white"), Deadline(1.0))
    player.stop()

    assert player.why.endswith("alphabeta won 100% of the points in quick matches against mcts with estimates of moves")
    assert decision.thinking.extra["native"]
