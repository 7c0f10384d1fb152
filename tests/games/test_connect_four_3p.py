from __future__ import annotations

import pytest

from ludens.core.perft import perft
from ludens.gdl.reference import ReferenceState
from tests.games.boards import Board, board_of, control_of, state_of
from tests.games.playouts import check_random_playouts, random_states
from tests.games.shelf import shelf_game
from tests.thorough import part_of

GAME = shelf_game("connect_four_3p")
TURNS = {"red": "yellow", "yellow": "blue", "blue": "red"}
BEFORE = {after: before for before, after in TURNS.items()}
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]


def drop(state: ReferenceState, column: int) -> ReferenceState:
    joint_move = dict.fromkeys(GAME.roles, "noop") | {control_of(state): f"(drop {column})"}
    return state.play(joint_move)


def board_after(board: Board, side: str, column: int) -> Board:
    row = next(y for y in range(1, 8) if board[column, y] == "b")
    return board | {(column, row): side}


def has_row_of_four(board: Board, side: str) -> bool:
    return any(
        all(board.get((x + dx * n, y + dy * n)) == side for n in range(4)) for x, y in board for dx, dy in DIRECTIONS
    )


def count_lines(board: Board, side: str, plies: int) -> int:
    if plies == 0:
        return 1
    if has_row_of_four(board, BEFORE[side]):
        return 0
    open_columns = [x for x in range(1, 10) if board[x, 7] == "b"]
    return sum(count_lines(board_after(board, side, x), TURNS[side], plies - 1) for x in open_columns)


def test_the_grid_has_nine_columns_and_seven_rows() -> None:
    assert set(board_of(GAME.initial_state())) == {(x, y) for x in range(1, 10) for y in range(1, 8)}


def test_red_yellow_and_blue_take_turns() -> None:
    state = GAME.initial_state()
    order = []
    for column in range(1, 7):
        order.append(control_of(state))
        assert [role for role in GAME.roles if state.legal_moves(role) == ("noop",)] == [
            role for role in GAME.roles if role != control_of(state)
        ]
        state = drop(state, column)
    assert order == ["red", "yellow", "blue", "red", "yellow", "blue"]


def test_discs_pile_up_until_a_column_is_full() -> None:
    state = GAME.initial_state()
    for _ in range(7):
        state = drop(state, 4)
    board = board_of(state)
    assert [board[4, y] for y in range(1, 8)] == ["red", "yellow", "blue", "red", "yellow", "blue", "red"]
    assert "(drop 4)" not in state.legal_moves("yellow")
    assert len(state.legal_moves("yellow")) == 8


@pytest.mark.parametrize("side", ["red", "yellow", "blue"])
@pytest.mark.parametrize(
    ("start", "direction"),
    [((1, 1), (1, 0)), ((6, 7), (1, 0)), ((9, 4), (0, 1)), ((6, 4), (1, 1)), ((1, 4), (1, -1))],
)
def test_four_in_a_row_take_everything(side: str, start: tuple[int, int], direction: tuple[int, int]) -> None:
    row = {(start[0] + direction[0] * n, start[1] + direction[1] * n): side for n in range(4)}
    empty = board_of(GAME.initial_state())
    state = state_of(GAME, empty | row, TURNS[side])
    assert state.is_terminal
    assert state.goals == {role: 100 if role == side else 0 for role in GAME.roles}
    for missing in row:
        assert not state_of(GAME, empty | row | {missing: "b"}, TURNS[side]).is_terminal
        assert not state_of(GAME, empty | row | {missing: BEFORE[side]}, TURNS[side]).is_terminal


def full_grid() -> Board:
    """Colours take turns along each row, and rows are shifted to and fro: no row of four anywhere."""
    shifts = [0, 1, 2, 1, 0, 1, 2]
    return {(x, y): GAME.roles[(x + shifts[y - 1]) % 3] for x in range(1, 10) for y in range(1, 8)}


def test_a_full_grid_is_worth_a_third_to_each() -> None:
    last = (9, 7)
    grid = full_grid()
    state = state_of(GAME, grid | {last: "b"}, grid[last])
    assert not state.is_terminal
    after = drop(state, 9)
    assert after.is_terminal
    assert after.goals == {"red": 33, "yellow": 33, "blue": 33}


@pytest.mark.parametrize("side", ["red", "yellow", "blue"])
def test_lines_from_an_endgame_are_as_many_as_an_independent_count_finds(side: str) -> None:
    heights = {2: 3, 3: 4, 4: 5, 8: 6}
    board = {(x, y): "b" if y > heights.get(x, 7) else content for (x, y), content in full_grid().items()}
    state = state_of(GAME, board, side)
    for plies in range(1, 7):
        assert perft(state, plies) == count_lines(board, side, plies)


def test_random_playouts_agree_with_an_independent_implementation() -> None:
    before: Board = {}
    for state in random_states(GAME, playouts=part_of(20)):
        board, side = board_of(state), control_of(state)
        if set(board.values()) != {"b"}:
            changed = [cell for cell in board if board[cell] != before[cell]]
            assert board == board_after(before, BEFORE[side], changed[0][0])
        won = has_row_of_four(board, BEFORE[side])
        open_columns = [f"(drop {x})" for x in range(1, 10) if board[x, 7] == "b"]
        assert state.is_terminal == (won or not open_columns)
        if not state.is_terminal:
            assert list(state.legal_moves(side)) == open_columns
        before = board


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(GAME, playouts=20)
