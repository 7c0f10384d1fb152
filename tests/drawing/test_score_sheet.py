"""Lines of a score sheet are clicked for the moves that name them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import ludens
from ludens.core import Game, State
from ludens.drawing import clicks, draw
from ludens.drawing.hints import Hints
from ludens.drawing.sight import visible_table
from ludens.drawing.tabletop.numbers import Numbers
from ludens.tabletop import TabletopGame
from ludens.testing import check_game
from tests.drawing.looking import labels, spots, words

PAGE = Path(__file__).with_name("parade.py")
OWN = {f"score:{row}:player1" for row in ("ones", "twos", "threes", "full house", "anything")}
TREASURE = """
from ludens.tabletop import *

class Treasure(Rule):
    name = "Treasure"
    players = ("Ann", "Bob")

    def equipment(self, table):
        for player in self.players:
            table.add(Score(f"gold_coins {player}", owner=player, start=9))
        table.add(Score("bank", start=9))

    def setup(self, table):
        return Set("Ann", luck=None, sails=0) + Set("Bob", luck=None, sails=0)

    def turns(self):
        return alternate(self.players, self.choose)

    def choose(self, table):
        moves = [Set(table, done=text).named(text) for text in MOVES]
        return moves

    def result(self, table):
        return FinishPlay(draw=True)
"""


@pytest.fixture(scope="module")
def parade() -> Game:
    return ludens.load(f"{PAGE}:2")


def treasure(folder: Path, *moves: str) -> dict[str, tuple[str, ...]]:
    page = folder / "treasure.py"
    page.write_text(TREASURE.replace("MOVES", repr(moves)), encoding="utf-8")
    game = ludens.load(str(page))
    view = game.initial_state().view("Ann")
    assert {spot for path in clicks(game, view, moves).values() for spot in path} <= spots(draw(game, view))
    return clicks(game, view, moves)


def after(game: Game, *moves: str) -> State:
    state, rng = game.initial_state(), Random(4)
    for move in moves:
        (role,) = (role for role in game.roles if state.legal_moves(role))
        (joint,) = (one for one in state.legal_moves(role) if one.startswith(move))
        state = state.sample({role: joint}, rng)
    return state


def test_the_page_plays(parade: Game) -> None:
    check_game(parade, matches=2)


def test_lines_that_can_be_written_are_clicked_and_no_others(parade: Game) -> None:
    view = after(parade, "roll").view("player1")
    found = clicks(parade, view, view.legal_moves)
    assert found["write full house"] == ("score:full house:player1",)
    assert {spot for spot in spots(draw(parade, view)) if spot.startswith("score:")} == OWN
    assert "full house of player1: 0" in labels(draw(parade, view))

    state = after(parade, "roll", "write anything", "roll", "write ones", "roll")
    again = {spot for spot in spots(draw(parade, state.view("player1"))) if spot.startswith("score:")}
    assert again == OWN - {"score:anything:player1"}
    assert not any(spot.startswith("score:") for spot in spots(draw(parade, state.view("player2"))))


def test_dice_are_clicked_beside_the_sheet_also_in_texts_that_tell_what_is_noted(parade: Game) -> None:
    state = after(parade, "roll")
    view = state.view("player1")
    assert isinstance(parade, TabletopGame)
    shown = visible_table(view).value(parade.inventory.named["marker"]["dice"])
    move = f"keep {shown[0]} + set table throws 2"
    assert clicks(parade, view, view.legal_moves)[move] == ("dice:0",)


def test_a_move_may_name_the_line_of_another_role_or_of_nobody(tmp_path: Path) -> None:
    found = treasure(tmp_path, "take gold coins Bob", "spend gold coins", "rob the bank", "trust in luck", "wait")
    assert found == {
        "take gold coins Bob": ("score:gold_coins:Bob",),
        "spend gold coins": ("score:gold_coins:Ann",),
        "rob the bank": ("score:bank:",),
        "trust in luck": ("score:luck:Ann",),  # which has no value yet
        "wait": (),
    }


def test_moves_that_differ_in_an_amount_are_chosen_otherwise(tmp_path: Path) -> None:
    assert not any(treasure(tmp_path, "bank 3", "bank 5", "rebank", "wait").values())


def test_lines_without_a_value_are_drawn_only_if_they_can_be_chosen(tmp_path: Path) -> None:
    page = tmp_path / "treasure.py"
    page.write_text(TREASURE.replace("MOVES", "['wait', 'sails']"), encoding="utf-8")
    game = ludens.load(str(page))
    drawn = words(draw(game, game.initial_state().view("Ann")))
    assert "luck" not in drawn
    assert drawn.count("sails") == 1
    assert drawn.count("0") == 2
    seen = visible_table(game.initial_state().view("Ann"))
    assert isinstance(game, TabletopGame)
    assert not Numbers(game, Hints(parts={"sails": "none"}), seen).clicks(["sails"], "Ann")
