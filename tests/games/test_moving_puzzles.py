"""Sokoban, Rush Hour, Hanoi and the cube: shortest solutions found by searches that know nothing of GDL."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

from ludens.core import GameError
from ludens.games.library import find
from ludens.gdl.reference import ReferenceState
from tests.games.boards import board_of
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game

Position = TypeVar("Position")
Square = tuple[int, int]
WAYS = {"right": (1, 0), "left": (-1, 0), "up": (0, 1), "down": (0, -1)}


def shortest(
    start: Position, steps: Callable[[Position], Iterable[tuple[str, Position]]], is_solved: Callable[[Position], bool]
) -> list[str]:
    """The moves of a shortest solution, by breadth-first search."""
    ways: dict[Position, list[str]] = {start: []}
    queue = [start]
    for position in queue:
        if is_solved(position):
            return ways[position]
        for move, following in steps(position):
            if following not in ways:
                ways[following] = [*ways[position], move]
                queue.append(following)
    raise AssertionError("there is no solution")


def play_all(state: ReferenceState, moves: Iterable[str]) -> ReferenceState:
    (role,) = state.game.roles
    for move in moves:
        assert not state.is_terminal
        state = state.play({role: move})
    return state


Warehouse = tuple[Square, frozenset[Square]]


def sokoban_solution(state: ReferenceState) -> list[str]:
    board = board_of(state)
    places = frozenset(square for square, content in board.items() if content in ("place", "done", "standing"))
    (man,) = (square for square, content in board.items() if content in ("man", "standing"))
    boxes = frozenset(square for square, content in board.items() if content in ("box", "done"))

    def steps(position: Warehouse) -> Iterable[tuple[str, Warehouse]]:
        (x, y), around = position
        for name, (dx, dy) in WAYS.items():
            ahead, behind = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if ahead not in board or (ahead in around and (behind not in board or behind in around)):
                continue
            yield f"(go {name})", (ahead, around - {ahead} | {behind} if ahead in around else around)

    return shortest((man, boxes), steps, lambda position: position[1] == places)


@pytest.mark.parametrize(
    ("level", "length"),
    [
        ("level1", 5),
        ("level2", 20),
        pytest.param("level3", 25, marks=pytest.mark.slow),
        pytest.param("level4", 30, marks=pytest.mark.slow),
        ("level5", 35),
    ],
)
def test_sokoban_levels_are_solved_by_their_shortest_solutions(level: str, length: int) -> None:
    state = shelf_game(f"sokoban:{level}").initial_state()
    moves = sokoban_solution(state)
    state = play_all(state, moves)
    assert len(moves) == length
    assert state.is_terminal
    assert state.goals == {"man": 100}


def test_a_man_pushes_one_box_but_not_two_and_nothing_into_a_wall() -> None:
    state = shelf_game("sokoban:########,#@$-$..#,########").initial_state()
    assert state.legal_moves("man") == ("(go right)",)
    state = play_all(state, ["(go right)"])
    assert board_of(state) == {
        (2, 2): "b",
        (3, 2): "man",
        (4, 2): "box",
        (5, 2): "box",
        (6, 2): "place",
        (7, 2): "place",
    }
    assert state.legal_moves("man") == ("(go left)",)


def test_a_sokoban_level_may_begin_with_everything_on_a_place() -> None:
    state = shelf_game("sokoban:#####,#+*_#,#_$_#,#####").initial_state()
    assert board_of(state)[2, 3] == "standing"
    assert board_of(state)[3, 3] == "done"
    state = play_all(state, ["(go down)"])
    assert board_of(state)[2, 3] == "place"


def test_a_man_who_cannot_move_has_lost() -> None:
    state = shelf_game("sokoban:#######,#@$$..#,#######").initial_state()
    assert state.is_terminal
    assert state.goals == {"man": 0}


Traffic = tuple[tuple[str, Square], ...]


def rush_hour_solution(state: ReferenceState) -> list[str]:
    board = board_of(state)
    cars = {
        car: sorted(square for square, content in board.items() if content == car)
        for car in sorted(set(board.values()) - {"b"})
    }
    way = {car: (1, 0) if squares[0][1] == squares[1][1] else (0, 1) for car, squares in cars.items()}

    def squares_of(car: str, first: Square) -> set[Square]:
        return {(first[0] + n * way[car][0], first[1] + n * way[car][1]) for n in range(len(cars[car]))}

    def steps(position: Traffic) -> Iterable[tuple[str, Traffic]]:
        taken = {square: car for car, first in position for square in squares_of(car, first)}
        for n, (car, (x, y)) in enumerate(position):
            for name, (dx, dy) in WAYS.items():
                moved = squares_of(car, (x + dx, y + dy))
                if (abs(dx), abs(dy)) == way[car] and all(q in board and taken.get(q, car) == car for q in moved):
                    yield f"(slide {car} {name})", (*position[:n], (car, (x + dx, y + dy)), *position[n + 1 :])

    start = tuple((car, squares[0]) for car, squares in cars.items())
    return shortest(start, steps, lambda position: dict(position)["aa"] == (5, 4))


@pytest.mark.parametrize(
    ("level", "length"),
    [("level1", 7), ("level2", 15), ("level3", 23), pytest.param("level4", 30, marks=pytest.mark.slow)],
)
def test_rush_hour_positions_are_solved_by_their_shortest_solutions(level: str, length: int) -> None:
    state = shelf_game(f"rush_hour:{level}").initial_state()
    moves = rush_hour_solution(state)
    state = play_all(state, moves)
    assert len(moves) == length
    assert state.is_terminal
    assert state.goals == {"driver": 100}


def test_a_car_leaves_the_square_behind_it_and_never_turns() -> None:
    state = shelf_game(f"rush_hour:{'.' * 12}AAC...{'..C...' * 2}......").initial_state()
    assert set(state.legal_moves("driver")) == {"(slide cc up)", "(slide cc down)"}
    after = board_of(state.play({"driver": "(slide cc down)"}))
    assert {square for square, content in after.items() if content == "cc"} == {(3, 3), (3, 2), (3, 1)}
    assert after[3, 4] == "b"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sokoban:level9", "takes level1"),
        ("sokoban:#####,#@$ #,#####", "as many boxes as places"),
        ("sokoban:#####,#.$.#,#####", "one man"),
        ("sokoban:#####,#@$. ,#####", "must be closed"),
        ("sokoban:#####,#@x.#,#####", "not 'x'"),
        ("sokoban:level1,0", "number of steps"),
        ("rush_hour:AA", "36 letters"),
        (f"rush_hour:{'.' * 34}AA", "third row"),
        (f"rush_hour:{'.' * 12}AA..B.{'.' * 18}", "car B"),
        ("rubik_2x2:x", "turns such as r"),
        ("rubik_2x2:r,0", "how many turns"),
    ],
)
def test_what_is_no_level_is_refused(name: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        find(name).rule_sheet()


@pytest.mark.parametrize("discs", [1, 2, 3, 4])
def test_hanoi_takes_two_to_the_discs_less_one_moves(discs: int) -> None:
    def steps(state: ReferenceState) -> Iterable[tuple[str, ReferenceState]]:
        for move in () if state.is_terminal else state.legal_moves("mover"):
            yield move, state.play({"mover": move})

    start = shelf_game(f"hanoi:{discs},0").initial_state()
    assert len(shortest(start, steps, lambda state: state.goals == {"mover": 100})) == 2**discs - 1


def test_hanoi_never_puts_a_larger_disc_onto_a_smaller_one() -> None:
    state = play_all(shelf_game("hanoi:3").initial_state(), ["(move 1 a c)"])
    assert set(state.legal_moves("mover")) == {"(move 1 c a)", "(move 1 c b)", "(move 2 a b)"}


def test_hanoi_pays_for_the_largest_discs_in_place_when_moves_run_out() -> None:
    solution = ["(move 1 a c)", "(move 2 a b)", "(move 1 c b)", "(move 3 a c)"]
    state = play_all(shelf_game("hanoi:3").initial_state(), solution + ["(move 1 b a)", "(move 1 a b)"] * 4)
    assert state.is_terminal
    assert state.goals == {"mover": 26}


def positions_within(turns: int, amounts: tuple[str, ...]) -> list[int]:
    """How many positions of the cube are so many turns away from a scrambled one, which is as many as from any."""
    game = shelf_game("rubik_2x2:hard")
    facts = {fact for fact in game.initial_state().facts if fact != ("turns", "0")}
    known, latest, counts = {frozenset(facts)}, [frozenset(facts)], []
    for _ in range(turns):
        found = []
        for position in latest:
            state = game.state([*position, ("turns", "0")])
            for move in (f"(turn {face} {amount})" for face in "ruf" for amount in amounts):
                after = frozenset(fact for fact in state.play({"turner": move}).facts if fact != ("turns", "1"))
                if after not in known:
                    known.add(after)
                    found.append(after)
        latest = found
        counts.append(len(found))
    return counts


def test_the_cube_has_the_known_number_of_positions_after_some_turns() -> None:
    assert positions_within(3, ("clockwise", "half", "back")) == [9, 54, 321]
    assert positions_within(3, ("clockwise", "back")) == [6, 27, 120]


@pytest.mark.slow
def test_the_cube_has_the_known_number_of_positions_after_four_turns() -> None:
    assert positions_within(4, ("clockwise", "half", "back")) == [9, 54, 321, 1847]
    assert positions_within(5, ("clockwise", "back")) == [6, 27, 120, 534, 2256]


def test_undoing_its_scramble_solves_the_cube() -> None:
    state = play_all(
        shelf_game("rubik_2x2:r,u',f2").initial_state(), ["(turn f half)", "(turn u clockwise)", "(turn r back)"]
    )
    assert state.is_terminal
    assert state.goals == {"turner": 100}


@pytest.mark.parametrize("name", ["sokoban", "rush_hour", "hanoi", "rubik_2x2"])
def test_random_playouts_are_well_formed(name: str) -> None:
    check_random_playouts(shelf_game(name), 5)
