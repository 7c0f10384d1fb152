"""Amazons, Lines of Action, Pentago, dots and boxes, clobber and ultimate tic-tac-toe: tricky positions."""

from __future__ import annotations

import pytest

from ludens.core import GameError
from ludens.games.library import find
from ludens.gdl.reference import ReferenceState
from tests.games.boards import board_of, control_of, drawn, state_of
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game

COLOURS = {"w": "white", "k": "black", "#": "burnt"}


def play(state: ReferenceState, *moves: str) -> ReferenceState:
    """Play moves one after another, each by the role to move."""
    for move in moves:
        state = state.play({role: move if role == control_of(state) else "noop" for role in state.game.roles})
    return state


def test_an_amazon_may_shoot_back_to_where_it_came_from() -> None:
    game = shelf_game("amazons:4")
    state = state_of(game, drawn("k # # #\n# # # #\n# # # #\nw . # #", COLOURS), "white")
    state = play(state, "(move 1 1 2 1)")
    assert (control_of(state), state.legal_moves("white")) == ("white", ("(shoot 1 1)",))
    state = play(state, "(shoot 1 1)")
    assert state.is_terminal
    assert state.goals == {"white": 100, "black": 0}


def test_amazons_and_arrows_do_not_pass_burnt_squares() -> None:
    state = state_of(shelf_game("amazons:4"), drawn(". . . k\n. . . .\n# # . .\nw . # .", COLOURS), "white")
    assert state.legal_moves("white") == ("(move 1 1 2 1)",)


@pytest.mark.parametrize("size", range(4, 11))
def test_amazons_begin_opposite_each_other(size: int) -> None:
    board = board_of(shelf_game(f"amazons:{size}").initial_state())
    assert sum(content == "white" for content in board.values()) == 4
    assert {(x, size + 1 - y) for (x, y), content in board.items() if content == "white"} == {
        square for square, content in board.items() if content == "black"
    }


def lines_of_action(picture: str, control: str) -> ReferenceState:
    game = shelf_game("lines_of_action:5")
    return state_of(game, drawn(picture, COLOURS), control, ("turns", "0"))


def test_men_move_as_far_as_their_line_has_men_over_friends_but_not_over_enemies() -> None:
    state = lines_of_action("k . . . .\n. . . . w\n. . . . .\n. k . . .\nk . w . k", "black")
    from_corner = {move for move in state.legal_moves("black") if move.startswith("(move 1 1")}
    # Three men on the row, one of them the enemy's in between; two in the column and two in the diagonal.
    assert from_corner == {"(move 1 1 1 3)", "(move 1 1 3 3)"}


def test_a_man_takes_the_enemy_that_it_comes_to() -> None:
    state = play(lines_of_action("k . . . .\n. . . . .\n. . . . w\n. . . . .\nk . k . w", "black"), "(move 1 1 1 3)")
    assert board_of(state)[1, 3] == "black"
    state = lines_of_action(". . . . k\n. . . . .\nw . . . .\n. . w . .\nk . . . k", "black")
    state = play(state, "(move 1 1 1 3)")
    assert board_of(state)[1, 3] == "black"
    assert sum(content == "white" for content in board_of(state).values()) == 1


def test_a_single_man_is_connected_so_taking_all_but_one_loses() -> None:
    state = lines_of_action(". . . . k\n. . . . .\nw . . . .\n. . w . .\nk . . . k", "black")
    assert play(state, "(move 1 1 1 3)").goals == {"black": 0, "white": 100}


def test_a_move_that_connects_both_sides_wins() -> None:
    state = lines_of_action(". . . . .\n. k . . .\nw k . . .\n. . w . .\nk . . . .", "black")
    assert play(state, "(move 1 1 1 3)").goals == {"black": 100, "white": 0}


def test_a_turned_quarter_carries_its_stones_clockwise_to_the_right() -> None:
    state = play(shelf_game("pentago").initial_state(), "(place 1 1 sw right)", "(place 5 6 ne left)")
    stones = {square: content for square, content in board_of(state).items() if content != "b"}
    assert stones == {(1, 3): "white", (4, 5): "black"}


