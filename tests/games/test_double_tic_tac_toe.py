from __future__ import annotations

from itertools import product
from random import Random

import pytest

from ludens.core.perft import perft
from ludens.gdl.reference import ReferenceState
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game

# A finished board of each result, read from the top, and what it is worth for xplayer and oplayer.
BOARDS = {
    "x": "xxxoo....",
    "o": "oooxx....",
    "-": "xoxxoooxx",
}
WORTH = {"x": (50, 0), "o": (0, 50), "-": (25, 25)}
EMPTY = "." * 9


def position(first: str, second: str, control: str = "xplayer") -> ReferenceState:
    facts = [
        (fluent, str(n % 3 + 1), str(3 - n // 3), "b" if mark == "." else mark)
        for fluent, board in (("cell1", first), ("cell2", second))
        for n, mark in enumerate(board)
    ]
    return shelf_game("double_tic_tac_toe").state([*facts, ("control", control)])


@pytest.mark.parametrize(("plies", "lines"), [(1, 18), (2, 18 * 17), (3, 18 * 17 * 16)])
def test_perft(plies: int, lines: int) -> None:
    assert perft(shelf_game("double_tic_tac_toe").initial_state(), plies) == lines


@pytest.mark.parametrize(("first", "second"), list(product("xo-", repeat=2)))
def test_goals_add_up_the_results_of_both_boards(first: str, second: str) -> None:
    state = position(BOARDS[first], BOARDS[second])
    assert state.is_terminal
    for number, role in enumerate(("xplayer", "oplayer")):
        assert state.goal_values(role) == [WORTH[first][number] + WORTH[second][number]]


@pytest.mark.parametrize("result", BOARDS)
def test_board_that_is_over_takes_no_more_marks(result: str) -> None:
    state = position(BOARDS[result], EMPTY)
    assert not state.is_terminal
    assert len(state.legal_moves("xplayer")) == 9
    assert all(move.startswith("(mark2 ") for move in state.legal_moves("xplayer"))


def test_mark_changes_one_cell_of_one_board_and_passes_the_turn() -> None:
    before = position("x........", ".....o...", control="oplayer")
    after = before.play({"xplayer": "noop", "oplayer": "(mark1 3 1)"})
    assert after == position("x.......o", ".....o...", control="xplayer")
    assert after.play({"xplayer": "(mark2 3 1)", "oplayer": "noop"}) == position("x.......o", ".....o..x", "oplayer")


def test_first_board_alone_is_tic_tac_toe() -> None:
    single = shelf_game("tic_tac_toe")
    rng = Random(1)
    for _ in range(20):
        state, model = position(EMPTY, BOARDS["-"]), single.initial_state()
        while not state.is_terminal:
            moves = {role: rng.choice(model.legal_moves(role)) for role in single.roles}
            assert [move.replace("mark1", "mark") for move in state.legal_moves("xplayer")] == list(
                model.legal_moves("xplayer")
            )
            state = state.play({role: move.replace("mark", "mark1") for role, move in moves.items()})
            model = model.play(moves)
        assert model.is_terminal
        assert state.goals["xplayer"] == model.goals["xplayer"] // 2 + 25


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(shelf_game("double_tic_tac_toe"), 30)
