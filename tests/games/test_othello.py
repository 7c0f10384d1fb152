from __future__ import annotations

from random import Random

import pytest

from ludens.core.perft import perft
from ludens.gdl.reference import ReferenceState
from tests.games.boards import Board, board_of, control_of, drawn, state_of
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game
from tests.thorough import part_of

GAME = shelf_game("othello")
OTHER = {"black": "white", "white": "black"}
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
EMPTY: Board = {(x, y): "b" for x in range(1, 9) for y in range(1, 9)}


def position(picture: str, control: str) -> ReferenceState:
    return state_of(GAME, EMPTY | drawn(picture, {"k": "black", "w": "white"}), control)


def turned(board: Board, side: str, cell: tuple[int, int]) -> set[tuple[int, int]]:
    found: set[tuple[int, int]] = set()
    for dx, dy in DIRECTIONS:
        x, y = cell[0] + dx, cell[1] + dy
        line = set()
        while board.get((x, y)) == OTHER[side]:
            line.add((x, y))
            x, y = x + dx, y + dy
        if board.get((x, y)) == side:
            found |= line
    return found


def placements(board: Board, side: str) -> dict[str, Board]:
    """The board after each placing move."""
    return {
        f"(place {cell[0]} {cell[1]})": board | dict.fromkeys(turned(board, side, cell) | {cell}, side)
        for cell, content in board.items()
        if content == "b" and turned(board, side, cell)
    }


def goals(board: Board) -> dict[str, int]:
    contents = list(board.values())
    lead = contents.count("black") - contents.count("white")
    return {"black": 50, "white": 50} if lead == 0 else {"black": 100 * (lead > 0), "white": 100 * (lead < 0)}


def test_white_starts_on_d4_and_e5_and_black_on_d5_and_e4_with_the_move() -> None:
    state = GAME.initial_state()
    discs = {cell: content for cell, content in board_of(state).items() if content != "b"}
    assert discs == {(4, 4): "white", (5, 5): "white", (4, 5): "black", (5, 4): "black"}
    assert set(state.legal_moves("black")) == {"(place 3 4)", "(place 4 3)", "(place 5 6)", "(place 6 5)"}
    assert state.legal_moves("white") == ("noop",)


@pytest.mark.parametrize(("plies", "count"), [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1396)])
def test_lines_from_the_start(plies: int, count: int) -> None:
    assert perft(GAME.initial_state(), plies) == count


@pytest.mark.slow
@pytest.mark.parametrize(("plies", "count"), [(6, 8200), (7, 55092)])
def test_long_lines_from_the_start(plies: int, count: int) -> None:
    assert perft(GAME.initial_state(), plies) == count


def test_discs_turn_in_all_eight_directions_as_far_as_the_first_own_disc() -> None:
    state = position(
        """
        k . . k . . k .
        . w . w . w . .
        . . w w w . . .
        k w w . w w w k
        . . w w w . . .
        . w . w . w . .
        k . . w . . k .
        . . . k . . . w
        """,
        "black",
    )
    after = board_of(state.play({"black": "(place 4 5)", "white": "noop"}))
    assert after[8, 1] == "white"
    assert list(after.values()).count("white") == 1


def test_discs_beyond_a_gap_or_the_edge_do_not_turn() -> None:
    state = position("k w . w . w w w", "black")
    assert state.legal_moves("black") == ("(place 3 1)",)
    after = board_of(state.play({"black": "(place 3 1)", "white": "noop"}))
    assert [after[x, 1] for x in range(1, 9)] == [
        "black",
        "black",
        "black",
        "white",
        "b",
        "white",
        "white",
        "white",
    ]


def test_who_cannot_place_passes_and_the_other_goes_on() -> None:
    state = position("w k . . . . . .", "black")
    assert not state.is_terminal
    assert state.legal_moves("black") == ("pass",)
    after = state.play({"black": "pass", "white": "noop"})
    assert board_of(after) == board_of(state)
    assert after.legal_moves("white") == ("(place 3 1)",)


def test_who_can_place_may_not_pass() -> None:
    assert "pass" not in GAME.initial_state().legal_moves("black")


def test_the_game_ends_when_neither_side_can_place() -> None:
    state = position("w k . . . . . .", "white").play({"black": "noop", "white": "(place 3 1)"})
    assert state.is_terminal
    assert state.goals == {"black": 0, "white": 100}


def test_the_game_goes_on_while_only_the_side_to_move_can_place() -> None:
    assert not position("w k . . . . . .", "white").is_terminal


@pytest.mark.parametrize(
    ("blacks", "whites", "black_goal"),
    [
        (32, 32, 50),
        (33, 31, 100),
        (31, 33, 0),
        (64, 0, 100),
        (0, 64, 0),
        (20, 20, 50),
        (1, 0, 100),
        (20, 21, 0),
    ],
)
def test_the_side_with_more_discs_wins(blacks: int, whites: int, black_goal: int) -> None:
    contents = ["black"] * blacks + ["white"] * whites + ["b"] * (64 - blacks - whites)
    Random(0).shuffle(contents)
    state = state_of(GAME, dict(zip(EMPTY, contents, strict=True)), "black")
    assert state.goal_values("black") == [black_goal]
    assert state.goal_values("white") == [100 - black_goal]


def test_discs_are_counted_right_on_random_boards() -> None:
    rng = Random(1)
    for _ in range(40):
        board = {cell: rng.choice(["black", "white", "b"]) for cell in EMPTY}
        assert state_of(GAME, board, "white").goals == goals(board)


def test_random_playouts_agree_with_an_independent_implementation() -> None:
    rng = Random(2)
    for _ in range(part_of(20)):
        state, board, side = GAME.initial_state(), board_of(GAME.initial_state()), "black"
        while placements(board, "black") or placements(board, "white"):
            after = placements(board, side) or {"pass": board}
            assert not state.is_terminal
            assert control_of(state) == side
            assert set(state.legal_moves(side)) == set(after)
            move = rng.choice(sorted(after))
            state = state.play({side: move, OTHER[side]: "noop"})
            board, side = after[move], OTHER[side]
            assert board_of(state) == board
        assert state.is_terminal
        assert state.goals == goals(board)


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(GAME, playouts=20)