def test_a_row_that_the_turn_breaks_does_not_count() -> None:
    board = drawn("\n".join([". . . . . ."] * 5 + ["w w w w . ."]), COLOURS)
    state = state_of(shelf_game("pentago"), board, "white")
    assert not play(state, "(place 5 1 sw right)").is_terminal
    won = play(state, "(place 5 1 nw right)")
    assert won.is_terminal
    assert won.goals == {"white": 100, "black": 0}


def test_a_turn_that_gives_both_a_row_draws() -> None:
    rows = [". k . . . .", ". k . k k .", ". k . . . .", ". . . . . .", ". . . . . .", "w w w w . ."]
    board = drawn("\n".join(rows), COLOURS)
    state = play(state_of(shelf_game("pentago"), board, "white"), "(place 5 1 nw left)")
    assert [board_of(state)[x, 5] for x in range(1, 6)] == ["black"] * 5
    assert state.goals == {"white": 50, "black": 50}


def test_who_closes_a_box_draws_again_and_one_line_may_close_two() -> None:
    state: ReferenceState = shelf_game("dots_and_boxes:1,2").initial_state()
    lines = ["(draw across 1 1)", "(draw across 1 2)", "(draw upright 1 1)", "(draw across 2 1)", "(draw across 2 2)"]
    state = play(state, *lines, "(draw upright 3 1)")
    assert control_of(state) == "first"
    state = play(state, "(draw upright 2 1)")
    assert ("boxes", "first", "2") in state.facts
    assert state.is_terminal
    assert state.goals == {"first": 100, "second": 0}


def test_a_closed_box_keeps_the_turn() -> None:
    state: ReferenceState = shelf_game("dots_and_boxes:1,2").initial_state()
    state = play(state, "(draw across 1 1)", "(draw across 1 2)", "(draw upright 1 1)", "(draw upright 2 1)")
    assert control_of(state) == "second"
    assert {("owner", "1", "1", "second"), ("boxes", "second", "1"), ("boxes", "first", "0")} <= state.facts


def test_clobber_takes_neighbours_only_and_who_cannot_move_loses() -> None:
    state: ReferenceState = shelf_game("clobber:3,1").initial_state()
    assert set(state.legal_moves("white")) == {"(move 1 1 2 1)", "(move 3 1 2 1)"}
    state = play(state, "(move 1 1 2 1)")
    assert state.is_terminal
    assert state.goals == {"white": 100, "black": 0}


def test_a_mark_sends_the_other_role_to_its_place() -> None:
    state = play(shelf_game("ultimate_tic_tac_toe").initial_state(), "(mark 1 9)")
    assert set(state.legal_moves("oplayer")) == {f"(mark {x} {y})" for x in (1, 2, 3) for y in (7, 8, 9)} - {
        "(mark 1 9)"
    }
    state = play(state, "(mark 3 7)")
    assert set(state.legal_moves("xplayer")) == {f"(mark {x} {y})" for x in (7, 8, 9) for y in (1, 2, 3)}


def test_who_is_sent_to_a_won_board_plays_anywhere_else() -> None:
    state = play(
        shelf_game("ultimate_tic_tac_toe").initial_state(),
        *("(mark 1 1)", "(mark 1 2)", "(mark 1 4)", "(mark 1 3)", "(mark 1 7)", "(mark 2 2)"),
        *("(mark 4 4)", "(mark 3 2)", "(mark 7 4)"),
    )
    # The board at the bottom left belongs to o since (mark 3 2); x has been at its left edge below and sent o there.
    assert not any(move in state.legal_moves("oplayer") for move in ("(mark 2 1)", "(mark 3 3)", "(mark 2 3)"))
    assert len(state.legal_moves("oplayer")) == 72 - 4


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("amazons:11", r"size of the board \(4 to 10\), not '11'"),
        ("dots_and_boxes:0,2", "number of rows"),
        ("clobber:2,2,2", "number of columns"),
        ("kalaha:6,4,x", "number of houses"),
        ("lines_of_action:8,5", "number of turns"),
    ],
)
def test_bad_parameters_are_refused(name: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        find(name).rule_sheet()


@pytest.mark.parametrize(
    "name", ["amazons:5", "lines_of_action:5", "pentago", "dots_and_boxes", "clobber", "ultimate_tic_tac_toe"]
)
def test_random_playouts_are_well_formed(name: str) -> None:
    check_random_playouts(shelf_game(name), 3)
