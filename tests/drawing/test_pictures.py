"""Pictures of pages: the paper's picture coordinates, and files beside the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludens
from ludens.core import Game, State
from ludens.drawing import draw
from ludens.drawing.tabletop.files import MOST_BYTES, read_picture

PAGE = """
from ludens.tabletop import Area, Assortment, FinishPlay, Move, Rule, alternate

BOARD = [
    ("A1", (60, 60), [("H", "B1"), ("V", "A2"), ("B", "B2")]),
    ("B1", (150, 60), [("H", "C1"), ("V", "B2"), ("B", "C2"), ("D", "A2")]),
    ("C1", (240, 60), [("V", "C2"), ("D", "B2")]),
    ("A2", (60, 150), [("H", "B2"), ("V", "A3"), ("B", "B3")]),
    ("B2", (150, 150), [("H", "C2"), ("V", "B3"), ("B", "C3"), ("D", "A3")]),
    ("C2", (240, 150), [("V", "C3"), ("D", "B3")]),
    ("A3", (60, 240), [("H", "B3")]),
    ("B3", (150, 240), [("H", "C3")]),
    ("C3", (240, 240), []),
]
PAWNS = [("X", "Cross", "images/cross.svg"), ("O", "Circle", "../circle.svg")]


class Page(Rule):
    name = "Tic Tac Toe"
    players = ("Cross", "Circle")

    def equipment(self, table):
        table.add(Area("board", BOARD, picture="images/board.svg"))
        table.add(Assortment("pawns", PAWNS, ["name", "player", "image"], endless=True))

    def turns(self):
        return alternate(self.players, self.mark)

    def mark(self, table):
        mark = table.element(player=table.current_player)
        return [Move(mark, to=cell) for cell in table.positions(empty=True)]

    def result(self, table):
        return None if table.has_empty() else FinishPlay(draw=True)
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"><script>alert(1)</script></svg>'


@pytest.fixture
def game(tmp_path: Path) -> Game:
    folder = tmp_path / "pages"
    (folder / "images").mkdir(parents=True)
    (folder / "page.py").write_text(PAGE)
    return ludens.load(folder / "page.py")


def after(game: Game, *moves: str) -> State:
    state = game.initial_state()
    for number, move in enumerate(moves):
        state = state.play({game.roles[number % 2]: move})
    return state


def test_the_coordinates_of_the_paper_are_pixels_from_the_upper_left(game: Game) -> None:
    state = after(game, "A1", "C3")

    width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', draw(game, state).svg)[0])
    assert 100 < width < 400
    assert 100 < height < 400
    assert [line.split() for line in str(state).splitlines()] == [
        ["1", "X", ".", "."],
        ["2", ".", ".", "."],
        ["3", ".", ".", "O"],
        ["A", "B", "C"],
    ]


def test_files_beside_the_page_are_drawn_and_others_are_not(game: Game, tmp_path: Path) -> None:
    images = tmp_path / "pages" / "images"
    (images / "cross.svg").write_text(SVG)
    (images / "board.svg").write_text(SVG)
    (tmp_path / "circle.svg").write_text(SVG)  # outside the page's folder

    svg = draw(game, after(game, "A1", "C3")).svg

    assert svg.count('href="data:image/svg+xml;base64,') == 2
    assert "alert" not in svg
    assert 'preserveAspectRatio="none"' in svg


def test_files_are_small_and_are_what_their_names_say(tmp_path: Path) -> None:
    page = tmp_path / "page.py"
    (tmp_path / "large.svg").write_text("<svg/>" + " " * MOST_BYTES)
    (tmp_path / "no.png").write_text("<html>")
    (tmp_path / "yes.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x05\0\0\0\x07")
    (tmp_path / "secret.txt").write_text("secret")

    assert [
        read_picture(page, name) for name in ("large.svg", "no.png", "secret.txt", "gone.png", "/etc/x.png", 7)
    ] == [None] * 6
    found = read_picture(page, "yes.png")
    assert found is not None
    assert found.size == (5.0, 7.0)
