from __future__ import annotations

from dataclasses import replace
from pathlib import Path

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
from ludens.players.packed.self_play import SelfPlay
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
    monkeypatch.setitem(choose.goal_lessons.learnt, game, count_pieces(game))
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


SPOILS = """
(role red) (role blue) (init (turn 1))
(<= (legal red share) (true (turn 1))) (<= (legal red spoil) (true (turn 1)))
(<= (legal blue wait) (true (turn 1)))
(<= (next (shared)) (does red share)) (<= (next (spoilt)) (does red spoil))
(<= terminal (not (true (turn 1))))
(<= (goal red 60) (true (shared))) (<= (goal blue 60) (true (shared)))
(<= (goal red 50) (true (spoilt))) (<= (goal blue 0) (true (spoilt)))
"""


@pytest.mark.parametrize(("others", "move"), [("paranoid", "share"), ("rival", "spoil")])
def test_a_rival_plays_for_the_lead_and_claims_no_goal(tmp_path: Path, others: str, move: str) -> None:
    sheet = tmp_path / "spoils.kif"
    sheet.write_text(SPOILS)
    game = load(str(sheet))
    player = AlphaBetaPlayer(others=others)

    player.start(game, "red", 1, Clock(1.0, 60.0))
    decision = player.choose(game.initial_state().view("red"), Deadline(10.0))

    assert decision.move == move
    assert decision.thinking.extra["proven"] is (others == "paranoid")


@pytest.mark.parametrize(
    ("gain", "others", "note"),
    [
        (-49.0, "rival", "alphabeta plays for a lead, with -49 points in quick matches against mcts"),
        (-51.0, None, "alphabeta, which plays for a lead, got -51 points in quick matches against mcts"),
        (None, None, "no time for quick matches"),
    ],
)
def test_goals_without_a_constant_sum_are_played_for_a_lead_if_that_pays(
    monkeypatch: pytest.MonkeyPatch, gain: float | None, others: str | None, note: str
) -> None:
    game = load("criss_cross")
    monkeypatch.setitem(choose.lead_lessons.learnt, game, count_pieces(game))
    monkeypatch.setattr(contest, "gain_by_switching", lambda *_: gain)

    player, why = choose_search(game, Clock(1.0, 60.0), 20)

    assert player.settings.get("others") == others
    assert why == note


def test_switching_gains_goals_and_won_matches() -> None:
    alone, both = ((30, 10), (20, 40), (25, 25)), ((10, 50), (50, 10), (40, 40))

    assert trial._gain(alone) == (30 + 40 - 50) / 2 + 50
    assert trial._gain(both) == (10 + 10 - 80) / 2 - 50


def test_mcts_evaluates_by_the_network_only_if_asked(duel: BatchGame) -> None:
    learner = SelfPlay(duel)
    fitted = np.random.default_rng(1).normal(size=learner.bits + 1)
    plain = learner.weights_of(fitted)
    contrary = replace(plain, network=-learner.linear_network(fitted))

    def value(player: MctsPlayer, weights: FluentWeights) -> float:
        search = player.rival(duel, weights).make(0, 1)
        search.set_root(duel.initial_state())
        search.run(60.0, 1)
        return max(move.mean for move in search.root_moves() if move.visits)

    without, asked = MctsPlayer(cutoff=2), MctsPlayer(cutoff=2, network=True)
    assert value(without, contrary) == value(without, plain)
    assert value(asked, contrary) != pytest.approx(value(asked, plain), abs=1.0)
