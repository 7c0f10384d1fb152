from __future__ import annotations

import pytest

from ludens.gdl.reference import ReferenceState
from tests.games.boards import Board, board_of, control_of, state_of
from tests.games.playouts import check_random_playouts, random_states
from tests.games.shelf import shelf_game
from tests.thorough import part_of

GAME = shelf_game("gomoku")
OTHER = {"black": "white", "white": "black"}
EMPTY: Board = {(x, y): "b" for x in range(1, 16) for y in range(1, 16)}
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]


def stones(side: str, cells: list[tuple[int, int]]) -> Board:
    return dict.fromkeys(cells, side)


def has_row_of_five(board: Board, side: str) -> bool:
    return any(
        all(board.get((x + dx * n, y + dy * n)) == side for n in range(5)) for x, y in board for dx, dy in DIRECTIONS
    )


def test_play_begins_with_black_on_an_empty_board() -> None:
    state = GAME.initial_state()
    assert len(state.legal_moves("black")) == 225
    assert state.legal_moves("white") == ("noop",)


def test_a_placed_stone_takes_its_point_and_the_turn_passes() -> None:
    state = GAME.initial_state().play({"black": "(place 8 8)", "white": "noop"})
    assert board_of(state) == EMPTY | {(8, 8): "black"}
    assert len(state.legal_moves("white")) == 224
    assert "(place 8 8)" not in state.legal_moves("white")


@pytest.mark.parametrize("side", ["black", "white"])
@pytest.mark.parametrize(
    ("start", "direction"),
    [
        ((1, 1), (1, 0)),
        ((11, 15), (1, 0)),
        ((1, 11), (0, 1)),
        ((15, 1), (0, 1)),
        ((11, 11), (1, 1)),
        ((1, 15), (1, -1)),
        ((11, 5), (1, -1)),
    ],
)
@pytest.mark.parametrize("last", [0, 2, 4])
def test_the_fifth_stone_in_a_row_wins(
    side: str, start: tuple[int, int], direction: tuple[int, int], last: int
) -> None:
    row = [(start[0] + direction[0] * n, start[1] + direction[1] * n) for n in range(5)]
    x, y = row.pop(last)
    state = state_of(GAME, EMPTY | stones(side, row), side)
    assert not state.is_terminal
    after = state.play({side: f"(place {x} {y})", OTHER[side]: "noop"})
    assert after.is_terminal
    assert after.goals == {side: 100, OTHER[side]: 0}


def test_more_than_five_in_a_row_win_too() -> None:
    row = [(x, 7) for x in (2, 3, 4, 6, 7, 8)]
    after = state_of(GAME, EMPTY | stones("white", row), "white").play({"black": "noop", "white": "(place 5 7)"})
    assert after.is_terminal
    assert after.goals == {"black": 0, "white": 100}


def test_a_row_with_a_gap_an_enemy_or_an_edge_in_it_does_not_win() -> None:
    board = EMPTY | stones("black", [(x, 7) for x in (1, 2, 3, 4, 6, 7, 8, 9)] + [(x, 6) for x in (12, 13, 14, 15)])
    broken = board | {(5, 7): "white"}
    assert not state_of(GAME, board, "white").is_terminal
    assert not state_of(GAME, broken, "white").is_terminal


def full_board() -> Board:
    """Pairs of columns that alternate, shifted every other row: no row of five anywhere."""
    return {(x, y): "black" if (x // 2 + y) % 2 else "white" for x, y in EMPTY}


def test_a_full_board_without_a_row_is_a_draw() -> None:
    board = full_board()
    assert not any(has_row_of_five(board, side) for side in OTHER)
    last = next(cell for cell, content in board.items() if content == "black")
    state = state_of(GAME, board | {last: "b"}, "black")
    assert not state.is_terminal
    after = state.play({"black": f"(place {last[0]} {last[1]})", "white": "noop"})
    assert after.is_terminal
    assert after.goals == {"black": 50, "white": 50}


def is_over(state: ReferenceState) -> bool:
    board = board_of(state)
    return has_row_of_five(board, OTHER[control_of(state)]) or "b" not in board.values()


def test_random_playouts_end_with_the_first_row_of_five() -> None:
    for state in random_states(GAME, playouts=part_of(6)):
        assert state.is_terminal == is_over(state)


@pytest.mark.slow
def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(GAME, playouts=20)
