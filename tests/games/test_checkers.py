from __future__ import annotations

from random import Random

import pytest

from ludens.core import State
from ludens.core.perft import perft
from ludens.gdl.reference import ReferenceState
from ludens.gdl.terms import Term, functor
from tests.games.boards import Board, board_of, control_of, drawn, state_of
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game
from tests.thorough import part_of

GAME = shelf_game("checkers")
OTHER = {"black": "white", "white": "black"}
PIECES = {"b": "black_man", "B": "black_king", "w": "white_man", "W": "white_king"}
KING_ROW = {"black_man": 8, "white_man": 1}
Square = tuple[int, int]


def position(picture: str, control: str, *, quiet: int = 0) -> ReferenceState:
    board = drawn(picture, PIECES)
    light = [content for (x, y), content in board.items() if (x + y) % 2]
    assert set(light) == {"b"}, "a piece stands on a light square"
    dark = {(x, y): content for (x, y), content in board.items() if (x + y) % 2 == 0}
    return state_of(GAME, dark, control, ("quiet", str(quiet)))


def play(state: ReferenceState, move: str) -> ReferenceState:
    return state.play(dict.fromkeys(GAME.roles, "noop") | {control_of(state): move})


def facts_named(state: ReferenceState, name: str) -> list[Term]:
    return [fact for fact in state.facts if functor(fact) == name]


def is_mid_turn(state: State) -> bool:
    assert isinstance(state, ReferenceState)
    return bool(facts_named(state, "jumping"))


@pytest.mark.parametrize(("plies", "count"), [(1, 7), (2, 49), (3, 302), (4, 1469)])
def test_turns_from_the_start(plies: int, count: int) -> None:
    assert perft(GAME.initial_state(), plies, is_mid_turn) == count


@pytest.mark.slow
@pytest.mark.parametrize(("plies", "count"), [(5, 7361), (6, 36768)])
def test_more_turns_from_the_start(plies: int, count: int) -> None:
    assert perft(GAME.initial_state(), plies, is_mid_turn) == count


def test_twelve_men_each_stand_on_dark_squares_and_black_begins() -> None:
    state = GAME.initial_state()
    board = board_of(state)
    assert set(board) == {(x, y) for x in range(1, 9) for y in range(1, 9) if (x + y) % 2 == 0}
    assert {square for square, content in board.items() if content == "black_man"} == {
        square for square in board if square[1] <= 3
    }
    assert {square for square, content in board.items() if content == "white_man"} == {
        square for square in board if square[1] >= 6
    }
    assert control_of(state) == "black"
    assert state.legal_moves("white") == ("noop",)


def test_men_step_forward_and_kings_all_ways() -> None:
    picture = """
        . . . . . . . .
        . . . . . . W .
        . . . . . . . .
        . . B . . . . .
        . . . . . w . .
        . . . . . . . .
        . . . . . b . .
        . . . . . . . .
    """
    assert set(position(picture, "black").legal_moves("black")) == {
        "(move 3 5 2 6)",
        "(move 3 5 4 6)",
        "(move 3 5 2 4)",
        "(move 3 5 4 4)",
        "(move 6 2 5 3)",
        "(move 6 2 7 3)",
    }
    assert set(position(picture, "white").legal_moves("white")) == {
        "(move 7 7 6 8)",
        "(move 7 7 8 8)",
        "(move 7 7 6 6)",
        "(move 7 7 8 6)",
        "(move 6 4 5 3)",
        "(move 6 4 7 3)",
    }


CHOICE = """
    . . . . . . . .
    . . . . . . . .
    . . . . . w . .
    . . . . . . . .
    . . . w . w . .
    . . b . b . . .
    . . . . . . . .
    b . . . . . . .
"""


def test_captures_are_mandatory_and_any_of_them_may_be_chosen() -> None:
    state = position(CHOICE, "black")
    assert set(state.legal_moves("black")) == {"(jump 3 3 5 5)", "(jump 5 3 3 5)", "(jump 5 3 7 5)"}


def test_a_jumped_piece_leaves_the_board() -> None:
    after = board_of(play(position(CHOICE, "black"), "(jump 5 3 3 5)"))
    assert (after[5, 3], after[4, 4], after[3, 5]) == ("b", "b", "black_man")


