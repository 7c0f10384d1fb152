from __future__ import annotations

from collections.abc import Iterator

import pytest

from ludens.core import GameError
from ludens.core.perft import perft
from ludens.gdl.reference import ReferenceState
from tests.games.boards import Board, board_of, drawn, state_of
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game

GAME = shelf_game("breakthrough")
FORWARD = {"white": 1, "black": -1}
OTHER = {"white": "black", "black": "white"}


def position(picture: str, control: str) -> ReferenceState:
    return state_of(GAME, drawn(picture, {"w": "white", "k": "black"}), control)


def boards_after(board: Board, side: str) -> Iterator[Board]:
    for (x, y), content in board.items():
        for dx in (-1, 0, 1):
            target = (x + dx, y + FORWARD[side])
            allowed = ("b",) if dx == 0 else ("b", OTHER[side])
            if content == side and board.get(target) in allowed:
                yield board | {(x, y): "b", target: side}


def count_lines(board: Board, side: str, plies: int) -> int:
    if plies == 0:
        return 1
    other = OTHER[side]
    over = other not in board.values() or side not in board.values()
    far_row = max(y for _, y in board) if other == "white" else 1
    if over or any(content == other and y == far_row for (_, y), content in board.items()):
        return 0
    return sum(count_lines(after, other, plies - 1) for after in boards_after(board, side))


MELEE = """
    . . . . . . . .
    . w . . k . . .
    . k . k . . . .
    . . w . w k . .
    . k . k . w . .
    . . w w . . . .
    . . . k . . w .
    . . . . . . . .
"""


@pytest.mark.parametrize(("plies", "count"), [(1, 22), (2, 484), (3, 11132)])
def test_lines_from_the_start_are_as_many_as_an_independent_count_finds(plies: int, count: int) -> None:
    state = GAME.initial_state()
    assert perft(state, plies) == count
    assert count_lines(board_of(state), "white", plies) == count


@pytest.mark.parametrize(("name", "cells"), [("breakthrough:5", 25), ("breakthrough:4,6", 24)])
def test_lines_on_small_boards_are_as_many_as_an_independent_count_finds(name: str, cells: int) -> None:
    state = shelf_game(name).initial_state()
    board = board_of(state)
    assert len(board) == cells
    assert perft(state, 3) == count_lines(board, "white", 3)


def test_a_board_that_is_too_small_is_refused() -> None:
    with pytest.raises(GameError, match="number of rows"):
        shelf_game("breakthrough:3,3")


@pytest.mark.slow
def test_lines_of_four_plies_from_the_start() -> None:
    assert perft(GAME.initial_state(), 4) == 256036
    assert count_lines(board_of(GAME.initial_state()), "white", 4) == 256036


@pytest.mark.parametrize("side", ["white", "black"])
def test_lines_from_a_melee_that_soon_ends_are_as_many_as_an_independent_count_finds(side: str) -> None:
    state = position(MELEE, side)
    for plies in (1, 2, 3):
        assert perft(state, plies) == count_lines(board_of(state), side, plies)


def test_a_man_is_blocked_straight_ahead_by_friend_and_foe_but_captures_diagonally() -> None:
    state = position(
        """
        . . . . . . . .
        . . . . . . k .
        . . . . . . . .
        . . . k k . . .
        . . . w w . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "white",
    )
    assert set(state.legal_moves("white")) == {
        "(move 4 4 3 5)",
        "(move 4 4 5 5)",
        "(move 5 4 4 5)",
        "(move 5 4 6 5)",
    }
    assert state.legal_moves("black") == ("noop",)


def test_a_capture_replaces_the_enemy() -> None:
    state = position(MELEE, "white")
    board = board_of(state.play({"white": "(move 3 5 4 6)", "black": "noop"}))
    assert (board[3, 5], board[4, 6]) == ("b", "white")


def test_reaching_the_far_row_wins() -> None:
    state = position(MELEE, "white").play({"white": "(move 2 7 2 8)", "black": "noop"})
    assert state.is_terminal
    assert state.goals == {"white": 100, "black": 0}


def test_black_wins_on_the_first_row() -> None:
    state = position(MELEE, "black").play({"black": "(move 4 2 4 1)", "white": "noop"})
    assert state.is_terminal
    assert state.goals == {"white": 0, "black": 100}


def test_taking_the_last_enemy_wins() -> None:
    state = position(
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . k . . .
        . . . w . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "white",
    )
    assert not state.is_terminal
    after = state.play({"white": "(move 4 4 5 5)", "black": "noop"})
    assert after.is_terminal
    assert after.goals == {"white": 100, "black": 0}


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(GAME, playouts=20)
