from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import random_joint_move
from ludens.drawing.percept_text import told
from ludens.tabletop import TabletopGame


def test_moves_of_others_are_moves_and_what_they_say_is_not_said_again() -> None:
    game = ludens.load("hearts")

    perceived = told(game, ["West: JC QD AD", "2C at hand West", "JC at hand North", "QD at hand North"])

    assert perceived.moves == [("West", "JC QD AD")]
    assert perceived.sentences == ["2C is in the hand of West"]


def test_things_at_one_place_share_a_sentence() -> None:
    game = ludens.load("holdem")

    perceived = told(game, ["player1: deal = ?", "2H at hand player1", "4S at hand player1"])

    assert perceived.moves == [("player1", "deal")]
    assert perceived.sentences == ["2H, 4S are in the hand of player1"]


def test_announcements_stay_as_they_are() -> None:
    game = ludens.load("kriegspiel")

    assert told(game, ["White takes a pawn on g5", "meet me at noon"]).sentences == [
        "White takes a pawn on g5",
        "meet me at noon",
    ]


def test_terms_of_gdl_lose_their_parentheses() -> None:
    assert told(ludens.load("kuhn_poker"), ["(dealt jack)"]).sentences == ["dealt jack"]


@pytest.mark.parametrize("name", ["hearts", "skat", "stratego:small", "uno", "dominoes"])
def test_nothing_is_lost(name: str) -> None:
    game, rng = ludens.load(name), Random(3)
    assert isinstance(game, TabletopGame)
    state = game.initial_state()
    for _ in range(30):
        if state.is_terminal:
            break
        state = state.sample(random_joint_move(state, rng), rng)
        for role in game.roles:
            percepts = state.percepts(role)
            perceived = told(game, percepts)
            shown = " ".join([*(f"{mover} {move}" for mover, move in perceived.moves), *perceived.sentences]).split()
            words = " ".join(percepts).replace(":", " ").replace(",", " ").replace("(", " ").replace(")", " ").split()
            names = {word.strip(":,") for word in shown}
            assert {word for word in words if word not in {"at", "=", "?"} and not _is_place(game, word)} <= names


def _is_place(game: TabletopGame, word: str) -> bool:
    """A place is left out where a move says what lies there."""
    return any(word in place.split() for place in game.inventory.named["place"])