def test_a_piece_goes_on_jumping_while_it_can() -> None:
    state = play(position(CHOICE, "black"), "(jump 3 3 5 5)")
    assert facts_named(state, "jumping") == [("jumping", "5", "5")]
    assert control_of(state) == "black"
    assert state.legal_moves("black") == ("(jump 5 5 7 7)",)
    assert state.legal_moves("white") == ("noop",)
    after = play(state, "(jump 5 5 7 7)")
    assert not facts_named(after, "jumping")
    assert control_of(after) == "white"
    assert sorted(content for content in board_of(after).values() if content != "b") == [
        "black_man",
        "black_man",
        "black_man",
        "white_man",
    ]


def test_another_piece_may_not_take_over_in_the_middle_of_a_turn() -> None:
    state = play(position(CHOICE, "black"), "(jump 3 3 5 5)")
    assert board_of(state)[5, 3] == "black_man"
    assert "(jump 5 3 7 5)" not in state.legal_moves("black")


def test_a_capture_of_several_pieces_is_one_turn_in_perft() -> None:
    state = position(CHOICE, "black")
    assert perft(state, 1, is_mid_turn) == 3


def test_men_do_not_jump_backwards() -> None:
    state = position(
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . b . . . . .
        . . . w . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "black",
    )
    assert set(state.legal_moves("black")) == {"(move 3 5 2 6)", "(move 3 5 4 6)"}


CROWNING = """
    . . . . . . . .
    . . w . w . . .
    . b . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    w . . . . . . .
"""


def test_a_man_that_jumps_to_the_king_row_is_crowned_and_its_turn_ends() -> None:
    after = play(position(CROWNING, "black"), "(jump 2 6 4 8)")
    assert board_of(after)[4, 8] == "black_king"
    assert not facts_named(after, "jumping")
    assert control_of(after) == "white"


def test_a_king_in_the_same_place_goes_on() -> None:
    after = play(position(CROWNING.replace("b", "B"), "black"), "(jump 2 6 4 8)")
    assert facts_named(after, "jumping") == [("jumping", "4", "8")]
    assert after.legal_moves("black") == ("(jump 4 8 6 6)",)


BEFORE_CROWNING = """
    . . . . . . . .
    . . b . . . . .
    . b . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . w .
    . . . . . w . .
    . . . . . . . .
"""


@pytest.mark.parametrize(
    ("side", "move", "square", "piece"),
    [
        ("black", "(move 3 7 4 8)", (4, 8), "black_king"),
        ("black", "(move 2 6 1 7)", (1, 7), "black_man"),
        ("white", "(move 6 2 5 1)", (5, 1), "white_king"),
        ("white", "(move 7 3 8 2)", (8, 2), "white_man"),
    ],
)
def test_men_are_crowned_on_the_far_row_only(side: str, move: str, square: Square, piece: str) -> None:
    assert board_of(play(position(BEFORE_CROWNING, side), move))[square] == piece


def test_a_king_jumps_in_a_circle_back_to_where_it_began() -> None:
    state = position(
        """
        . w . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . w . w . . .
        . . . . . . . .
        . . w . w . . .
        . . . B . . . .
        . . . . . . . .
        """,
        "black",
    )
    for start, end in [("4 2", "6 4"), ("6 4", "4 6"), ("4 6", "2 4")]:
        state = play(state, f"(jump {start} {end})")
        assert control_of(state) == "black"
    assert state.legal_moves("black") == ("(jump 2 4 4 2)",)
    after = play(state, "(jump 2 4 4 2)")
    assert control_of(after) == "white"
    pieces = {square: content for square, content in board_of(after).items() if content != "b"}
    assert pieces == {(4, 2): "black_king", (2, 8): "white_man"}


def test_no_piece_is_jumped_twice() -> None:
    state = position(
        """
        . . . . . . . w
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . w . . . .
        . . B . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "black",
    )
    after = play(state, "(jump 3 3 5 5)")
    assert board_of(after)[4, 4] == "b"
    assert not facts_named(after, "jumping")
    assert control_of(after) == "white"


def test_a_side_whose_pieces_are_all_blocked_loses() -> None:
    state = position(
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . w . . . . .
        . w . . . . . .
        b . . . . . . .
        """,
        "black",
    )
    assert state.is_terminal
    assert state.goals == {"black": 0, "white": 100}


