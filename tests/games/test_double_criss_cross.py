from __future__ import annotations

from itertools import product
from random import Random

import pytest

from ludens.gdl.reference import ReferenceState
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game
from tests.games.test_criss_cross import BOARD, HOME, START, Pieces, pieces

Board = tuple[Pieces, Pieces]
FRESH = (START["red"], START["teal"])

# Where red has none, one or two pieces home, and teal none.
RED_HOME = [FRESH, (pieces((4, 2), (1, 3)), START["teal"]), (HOME["red"], START["teal"])]


def position(first: Board, second: Board, control: str = "red", step: int = 0) -> ReferenceState:
    facts = []
    for fluent, (red, teal) in (("cell1", first), ("cell2", second)):
        contents = dict.fromkeys(red, "red") | dict.fromkeys(teal, "teal")
        facts += [(fluent, str(x), str(y), contents.get((x, y), "b")) for x, y in BOARD]
    return shelf_game("double_criss_cross").state([*facts, ("control", control), ("step", str(step))])


def test_start() -> None:
    assert shelf_game("double_criss_cross").initial_state() == position(FRESH, FRESH)


@pytest.mark.parametrize("board", ["1", "2"])
def test_each_board_alone_is_criss_cross(board: str) -> None:
    single = shelf_game("criss_cross")
    over = (HOME["red"], START["teal"])
    rng = Random(1)
    for _ in range(20):
        model = single.initial_state()
        state = position(FRESH, over) if board == "1" else position(over, FRESH)
        while not model.is_terminal:
            for role in single.roles:
                renamed = [move.replace("move", f"move{board}") for move in model.legal_moves(role)]
                assert list(state.legal_moves(role)) == renamed
            moves = {role: rng.choice(model.legal_moves(role)) for role in single.roles}
            model = model.play(moves)
            state = state.play({role: move.replace("move", f"move{board}") for role, move in moves.items()})
        assert state.is_terminal or ("step", "20") in model.facts
        assert state.goals == {"red": model.goals["red"] // 2 + 50, "teal": model.goals["teal"] // 2}


def test_move_leaves_the_other_board_as_it_is() -> None:
    after = position(FRESH, FRESH).play({"red": "(move2 1 2 2 2)", "teal": "noop"})
    assert after == position(FRESH, (pieces((2, 2), (1, 3)), START["teal"]), control="teal", step=1)


@pytest.mark.parametrize(("first", "second"), list(product(range(3), repeat=2)))
def test_each_piece_home_counts_25(first: int, second: int) -> None:
    state = position(RED_HOME[first], RED_HOME[second], step=40)
    assert state.is_terminal
    assert state.goal_values("red") == [25 * (first + second)]
    assert state.goal_values("teal") == [0]


def test_boards_may_be_won_by_different_roles() -> None:
    state = position((HOME["red"], START["teal"]), (START["red"], HOME["teal"]), step=13)
    assert state.is_terminal
    assert state.goals == {"red": 50, "teal": 50}


def test_one_finished_board_does_not_end_the_game_but_forty_moves_do() -> None:
    assert not position(RED_HOME[2], RED_HOME[0], step=39).is_terminal
    assert position(RED_HOME[2], RED_HOME[0], step=40).is_terminal


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(shelf_game("double_criss_cross"), 20)
