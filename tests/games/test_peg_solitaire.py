from __future__ import annotations

from itertools import product

import pytest

from ludens.gdl.reference import ReferenceState
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game

Cell = tuple[int, int]
HOLES = {(x, y) for x, y in product(range(1, 8), repeat=2) if 3 <= x <= 5 or 3 <= y <= 5}

# Found by depth-first search; each jump is from column and row to column and row.
SOLUTION = (
    "4244 2343 3133 5131 4323 1333 5351 7353 3432 3133 1434 3432 5434 7454 5452 5153 "
    "3533 3234 1535 4525 5654 7555 3735 3436 5737 3735 2545 4565 5355 6545 4644"
)


def position(pegs: set[Cell]) -> ReferenceState:
    cells = [("cell", str(x), str(y), "peg" if (x, y) in pegs else "b") for x, y in HOLES]
    return shelf_game("peg_solitaire").state([*cells, ("pegs", str(len(pegs)))])


def far_apart(count: int) -> set[Cell]:
    """So many pegs, no two of which are neighbours, none of them in the centre."""
    return set(sorted((x, y) for x, y in HOLES if (x + y) % 2 == 1)[:count])


def test_start_is_full_but_for_the_centre() -> None:
    assert len(HOLES) == 33
    assert shelf_game("peg_solitaire").initial_state() == position(HOLES - {(4, 4)})


def test_number_of_distinct_positions_after_each_jump() -> None:
    level = {shelf_game("peg_solitaire").initial_state()}
    counts = []
    for _ in range(5):
        level = {state.play({"solver": move}) for state in level for move in state.legal_moves("solver")}
        counts.append(len(level))
    assert counts == [4, 12, 60, 296, 1338]


def test_solution_of_31_jumps_leaves_one_peg_in_the_centre() -> None:
    state = shelf_game("peg_solitaire").initial_state()
    for jump in SOLUTION.split():
        assert not state.is_terminal
        state = state.play({"solver": f"(jump {' '.join(jump)})"})
    assert len(SOLUTION.split()) == 31
    assert state == position({(4, 4)})
    assert state.is_terminal
    assert state.goals == {"solver": 100}


def test_jump_takes_the_peg_below() -> None:
    after = position({(3, 4), (4, 4), (7, 3)}).play({"solver": "(jump 3 4 5 4)"})
    assert after == position({(5, 4), (7, 3)})


@pytest.mark.parametrize(
    ("pegs", "moves"),
    [
        ({(3, 4), (4, 4)}, {"(jump 3 4 5 4)", "(jump 4 4 2 4)"}),
        ({(3, 1), (3, 2)}, {"(jump 3 1 3 3)"}),
        ({(2, 3), (3, 3), (3, 2)}, {"(jump 2 3 4 3)", "(jump 3 3 1 3)", "(jump 3 2 3 4)", "(jump 3 3 3 1)"}),
    ],
)
def test_jumps_are_straight_and_stay_on_the_board(pegs: set[Cell], moves: set[str]) -> None:
    assert set(position(pegs).legal_moves("solver")) == moves


@pytest.mark.parametrize(
    ("count", "value"),
    [(1, 90), (2, 80), (3, 70), (4, 60), (5, 50), (6, 40), (7, 30), (8, 20), (9, 10), (10, 0), (16, 0)],
)
def test_worth_of_pegs_left_outside_the_centre(count: int, value: int) -> None:
    state = position(far_apart(count))
    assert state.is_terminal
    assert state.goal_values("solver") == [value]


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(shelf_game("peg_solitaire"), 20)
