"""Players through the contract play every kind of tabletop game without an error."""

from __future__ import annotations

import pytest

import ludens
from ludens.core import Clock, Game
from ludens.players import make_player
from ludens.referee import Match, MatchEnded
from ludens.tabletop import Rule, TabletopGame
from tests.tabletop.rules import HighCard, Race, Suits, Together

RULES: list[type[Rule]] = [HighCard, Suits, Race, Together]


def errors(game: Game, player: str) -> int:
    """How often players failed in a match in which all are of one kind."""
    players = {role: make_player(player) for role in game.roles}
    for event in Match(game, players, Clock(30, 30), seed=3).events():
        if isinstance(event, MatchEnded):
            assert event.finished
            return sum(event.failures.values())
    raise AssertionError("a match ends")


@pytest.mark.parametrize("player", ["random", "legal", "flat:playouts=2", "mcts:iterations=20"])
@pytest.mark.parametrize("rule", RULES)
def test_players_play_chance_secrets_races_and_joint_stages(rule: type[Rule], player: str) -> None:
    assert errors(TabletopGame(rule()), player) == 0


@pytest.mark.parametrize("name", ["tic_tac_toe@tabletop", "leduc_poker@tabletop", "go:2", "dominoes:2,draw,2"])
def test_players_play_games_of_the_shelf(name: str) -> None:
    assert errors(ludens.load(name), "flat:playouts=1") == 0


def test_alphabeta_plays_tic_tac_toe_in_python_to_a_draw() -> None:
    game = ludens.load("tic_tac_toe@tabletop")
    players = {role: make_player("alphabeta:depth=4,evaluation=goal") for role in game.roles}
    ended = [event for event in Match(game, players, Clock(60, 30), seed=1).events() if isinstance(event, MatchEnded)]

    assert ended[0].goals == {"Cross": 50, "Circle": 50}
