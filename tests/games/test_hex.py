from __future__ import annotations

import pytest

from ludens.gdl.reference import ReferenceState
from tests.games.boards import Board, board_of, control_of, drawn, state_of
from tests.games.playouts import check_random_playouts, random_states
from tests.games.shelf import shelf_game
from tests.thorough import part_of

GAME = shelf_game("hex")
OTHER = {"red": "blue", "blue": "red"}
NEIGHBOURS = [(-1, 0), (1, 0), (-1, 1), (0, 1), (0, -1), (1, -1)]
EMPTY: Board = {(x, y): "b" for x in range(1, 10) for y in range(1, 10)}


def position(picture: str, control: str) -> ReferenceState:
    return state_of(GAME, drawn(picture, {"r": "red", "u": "blue"}), control)


def has_chain(board: Board, side: str) -> bool:
    axis = 0 if side == "red" else 1
    found = {cell for cell, content in board.items() if content == side and cell[axis] == 1}
    queue = list(found)
    while queue:
        x, y = queue.pop()
        for dx, dy in NEIGHBOURS:
            cell = (x + dx, y + dy)
            if board.get(cell) == side and cell not in found:
                found.add(cell)
                queue.append(cell)
    return any(cell[axis] == 9 for cell in found)


def test_play_begins_with_red_on_an_empty_board() -> None:
    state = GAME.initial_state()
    assert len(state.legal_moves("red")) == 81
    assert state.legal_moves("blue") == ("noop",)


def test_a_placed_stone_takes_its_cell_and_the_turn_passes() -> None:
    state = GAME.initial_state().play({"red": "(place 5 5)", "blue": "noop"})
    assert board_of(state) == EMPTY | {(5, 5): "red"}
    assert len(state.legal_moves("blue")) == 80
    assert "(place 5 5)" not in state.legal_moves("blue")


@pytest.mark.parametrize(
    ("side", "line"),
    [
        ("red", [(n, 4) for n in range(1, 10)]),
        ("red", [(n, 10 - n) for n in range(1, 10)]),
        ("blue", [(7, n) for n in range(1, 10)]),
        ("blue", [(10 - n, n) for n in range(1, 10)]),
    ],
)
def test_a_straight_chain_wins_and_breaks_wherever_a_stone_is_missing(side: str, line: list[tuple[int, int]]) -> None:
    board = dict.fromkeys(EMPTY, OTHER[side]) | dict.fromkeys(line, side)
    assert state_of(GAME, board, OTHER[side]).is_terminal
    for cell in line:
        assert not state_of(GAME, board | {cell: "b"}, OTHER[side]).is_terminal


def test_diagonal_cells_along_the_short_axis_do_not_touch() -> None:
    board = EMPTY | {(n, 4): "red" for n in range(1, 5)} | {(n, 5): "red" for n in range(5, 10)}
    assert not state_of(GAME, board, "blue").is_terminal
    assert state_of(GAME, board | {(5, 4): "red"}, "blue").is_terminal


WINDING = """
    . . . . . . . . u
    r r r r r r r . u
    r u u u u u r . u
    r u r r r u r . u
    r u r . r u r . u
    r u r . r r r . u
    r u r . . . . . u
    . u r r r r r r .
    . u . . . . . . .
"""


def test_a_winding_chain_to_the_far_side_wins() -> None:
    # On its way the chain goes up, right, down and left, and it is one stone short of the right side.
    state = position(WINDING, "red")
    assert not state.is_terminal
    after = state.play({"red": "(place 9 2)", "blue": "noop"})
    assert after.is_terminal
    assert after.goals == {"red": 100, "blue": 0}


def test_blue_joins_bottom_and_top() -> None:
    state = position(WINDING, "blue")
    assert not state.is_terminal
    halfway = state.play({"red": "noop", "blue": "(place 9 2)"})
    assert not halfway.is_terminal
    after = state_of(GAME, board_of(halfway), "blue").play({"red": "noop", "blue": "(place 9 1)"})
    assert after.is_terminal
    assert after.goals == {"red": 0, "blue": 100}


def test_a_chain_between_the_other_sides_sides_does_not_win() -> None:
    state = state_of(GAME, EMPTY | {(5, y): "red" for y in range(1, 10)}, "blue")
    assert not state.is_terminal


def test_random_playouts_end_with_the_first_chain_and_never_in_a_draw() -> None:
    for state in random_states(GAME, playouts=part_of(20)):
        mover = OTHER[control_of(state)]
        won = has_chain(board_of(state), mover)
        assert state.is_terminal == won
        assert not has_chain(board_of(state), control_of(state))
        if won:
            assert state.goals == {mover: 100, OTHER[mover]: 0}


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(GAME, playouts=20)
