"""Scenes in pixels."""

from __future__ import annotations

import io
import sys

import pytest
from PIL import Image

import ludens
from ludens.core import GameError
from ludens.drawing import draw, film
from ludens.drawing.palette import COLOURS
from ludens.drawing.scenes.raster import to_image
from ludens.drawing.scenes.scene import Circle, Group, Path, Rect, Scene


def colour_at(scene: Scene, x: int, y: int, *, dark: bool = False) -> str:
    pixel = to_image(scene, dark=dark).getpixel((x, y))
    assert isinstance(pixel, tuple)
    return "#" + bytes(map(int, pixel)).hex()


def test_groups_are_moved_turned_and_scaled() -> None:
    square = Rect(0, -5, 20, 10, "red")
    scene = Scene(100, 100, (Group((square,), 50, 50, scale=2, turn=90),), "")
    assert colour_at(scene, 50, 80) == COLOURS["red"][0]
    assert colour_at(scene, 80, 50) == COLOURS["paper"][0]


def test_curves_are_filled() -> None:
    scene = Scene(40, 40, (Path("M 5 35 C 5 -5 35 -5 35 35 Z", "blue"),), "")
    assert colour_at(scene, 20, 15) == COLOURS["blue"][0]
    assert colour_at(scene, 3, 5) == COLOURS["paper"][0]


def test_pictures_can_be_dark() -> None:
    scene = Scene(40, 40, (Circle(20, 20, 10, "green"),), "")
    assert colour_at(scene, 1, 1, dark=True) == COLOURS["paper"][1]
    assert colour_at(scene, 20, 20, dark=True) == COLOURS["green"][1]


@pytest.mark.smoke
def test_a_drawing_has_its_size_in_pixels() -> None:
    game = ludens.load("tic_tac_toe", backend="reference")
    drawing = draw(game, game.initial_state())
    picture = Image.open(io.BytesIO(drawing.png(scale=0.5)))
    assert abs(picture.width - drawing.width / 2) < 1
    assert abs(picture.height - drawing.height / 2) < 1


@pytest.mark.smoke
def test_a_film_shows_one_position_after_the_other() -> None:
    game = ludens.load("tic_tac_toe", backend="reference")
    state = game.initial_state()
    after = state.play({"xplayer": "(mark 2 2)", "oplayer": "noop"})
    film_of_both = Image.open(io.BytesIO(film([draw(game, state), draw(game, after)])))
    assert getattr(film_of_both, "n_frames", 1) == 2


def test_a_film_needs_a_position() -> None:
    with pytest.raises(GameError, match="at least one position"):
        film([])


def test_without_pillow_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(GameError, match=r"ludens\[web\]"):
        to_image(Scene(1, 1, (), ""))
