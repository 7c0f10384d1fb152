"""A drawing shows what a view tells and nothing else."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludens
from ludens.core import Game
from ludens.drawing import draw
from ludens.tabletop import TabletopState
from ludens.tabletop.hidden.view import PublicView
from tests.drawing.looking import backs, labels, playout, words

HIDDEN = [
    "bridge", "chinese_poker", "deck_duel", "dominoes", "hearts", "hexwar", "holdem", "kriegspiel",
    "leduc_poker@tabletop", "liars_dice", "mahjong", "memory", "phantom_go", "skat", "spades", "stratego", "totem",
    "uno",
    "kriegspiel_tic_tac_toe", "kuhn_poker@gdl", "leduc_poker@gdl", "mastermind", "monty_hall", "phantom_connect_four",
    "sealed_bid_auction",
]  # fmt: skip
_games: dict[str, Game] = {}


def loaded(name: str) -> Game:
    if name not in _games:
        _games[name] = ludens.load(name, backend="reference")
    return _games[name]


def check_equal_views_are_drawn_alike(name: str, seed: int, most: int) -> None:
    game = loaded(name)
    *_, state = playout(game, seed, most)
    for role in game.roles:
        other = state.view(role).sample(Random(seed + 1))
        if other.view(role).information == state.view(role).information:
            assert draw(game, other.view(role)).svg == draw(game, state.view(role)).svg


@given(st.sampled_from(["dominoes", "hearts", "kuhn_poker@gdl", "stratego"]), st.integers(0, 1000), st.integers(1, 12))
@settings(max_examples=8, deadline=None)
def test_states_that_a_role_cannot_tell_apart_are_drawn_alike(name: str, seed: int, most: int) -> None:
    check_equal_views_are_drawn_alike(name, seed, most)


@pytest.mark.slow
@pytest.mark.parametrize("name", HIDDEN)
def test_states_that_a_role_cannot_tell_apart_are_drawn_alike_in_every_game(name: str) -> None:
    for seed in range(3):
        for most in (1, 4, 12):
            check_equal_views_are_drawn_alike(name, seed, most)


def test_pieces_of_the_other_are_backs_in_its_colour() -> None:
    game = loaded("stratego")
    *_, state = playout(game, seed=1, most=8)
    seen = labels(draw(game, state.view("Red")))
    assert any(label.startswith("Blue, hidden on") for label in seen)
    assert not any(label.startswith("Blue ") for label in seen)


def test_what_a_role_knows_only_by_deduction_of_others_stays_unsure() -> None:
    game = loaded("phantom_connect_four")
    state = game.initial_state().play({"red": "(drop 3)", "yellow": "noop"})
    assert "?" in words(draw(game, state.view("yellow")))
    assert "red on 3 1" in labels(draw(game, state.view("red")))


def test_spectators_see_no_hand() -> None:
    game = loaded("hearts")
    *_, state = playout(game, seed=1, most=6)
    assert isinstance(state, TabletopState)
    drawing = draw(game, PublicView(state))
    assert not any(" of " in label and "hand" in label for label in labels(drawing))
    hands = [state.table.hand(role) for role in game.roles]
    assert backs(drawing) == sum(len(state.table[hand]) for hand in hands)
