"""Every game of the shelf has a drawing, and every move on its board is a way of clicking."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter

import pytest

import ludens
from ludens.core import State
from ludens.drawing import clicks, draw
from ludens.games import library
from tests.drawing.looking import playout, spots

ALL = [f"{name}@{form}" for name, entry in library.entries().items() for form in entry.forms]
SAMPLE = ["checkers@gdl", "kalaha@gdl", "nim@gdl", "quoridor@gdl", "stratego@tabletop", "uno@tabletop"]
CHOSEN_FROM_A_LIST = {
    "bidding_tic_tac_toe": "bid", "blotto": "send", "mastermind": "guess", "oshi_zumo": "bid", "rubik_2x2": "turn",
    "three_dice": "enter",
}  # fmt: skip
"""Games in GDL with moves that have arguments and no place on the board."""
THROWS = ("roll", "throw", "take")
"""What moves that are left to chance begin with."""
SAME_CLICKS = {"chess", "deck_duel", "dominoes", "estates", "ludo", "pentago", "shogi", "sudoku", "uno", "kriegspiel"}
"""Games in which a choice remains after the clicks: what a pawn becomes, which digit, which colour."""


def check_position(name: str, state: State) -> None:
    game = state.game
    for role in game.roles:
        view = state.view(role)
        drawing = draw(game, view)
        ET.fromstring(drawing.svg)
        found = clicks(game, view, view.legal_moves)
        assert list(found) == list(view.legal_moves)
        assert {spot for path in found.values() for spot in path} <= spots(drawing), name
        bare = name.partition("@")[0]
        if name.endswith("@gdl") and len(found) > 1:
            allowed = (*THROWS, CHOSEN_FROM_A_LIST.get(bare, "-"))
            missed = [move for move, path in found.items() if move.startswith("(") and not path]
            assert all(move[1:].startswith(allowed) for move in missed), missed
        if bare not in SAME_CLICKS:
            times = Counter(path for path in found.values() if path)
            assert not [path for path, count in times.items() if count > 1], name


@pytest.mark.parametrize("name", SAMPLE)
def test_a_game_is_drawn_and_clicked_along_a_playout(name: str) -> None:
    for state in playout(ludens.load(name, backend="reference"), seed=5, most=6):
        check_position(name, state)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_every_game_is_drawn_and_clicked_along_a_playout(name: str) -> None:
    for seed in (1, 2):
        for state in playout(ludens.load(name, backend="reference"), seed=seed, most=40):
            check_position(name, state)
