"""What holds for every game in Python that comes with ludens."""

from __future__ import annotations

import pytest

import ludens
from ludens.games.library import TABLETOP_SHELF, entries, find

NAMES = sorted(path.stem for path in TABLETOP_SHELF.glob("*.py") if not path.name.startswith("_"))


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
