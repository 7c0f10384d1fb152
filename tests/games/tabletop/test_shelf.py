"""What holds for every game in Python that comes with ludens."""

from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import State, random_joint_move
from ludens.games.library import entries, find
from tests.games.tabletop.playthrough import FOLDER, NAMES, playthrough


def test_the_games_of_the_issue_are_there() -> None:
    promised = {
        "tic_tac_toe", "gomoku", "chinese_poker", "backgammon", "cant_stop", "holdem", "go", "phantom_go", "dominoes",
        "uno", "kuhn_poker", "leduc_poker", "shogi", "hearts", "bridge",
        "spades", "liars_dice", "memory", "kriegspiel", "chinese_checkers", "skat",
        "stratego", "mahjong", "hexwar", "deck_duel", "outpost", "estates",
        "totem",
    }  # fmt: skip
    assert promised <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_game_in_python_has_a_complete_card_that_fits(name: str) -> None:
    card = find(f"{name}@tabletop").card

    assert card.title != name
    assert all((card.players, card.rules, card.source, card.tags, card.checked))
    assert card.kind in ("board", "card", "dice", "puzzle", "matrix", "heap", "other")
    game = ludens.load(f"{name}@tabletop")
    assert len(game.roles) == card.players
    assert "tabletop" in entries()[name].forms
    assert ("chance" in card.tags) == game.chance
    assert ("hidden" in card.tags) == game.hidden


@pytest.mark.parametrize("name", NAMES)
def test_a_seeded_match_goes_as_it_is_written_down(name: str) -> None:
    """``python -m tests.games.tabletop.playthrough NAME`` writes the file."""
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_hundred_random_matches_end(name: str) -> None:
    game = ludens.load(f"{name}@tabletop")
    for seed in range(100):
        rng = Random(seed)
        state: State = game.initial_state()
        turns = 0
        while not state.is_terminal:
            state = state.sample(random_joint_move(state, rng), rng)
            turns += 1
            assert turns < 10_000
