"""Sudoku, queens and the knight's tour: what may be placed where, and how many ways there are."""

from __future__ import annotations

from itertools import product

import clingo
import pytest

from ludens.core import GameError
from ludens.core.perft import perft
from ludens.games.library import find
from ludens.gdl.reference import ReferenceState
from tests.games.boards import Board, board_of
from tests.games.playouts import check_random_playouts, random_states
from tests.games.shelf import shelf_game

PUZZLES = ["easy", "medium", "hard", "small"]


def solutions(board: Board, size: int) -> list[Board]:
    """All ways to fill a sudoku, two at most."""
    side = {4: 2, 9: 3}[size]
    given = "".join(f"v({x},{y},{digit})." for (x, y), digit in board.items() if digit != "b")
    control = clingo.Control(["-n2"])
    control.add(
        "base",
        [],
        f"""d(1..{size}). {given} 1 {{v(X,Y,D) : d(D)}} 1 :- d(X), d(Y).
        box(X,Y,(X-1)/{side},(Y-1)/{side}) :- d(X), d(Y).
        :- d(D), d(X), 2 {{v(X,Y,D)}}. :- d(D), d(Y), 2 {{v(X,Y,D)}}.
        :- d(D), box(_,_,A,B), 2 {{v(X,Y,D) : box(X,Y,A,B)}}.""",
    )
    control.ground([("base", [])])
    found: list[Board] = []
    with control.solve(yield_=True) as models:
        for model in models:
            marks = [atom.arguments for atom in model.symbols(atoms=True) if atom.name == "v"]
            found.append({(x.number, y.number): str(digit) for x, y, digit in marks})
    return found


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_each_sudoku_has_one_solution_that_plays_through_to_100(puzzle: str) -> None:
    state: ReferenceState = shelf_game(f"sudoku:{puzzle}").initial_state()
    (solution,) = solutions(board_of(state), 4 if puzzle == "small" else 9)
    for (x, y), digit in sorted(solution.items()):
        if board_of(state)[x, y] == "b":
            state = state.play({"solver": f"(mark {x} {y} {digit})"})
    assert state.is_terminal
    assert state.goals == {"solver": 100}


def open_marks(board: Board, size: int) -> set[str]:
    side = {4: 2, 9: 3}[size]

    def sees(one: tuple[int, int], other: tuple[int, int]) -> bool:
        same_box = all((a - 1) // side == (b - 1) // side for a, b in zip(one, other, strict=True))
        return same_box or one[0] == other[0] or one[1] == other[1]

    return {
        f"(mark {square[0]} {square[1]} {digit})"
        for square, digit in product(board, range(1, size + 1))
        if board[square] == "b" and not any(board[other] == str(digit) and sees(square, other) for other in board)
    }


@pytest.mark.parametrize(("puzzle", "size"), [("small", 4), ("hard", 9)])
def test_sudoku_marks_are_those_that_no_line_and_no_box_forbids(puzzle: str, size: int) -> None:
    for state in random_states(shelf_game(f"sudoku:{puzzle}"), 2):
        expected = open_marks(board_of(state), size)
        assert state.is_terminal == (not expected)
        if expected:
            assert set(state.legal_moves("solver")) == expected


def test_a_sudoku_may_be_written_with_noughts() -> None:
    assert find("sudoku:0023000400000230").rule_sheet().rules == find("sudoku:small").rule_sheet().rules


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sudoku:123", "81 .or 16. digits"),
        ("sudoku:..23...4.....235", "81 .or 16. digits"),
        ("sudoku:22..............", "given twice"),
        ("queens:3", r"size of the board \(4 to 12\), not '3'"),
        ("queens:8,8", "not '8,8'"),
        ("queens:" + "9" * 5000, "queens takes"),
        ("knights_tour:3,x", "number of rows"),
    ],
)
def test_what_is_no_puzzle_is_refused(name: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        find(name).rule_sheet()


@pytest.mark.parametrize(("size", "lines"), [(4, 2), (5, 10), (6, 4)])
def test_queens_have_as_many_solutions_as_is_known(size: int, lines: int) -> None:
    assert perft(shelf_game(f"queens:{size}").initial_state(), size) == lines


def test_queens_are_placed_row_by_row_out_of_each_others_way() -> None:
    state = shelf_game("queens:5").initial_state().play({"solver": "(place 2 1)"})
    assert set(state.legal_moves("solver")) == {"(place 4 2)", "(place 5 2)"}
    state = state.play({"solver": "(place 5 2)"})
    assert set(state.legal_moves("solver")) == {"(place 1 3)", "(place 3 3)"}


def test_knights_tours_are_as_many_as_is_known() -> None:
    assert perft(shelf_game("knights_tour:3,4").initial_state(), 12) == 16


@pytest.mark.slow
def test_knights_tours_on_four_by_five_are_as_many_as_is_known() -> None:
    # Lines that have visited the same squares and end on the same one are counted together.
    lines = {shelf_game("knights_tour:4,5").initial_state(): 1}
    for _ in range(20):
        after: dict[ReferenceState, int] = {}
        for state, count in lines.items():
            for move in () if state.is_terminal else state.legal_moves("rider"):
                following = state.play({"rider": move})
                after[following] = after.get(following, 0) + count
        lines = after
    assert sum(lines.values()) == 164


def test_a_knight_that_is_stuck_is_paid_for_its_visits() -> None:
    state: ReferenceState = shelf_game("knights_tour:3,3").initial_state()
    assert len(state.legal_moves("rider")) == 9
    state = state.play({"rider": "(go 2 2)"})
    assert state.is_terminal
    assert state.goals == {"rider": 11}


@pytest.mark.parametrize("name", ["sudoku:medium", "queens", "knights_tour"])
def test_random_playouts_are_well_formed(name: str) -> None:
    check_random_playouts(shelf_game(name), 5)
