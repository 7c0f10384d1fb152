from __future__ import annotations

from ludens.gdl.board import BoardPainter
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from tests.games.shelf import shelf_game

REST = "(role a) (role b) (legal a noop) (legal b noop) (<= terminal (true done)) (goal a 0) (goal b 0)"


def drawing(rules: str) -> str:
    game = ReferenceGame(read_rules(rules + REST), "drawn")
    return BoardPainter(game).draw(game.initial_state())


def test_a_grid_is_drawn_with_its_coordinates_and_the_other_facts_below() -> None:
    game = shelf_game("tic_tac_toe")
    state = game.initial_state().play({"xplayer": "(mark 1 3)", "oplayer": "noop"})

    assert BoardPainter(game).draw(state).splitlines() == [
        "3 | x . .",
        "2 | . . .",
        "1 | . . .",
        "  +------",
        "    1 2 3",
        "(control oplayer)",
    ]


def test_pieces_with_an_owner_are_capitals_for_the_first_role() -> None:
    game = shelf_game("chess")

    lines = BoardPainter(game).draw(game.initial_state()).splitlines()

    assert lines[0] == "8 | r n b q k b n r"
    assert lines[7] == "1 | R N B Q K B N R"
    assert lines[9].split() == list("abcdefgh")


def test_squares_that_are_not_on_the_board_stay_blank() -> None:
    game = shelf_game("peg_solitaire")

    assert BoardPainter(game).draw(game.initial_state()).startswith("7 |     p p p\n")


def test_several_boards_stand_side_by_side() -> None:
    game = shelf_game("double_tic_tac_toe")

    assert "3 | . . .    3 | . . ." in BoardPainter(game).draw(game.initial_state())


def test_an_argument_can_tell_boards_apart() -> None:
    rules = " ".join(f"(init (cell {k} {x} {y} b))" for k in ("left", "right") for x in (1, 2) for y in (1, 2))

    lines = drawing(rules).splitlines()

    assert lines[0].split() == ["left", "right"]
    assert lines[1].split() == ["2", "|", ".", ".", "2", "|", ".", "."]


def test_letters_are_columns_whichever_argument_comes_first() -> None:
    rules = "(init (at 1 a x)) (init (at 1 b o)) (init (at 2 a e)) (init (at 2 b x))"

    assert drawing(rules).splitlines()[:2] == ["2 | . x", "1 | x o"]


def test_heaps_are_not_a_board() -> None:
    assert drawing("(init (heap a 3)) (init (heap b 2)) (init (heap c 1))") == "(heap a 3)  (heap b 2)  (heap c 1)"


def test_a_state_without_a_grid_is_its_sorted_facts() -> None:
    assert drawing("(init (step 1)) (init late) (init (at home))") == "late  (at home)  (step 1)"


def test_the_numbers_of_a_grid_need_not_begin_with_1() -> None:
    lines = drawing(" ".join(f"(init (cell {x} {y} b))" for x in (21, 22) for y in (31, 32))).splitlines()

    assert lines[0].split() == ["32", "|", ".", "."]
    assert lines[3].split() == ["21", "22"]


def test_squares_without_content_are_a_board() -> None:
    lines = drawing("(init (lit 1 1)) (init (lit 1 2)) (init (lit 2 2))").splitlines()

    assert [line.split()[0] for line in lines[:2]] == ["2", "1"]


def test_one_number_for_each_name_is_no_board() -> None:
    facts = "(height 1 1)  (height 2 2)  (height 3 2)"

    assert drawing(facts.replace("(height", "(init (height").replace(")", "))")) == facts


def test_blanks_have_no_owner() -> None:
    rules = "(init (cell 1 1 a_king)) (init (cell 1 2 b_king)) (init (cell 2 1 blank)) (init (cell 2 2 blank))"

    assert drawing(rules).splitlines()[:2] == ["2 | k .", "1 | K ."]


def test_capitals_are_for_owners_only_where_everything_has_one() -> None:
    rules = "(init (cell 1 1 a king)) (init (cell 1 2 a king)) (init (cell 2 1 no wall)) (init (cell 2 2 a king))"

    assert drawing(rules).splitlines()[:2] == ["2 | ak  ak", "1 | ak  now"]


def test_signs_that_are_no_words_of_the_rules_are_explained_below_the_board() -> None:
    rules = "(init (cell 1 1 a king)) (init (cell 1 2 a king)) (init (cell 2 1 no wall)) (init (cell 2 2 a king))"

    assert drawing(rules).splitlines()[-1] == "  (ak a king, now no wall)"


def test_squares_that_come_up_only_during_play_belong_to_the_board() -> None:
    rules = """(init (at 1 1 x)) (<= (next (at ?u ?v x)) (true (at ?x ?y x)) (step ?x ?y ?u ?v))
        (step 1 1 2 1) (step 2 1 2 2) (step 2 2 1 2) (step 1 2 1 1)"""

    assert drawing(rules).splitlines()[:2] == ["2 | . .", "1 | x ."]
