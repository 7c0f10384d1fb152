"""The measure of drawings, and what it led to: nested boards, several boards, things with a direction, short labels."""

from __future__ import annotations

from pathlib import Path

from ludens.drawing import clicks, draw
from ludens.drawing.looks.pieces import draw_piece
from ludens.drawing.model import Piece
from ludens.drawing.scenes.scene import READABLE, Text
from ludens.drawing.score import score_drawing
from ludens.gdl.reference import ReferenceGame
from tests.cli.conftest import Run, run
from tests.drawing.looking import labels, spots
from tests.drawing.test_inference import game_of

__all__ = ["run"]
CELLS = " ".join(f"(init (cell {x} {y} b))" for x in "123" for y in "123")


def nested() -> ReferenceGame:
    cells = " ".join(
        f"(init (cell {a} {b} {c} {d} b))"
        for a in "12"
        for b in "12"
        for c in "123"
        for d in "123"
        if (a, b, c, d) != tuple("1111")
    )
    return game_of(
        f"(role me) {cells} (init (cell 1 1 1 1 x)) (init (active 2 1)) (base (active 1 1)) (base (active 2 1))"
        "(<= (legal me (mark ?a ?b ?c ?d)) (true (cell ?a ?b ?c ?d b)))"
    )


def test_two_pairs_of_coordinates_are_one_board_of_boards() -> None:
    game = nested()
    view = game.initial_state().view("me")
    assert len(spots(draw(game, view))) == 36
    assert clicks(game, view, ["(mark 2 1 3 3)"])["(mark 2 1 3 3)"] == ("cell:2:1:3:3",)


def test_boards_that_are_empty_at_first_are_found_from_moves() -> None:
    base = " ".join(f"(base (holds {q} {x} {y} me))" for q in "1234" for x in "12" for y in "12")
    game = game_of(f"(role me) {base} (succ 1 2) (<= (legal me (put ?q ?x ?y)) (base (holds ?q ?x ?y me)))")
    view = game.initial_state().view("me")
    assert clicks(game, view, ["(put 3 1 2)"])["(put 3 1 2)"] == ("holds:3:1:2",)
    assert len(spots(draw(game, view))) == 16


def test_things_with_a_direction_are_arrows_on_the_board() -> None:
    game = game_of(
        f"(role me) {CELLS} (init (bullet 1 2 ne)) (init (bullet 3 3 s)) (legal me (mark 1 1)) (legal me (mark 2 2))"
    )
    shown = labels(draw(game, game.initial_state().view("me")))
    assert "bullet northeast on a2" in shown
    assert "bullet south on c3" in shown


def test_long_words_on_a_square_are_readable() -> None:
    texts = [shape for shape in draw_piece(Piece("sleeping zombie", "sleeping zombie")) if isinstance(shape, Text)]
    assert [text.text for text in texts] == ["sleep", "zombi"]
    assert min(text.size for text in texts) >= READABLE


def test_a_good_drawing_has_no_faults() -> None:
    score = score_drawing(nested())
    assert score.is_good
    assert (score.overlaps, score.small, score.hidden, score.unclickable) == (0, 0, 0, 0)
    assert score.moves > 0


def test_moves_that_name_nothing_drawn_and_facts_in_words_are_counted() -> None:
    game = game_of(f"(role me) {CELLS} (init (mood 3 4 5 6)) (legal me (shout loud)) (legal me (shout low))")
    score = score_drawing(game)
    assert not score.is_good
    assert score.signs == score.moves > score.unclickable == 0
    assert score.worded == score.positions


def test_the_command_scores_files_and_folders(run: Run, tmp_path: Path) -> None:
    pins = "(init (pin 1)) (init (pin 2)) (legal me (take 1)) (legal me (take 2)) (<= (next (pin 1)) (true (pin 1)))"
    sheet = f"(role me) {pins} (<= terminal (true over)) (goal me 50)"
    (tmp_path / "pins.kif").write_text(sheet)
    (tmp_path / "broken.kif").write_text("(role")
    code, out, _ = run("draw", "--score", str(tmp_path), "--json")
    assert code == 0
    assert '"pins.kif"' in out
    assert '"unclickable"' in out
    code, out, _ = run("draw", str(tmp_path / "pins.kif"))
    assert code == 0
    assert out.startswith("<svg")


def test_walls_at_sides_of_squares_and_moves_in_directions() -> None:
    cells = CELLS.replace("(init (cell 1 1 b))", "(init (cell 1 1 me))")
    game = game_of(
        f"(role me) {cells} (init (wallNorth 2 2)) (init (wallNorth 1 3)) (legal me (go E)) (legal me (go N))"
    )
    view = game.initial_state().view("me")
    assert "wallNorth at b2" in labels(draw(game, view))
    assert clicks(game, view, ["(go E)"])["(go E)"] == ("cell:2:1",)


def test_words_that_begin_with_a_colour_are_pieces_of_that_colour() -> None:
    cells = CELLS.replace("(init (cell 1 1 b))", "(init (cell 1 1 whitepawn))").replace("2 2 b", "2 2 blackKnight")
    game = game_of(f"(role white) (role black) {cells} (legal white noop) (legal black noop)")
    shown = labels(draw(game, game.initial_state()))
    assert {"white pawn on a1", "black knight on b2"} <= shown