def test_a_side_without_pieces_loses() -> None:
    after = play(
        position(
            """
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
            . . . w . . . .
            . . b . . . . .
            . . . . . . . .
            . . . . . . . .
            """,
            "black",
        ),
        "(jump 3 3 5 5)",
    )
    assert after.is_terminal
    assert after.goals == {"black": 100, "white": 0}


KINGS = """
    . . . . . . . W
    . . . . . . . .
    . . . . . . . .
    . . w . . . . .
    . . . . . . . .
    . . . . . . . .
    . b . . . . . .
    B . . . . . . .
"""


def test_eighty_moves_without_progress_are_a_draw() -> None:
    state = position(KINGS.replace("b", "."), "black", quiet=79)
    assert not state.is_terminal
    after = play(state, "(move 1 1 2 2)")
    assert after.is_terminal
    assert after.goals == {"black": 50, "white": 50}


def test_a_mans_move_starts_the_count_anew() -> None:
    after = play(position(KINGS, "black", quiet=79), "(move 2 2 1 3)")
    assert facts_named(after, "quiet") == [("quiet", "0")]
    assert not after.is_terminal


def test_a_capture_starts_the_count_anew() -> None:
    state = position(CHOICE.replace("b", "B"), "black", quiet=42)
    assert facts_named(play(state, "(jump 5 3 3 5)"), "quiet") == [("quiet", "0")]


def test_a_kings_move_counts() -> None:
    after = play(position(KINGS, "white", quiet=42), "(move 8 8 7 7)")
    assert facts_named(after, "quiet") == [("quiet", "43")]


def directions(piece: str) -> list[Square]:
    ahead = {"black_man": (1,), "white_man": (-1,)}.get(piece, (1, -1))
    return [(dx, dy) for dx in (-1, 1) for dy in ahead]


def jumps_from(board: Board, square: Square) -> list[Square]:
    (x, y), piece = square, board[square]
    enemy = OTHER[piece.split("_")[0]]
    return [
        (x + 2 * dx, y + 2 * dy)
        for dx, dy in directions(piece)
        if board.get((x + dx, y + dy), "").startswith(enemy) and board.get((x + 2 * dx, y + 2 * dy)) == "b"
    ]


def expected_moves(board: Board, side: str, jumper: Square | None) -> dict[str, tuple[Square, Square]]:
    own = [jumper] if jumper else [square for square, content in board.items() if content.startswith(side)]
    jumps = [(square, target) for square in own for target in jumps_from(board, square)]
    steps = [
        ((x, y), (x + dx, y + dy))
        for x, y in own
        for dx, dy in directions(board[x, y])
        if board.get((x + dx, y + dy)) == "b"
    ]
    name, moves = ("jump", jumps) if jumps else ("move", steps)
    return {f"({name} {start[0]} {start[1]} {end[0]} {end[1]})": (start, end) for start, end in moves}


def after_move(board: Board, side: str, start: Square, end: Square) -> tuple[Board, str, Square | None]:
    piece = board[start]
    crowned = KING_ROW.get(piece) == end[1]
    board = board | {start: "b", end: f"{side}_king" if crowned else piece}
    if abs(start[0] - end[0]) == 1:
        return board, OTHER[side], None
    board[(start[0] + end[0]) // 2, (start[1] + end[1]) // 2] = "b"
    if jumps_from(board, end) and not crowned:
        return board, side, end
    return board, OTHER[side], None


def test_random_playouts_agree_with_an_independent_implementation() -> None:
    rng = Random(0)
    for _ in range(part_of(20)):
        state = GAME.initial_state()
        board, side, jumper = board_of(state), "black", None
        while not state.is_terminal:
            moves = expected_moves(board, side, jumper)
            assert set(state.legal_moves(side)) == set(moves)
            move = rng.choice(sorted(moves))
            state = play(state, move)
            board, side, jumper = after_move(board, side, *moves[move])
            assert board_of(state) == board
            assert control_of(state) == side
            assert facts_named(state, "jumping") == ([("jumping", *map(str, jumper))] if jumper else [])
        if ("quiet", "80") not in state.facts:
            assert not expected_moves(board, side, None)
            assert state.goals == {side: 0, OTHER[side]: 100}


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(GAME, playouts=20)
