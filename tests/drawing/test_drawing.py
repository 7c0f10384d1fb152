"""What a view shows becomes a drawing, and moves become clicks on it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import ludens
from ludens.drawing import STYLE, clicks, draw
from ludens.drawing.hints import Hints, hints_for
from ludens.drawing.looks.cards import WIDTH
from ludens.drawing.looks.rows import draw_row
from ludens.drawing.model import Piece, Row
from ludens.drawing.palette import COLOURS
from ludens.drawing.scenes.scene import Circle, Group
from tests.drawing.looking import backs, labels, playout, spots, walk, words

SVG = "{http://www.w3.org/2000/svg}"


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
    assert clicks(game, view, ["(drop 3)"]) == {"(drop 3)": ("cell:column:3",)}
    assert spots(draw(game, view)) == {f"cell:column:{n}" for n in range(1, 8)}


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


def test_all_of_a_hidden_game_is_drawn_from_its_state() -> None:
    game = ludens.load("hearts")
    *_, state = playout(game, seed=1, most=3)
    assert "face down" in labels(draw(game, state.view("North")))
    assert "face down" not in labels(draw(game, state))


def test_what_several_roles_see_is_what_all_of_them_see() -> None:
    game = ludens.load("holdem")
    *_, state = playout(game, seed=1, most=3)
    everybody = draw(game, [state.view(role) for role in game.roles])
    assert backs(everybody) == 4 + 1  # two hands, and the top of the deck


def test_moves_are_drawn_as_cards_where_there_is_nothing_else() -> None:
    game = ludens.load("rock_paper_scissors", backend="reference")
    view = game.initial_state().view("left")
    assert {"rock", "paper", "scissors"} <= labels(draw(game, view))
    assert clicks(game, view, ["rock"]) == {"rock": ("move:rock",)}


def test_the_last_move_is_marked() -> None:
    game = ludens.load("othello", backend="reference")
    state = game.initial_state()
    move = state.legal_moves("black")[0]
    after = state.play({"black": move, "white": "noop"})
    marked = draw(game, after.view("white"), last=[move])
    assert marked.inline.count("d-last") == 1
    assert "d-last" not in draw(game, after.view("white")).inline


def test_every_colour_has_a_rule_in_the_style_sheet() -> None:
    for name in COLOURS:
        assert f".f-{name}{{fill:var(--d-{name})}}" in STYLE


def test_a_drawing_tells_in_words_what_it_shows() -> None:
    game = ludens.load("tic_tac_toe", backend="reference")
    state = game.initial_state().play({"xplayer": "(mark 2 2)", "oplayer": "noop"})
    assert draw(game, state.view("oplayer")).text == "oplayer to move\nx on b2"


def test_small_boards_of_go_have_five_star_points() -> None:
    game = ludens.load("go")
    shapes = walk(draw(game, game.initial_state().view("Black")).scene.shapes)
    assert sum(isinstance(shape, Circle) and shape.fill == "board-line" for shape in shapes) == 5


def test_backs_in_a_hand_lie_closer_than_cards_that_are_seen() -> None:
    unseen, seen = Piece("face down", "", is_hidden=True), Piece("ace of spades", "as")
    drawn = draw_row(Row("hand", "hand", (unseen, unseen, unseen, seen, seen)), frozenset())
    first, second, third, fourth, fifth = (
        shape.x for shape in walk(drawn.shapes) if isinstance(shape, Group) and shape.name
    )
    assert max(second - first, third - second) < WIDTH / 2
    assert min(fourth - third, fifth - fourth) > WIDTH


def test_many_words_to_choose_from_go_on_below() -> None:
    choices = tuple(Piece(word, word, spot=word) for word in ("cooperate with the other", "defect at once", "wait") * 3)
    drawn = draw_row(Row("choices", "left may", choices, "words"), frozenset())
    assert len({shape.y for shape in drawn.shapes if isinstance(shape, Group)}) > 1
    assert drawn.width <= 440


def test_without_captions_only_words_are_left_out() -> None:
    game = ludens.load("checkers", backend="reference")
    view = game.initial_state().view("black")
    whole, bare = draw(game, view), draw(game, view, captions=False)
    assert "black to move" in words(whole)
    assert "black to move" not in words(bare)
    assert spots(whole) == spots(bare)
    assert bare.height < whole.height


def test_a_card_beside_rules_that_are_named_by_their_path_tells_how_they_are_drawn(tmp_path: Path) -> None:
    rules, card = tmp_path / "coin.kif", tmp_path / "coin.toml"
    rules.write_text("(role me) (init (cell 1 coin)) (<= (legal me go)) (<= terminal (true x)) (<= (goal me 100))")
    card.write_text('title = "Coin"\n[drawing]\npieces = { coin = "red king" }\n')
    hints, _ = hints_for(ludens.load(rules, backend="reference"))
    assert hints.pieces == {"coin": "red king"}
    card.write_text("no card at all")
    assert hints_for(ludens.load(rules, backend="reference")) == (Hints(), "")


def test_nobody_is_to_move_when_it_is_over() -> None:
    game = ludens.load("tic_tac_toe", backend="reference")
    *before, last = playout(game, seed=1, most=9)
    assert last.is_terminal
    assert any("to move" in word for word in words(draw(game, before[-1])))
    for seen in (last, last.view("xplayer")):
        assert not any("to move" in word for word in words(draw(game, seen)))
