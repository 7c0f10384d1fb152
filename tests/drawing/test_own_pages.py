"""Drawings of a page with dice, cards and a board: what players choose can be clicked, and what is written fits."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import ludens
from ludens.core import Game, State, random_joint_move
from ludens.drawing import clicks, draw
from ludens.drawing.looks.cards import HEIGHT, WIDTH, draw_card
from ludens.drawing.model import Piece
from ludens.drawing.scenes.scene import Text
from ludens.drawing.tabletop.chosen_dice import dice_in_moves
from ludens.drawing.tabletop.own_backs import backs_in_moves
from tests.drawing.looking import backs, labels, spots, words

DICE = [("5", "dice:0"), ("1", "dice:1"), ("5", "dice:2")]
PAGE = """
from ludens.tabletop import *

class Quest(Rule):
    name = "Quest"
    players = ("Ann", "Bob")

    def equipment(self, table):
        table.add(Dice("dice", 3, [5]))
        table.add(Area.grid("board", columns=3, rows=3))
        table.add(Area.hands("hand", self.players))
        table.add(Assortment("pawns", [Element("pawn", player="Ann"), Element("pawn", player="Bob")], endless=True))
        table.add(Assortment("deck", [Element("shield of wonders"), Element("potion")], visibility="hidden"))

    def setup(self, table):
        deck = table.assortment("deck")
        return Shuffle(deck) + Distribute(deck, table.area("hand"), each=1) + Roll(table.dice("dice"))

    def turns(self):
        return alternate(self.players, self.keep)

    def keep(self, table):
        return [Set(table, kept=count).named("keep" + " 5" * count) for count in range(4)]

    def result(self, table):
        return None if table.get("kept") is None else FinishPlay(draw=True)
"""


@pytest.fixture
def quest(tmp_path: Path) -> Game:
    page = tmp_path / "quest.py"
    page.write_text(PAGE, encoding="utf-8")
    return ludens.load(str(page))


def dealt(game: Game) -> State:
    state, rng = game.initial_state(), Random(1)
    return state.sample(random_joint_move(state, rng), rng)


def test_moves_name_dice_by_what_they_show() -> None:
    found = dice_in_moves(["keep 5 5", "keep 1", "stop"], DICE)
    assert found == {"keep 5 5": ("dice:0", "dice:2"), "keep 1": ("dice:1",), "stop": ()}


@pytest.mark.parametrize(
    "moves",
    [
        ["keep 5 5 5", "keep 5"],  # only two dice show a five
        ["bid 2 5", "bid 5"],  # no die shows a two
        ["reroll 1", "reroll 2", "reroll 3"],  # places of dice
        ["keep 5"],  # no choice
    ],
)
def test_other_numbers_are_no_dice(moves: list[str]) -> None:
    assert not dice_in_moves(moves, DICE)


def test_numbers_that_may_be_places_are_no_dice() -> None:
    moves = ["reroll 1", "reroll 2"]
    assert not dice_in_moves(moves, [("2", "dice:0"), ("1", "dice:1")])
    assert dice_in_moves(moves, [("1", "dice:0"), ("2", "dice:1")])


def test_dice_that_moves_name_can_be_clicked(quest: Game) -> None:
    state = dealt(quest)
    view = state.view("Ann")
    assert clicks(quest, view, view.legal_moves)["keep 5 5"] == ("dice:0", "dice:1")
    assert {"dice:0", "dice:1", "dice:2"} <= spots(draw(quest, view))


def test_things_without_owner_are_cards_also_beside_a_board(quest: Game) -> None:
    drawing = draw(quest, dealt(quest).view("Ann"))
    assert backs(drawing) == 1
    assert "".join(words(drawing)).count("wonders") + "".join(words(drawing)).count("potion") == 1


@pytest.mark.parametrize(
    "name", ["potion (heals two wounds; draw a card)", "countess", "of unbelievably long words", "ring"]
)
def test_text_on_cards_fits(name: str) -> None:
    lines = [shape for shape in draw_card(Piece(name, name)) if isinstance(shape, Text)]
    assert all(len(line.text) * 0.6 * line.size <= WIDTH for line in lines)
    assert all(abs(line.y) + line.size / 2 <= HEIGHT / 2 for line in lines)
    assert min(line.size for line in lines) > 6


def test_backs_of_the_own_hand_are_clicked_by_their_numbers() -> None:
    game = ludens.load(str(Path(__file__).parents[1] / "tabletop" / "lanterns.py"))
    view = dealt(game).view("Anna")
    found = clicks(game, view, view.legal_moves)
    assert [found[f"light {n}"] for n in (1, 2, 3)] == [(f"hand Anna:#{n}",) for n in (1, 2, 3)]
    assert not any("#" in spot for move, path in found.items() for spot in path if move.startswith("tell"))
    drawing = draw(game, view)
    assert {f"hand Anna:#{n}" for n in (1, 2, 3)} <= spots(drawing)
    assert not any("#" in spot for spot in spots(draw(game, dealt(game).view("Bert"))))


@pytest.mark.parametrize(
    ("moves", "named"),
    [
        (["throw 0", "throw 1"], {"throw 0": ("a",), "throw 1": ("b",)}),
        (["throw 1", "throw 2", "throw 3"], {}),  # three of two
        (["hint 1", "hint 2", "hint red"], {}),  # what is hinted
        (["bid 2", "bid 3"], {}),
    ],
)
def test_numbers_of_a_hand_are_all_of_its_elements(moves: list[str], named: dict[str, tuple[str, ...]]) -> None:
    assert backs_in_moves(moves, ["a", "b"]) == named


CELLS = """
from ludens.tabletop import *

