from __future__ import annotations

from itertools import combinations, product
from random import Random

from ludens.gdl.reference import ReferenceState
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game

Cell = tuple[int, int]
CELLS: list[Cell] = list(product(range(1, 6), range(1, 6)))
START = {(x, y) for x, y in CELLS if x == 1 or y == 1}


def position(lights: set[Cell], step: int = 0) -> ReferenceState:
    cells = [("cell", str(x), str(y), "on" if (x, y) in lights else "off") for x, y in CELLS]
    return shelf_game("lights_out").state([*cells, ("step", str(step))])


def switched(cell: Cell) -> set[Cell]:
    return {other for other in CELLS if abs(other[0] - cell[0]) + abs(other[1] - cell[1]) <= 1}


def all_solutions(lights: set[Cell]) -> list[set[Cell]]:
    """Every set of presses that puts the lights out: Gaussian elimination over the field of two elements.

    A row is a set that stands for the sum of its members: cells to press, and True for a light that is on.
    """
    rows: list[set[Cell | bool]] = [{*switched(cell), *([True] if cell in lights else [])} for cell in CELLS]
    pivots: dict[Cell, set[Cell | bool]] = {}
    for cell in CELLS:
        pivot = next((row for row in rows if cell in row), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        rows = [row ^ pivot if cell in row else row for row in rows]
        pivots = {other: row ^ pivot if cell in row else row for other, row in pivots.items()}
        pivots[cell] = pivot
    if {True} in rows:
        return []
    free = [cell for cell in CELLS if cell not in pivots]
    return [
        {*chosen} | {cell for cell, row in pivots.items() if (True in row) != (len(row & {*chosen}) % 2 == 1)}
        for count in range(len(free) + 1)
        for chosen in combinations(free, count)
    ]


def press_all(cells: list[Cell]) -> ReferenceState:
    state = shelf_game("lights_out").initial_state()
    for x, y in cells:
        assert not state.is_terminal
        assert state.goals == {"solver": 0}
        state = state.play({"solver": f"(press {x} {y})"})
    return state


def test_start() -> None:
    assert shelf_game("lights_out").initial_state() == position(START)


def test_there_are_four_solutions_and_the_shortest_takes_nine_presses() -> None:
    solutions = all_solutions(START)
    assert len(solutions) == 4
    assert min(map(len, solutions)) == 9


def test_every_solution_puts_all_lights_out_in_any_order() -> None:
    rng = Random(3)
    for solution in all_solutions(START):
        state = press_all(rng.sample(sorted(solution), len(solution)))
        assert state == position(set(), step=len(solution))
        assert state.is_terminal
        assert state.goals == {"solver": 100}


def test_press_switches_the_cell_and_its_neighbours() -> None:
    for cell in CELLS:
        after = position(START).play({"solver": f"(press {cell[0]} {cell[1]})"})
        assert after == position(START ^ switched(cell), step=1)


def test_twenty_five_presses_are_all_there_are() -> None:
    assert not position(START, step=24).is_terminal
    assert position(START, step=25).is_terminal
    assert position(START, step=25).goals == {"solver": 0}


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(shelf_game("lights_out"), 10)
