"""What a view shows becomes a drawing, and moves become clicks on it."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import ludens
from ludens.drawing import Drawing, clicks, draw
from ludens.drawing.scene import Group, walk

SVG = "{http://www.w3.org/2000/svg}"


def spots(drawing: Drawing) -> set[str]:
    return {shape.spot for shape in walk(drawing.scene.shapes) if isinstance(shape, Group) and shape.spot}


def labels(drawing: Drawing) -> set[str]:
    return {shape.label for shape in walk(drawing.scene.shapes) if isinstance(shape, Group)}


def test_a_chess_board_is_drawn_with_named_places_and_pieces() -> None:
    game = ludens.load("chess", backend="reference")
    drawing = draw(game, game.initial_state().view("white"))
    assert "white knight on b1" in labels(drawing)
    assert "e4, empty" in labels(drawing)
    assert len(spots(drawing)) == 64
    root = ET.fromstring(drawing.svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("aria-label") == "chess, white to move"


def test_moves_are_clicks_from_source_to_target() -> None:
    game = ludens.load("chess", backend="reference")
    view = game.initial_state().view("white")
    found = clicks(game, view, view.legal_moves)
    assert found["(move e 2 e 4)"] == ("cell:e:2", "cell:e:4")
    assert len(set(found.values())) == 20


def test_a_column_is_clicked_where_moves_name_columns() -> None:
    game = ludens.load("connect_four", backend="reference")
    view = game.initial_state().view("red")
    assert clicks(game, view, ["(drop 3)"]) == {"(drop 3)": ("column:3",)}
    assert spots(draw(game, view)) == {f"column:{n}" for n in range(1, 8)}


def test_a_move_without_a_place_is_chosen_from_the_list() -> None:
    game = ludens.load("chess", backend="reference")
    view = game.initial_state().view("black")
    assert clicks(game, view, ["noop", "no such ( move"]) == {"noop": (), "no such ( move": ()}


def test_a_drawing_that_cannot_be_clicked_is_an_image() -> None:
    game = ludens.load("tic_tac_toe", backend="reference")
    drawing = draw(game, game.initial_state().view("xplayer"), clickable=False)
    root = ET.fromstring(drawing.svg)
    assert root.get("role") == "img"
    assert "data-spot" not in drawing.inline


def test_the_second_role_sees_a_chess_board_from_its_own_side() -> None:
    game = ludens.load("chess", backend="reference")
    state = game.initial_state()
    assert draw(game, state.view("white")).svg != draw(game, state.view("black")).svg
    assert draw(game, state.view("white"), role="black").svg == draw(game, state.view("black")).svg