class Cells(Rule):
    name = "Cells"
    players = ("Ann", "Bob")

    def equipment(self, table):
        table.add(Area.hands("hand", self.players))
        table.add(Assortment("cells", [Element(name, ATTRIBUTES) for name in NAMES]))

    def setup(self, table):
        return Distribute(table.assortment("cells"), table.area("hand"), each=1)

    def turns(self):
        return alternate(self.players, self.wait)

    def wait(self, table):
        return [Pass()]

    def result(self, table):
        return FinishPlay(draw=True)
"""
CARD_HINTS = '[drawing]\nparts = { cells = "cards" }\n'


def hand_of_cells(folder: Path, names: list[str], attributes: str = "", card: str = "") -> tuple[list[str], set[str]]:
    page = folder / "cells.py"
    page.write_text(CELLS.replace("NAMES", repr(names)).replace("ATTRIBUTES", attributes), encoding="utf-8")
    page.with_suffix(".toml").write_text(card, encoding="utf-8")
    game = ludens.load(str(page))
    drawing = draw(game, game.initial_state())
    return words(drawing), labels(drawing)


@pytest.mark.parametrize("names", [["c4", "h7", "a1", "b2"], ["c4", "h7"], ["King", "Guard"], ["t", "s"]])
def test_things_that_only_read_like_playing_cards_are_words(tmp_path: Path, names: list[str]) -> None:
    texts, called = hand_of_cells(tmp_path, names)
    assert {names[0].lower(), names[1].lower()} <= set(texts)
    assert not any(" of " in label for label in called)


@pytest.mark.parametrize(
    ("names", "attributes", "card"),
    [
        (["C4", "H7", "KS"], "", ""),  # a king is beyond doubt
        (["c4", "h7", "ks", "joker"], "", ""),
        (["c4", "h7"], "suit=name[0], rank=int(name[1])", ""),
        (["c4", "h7"], "", CARD_HINTS),
    ],
)
def test_cards_of_a_deck_are_playing_cards(tmp_path: Path, names: list[str], attributes: str, card: str) -> None:
    texts, called = hand_of_cells(tmp_path, names, attributes, card)
    assert {"4 of clubs", "7 of hearts"} & called
    assert not {"c4", "h7"} & set(texts)
