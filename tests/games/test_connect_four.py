from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from ludens.core import joint_moves
from ludens.core.perft import perft
from ludens.gdl.reference import ReferenceState
from ludens.gdl.terms import Term
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game

Cell = tuple[int, int]
BOARD = set(product(range(1, 8), range(1, 7)))
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]


def position(pieces: dict[Cell, str], control: str = "red") -> ReferenceState:
    cells = [("cell", str(x), str(y), pieces.get((x, y), "b")) for x, y in BOARD]
    return shelf_game("connect_four").state([*cells, ("control", control)])


def straight(cell: Cell, direction: Cell, length: int) -> list[Cell]:
    (x, y), (dx, dy) = cell, direction
    return [(x + n * dx, y + n * dy) for n in range(length)]


def drop_all(columns: str) -> ReferenceState:
    state = shelf_game("connect_four").initial_state()
    for number, column in enumerate(columns):
        mover, other = ("red", "black") if number % 2 == 0 else ("black", "red")
        state = state.play({mover: f"(drop {column})", other: "noop"})
    return state


@pytest.mark.parametrize(
    ("plies", "lines"),
    [
        (1, 7),
        (2, 49),
        (3, 343),
        (4, 2401),
        (5, 16807),
        pytest.param(6, 117649, marks=pytest.mark.slow),
    ],
)
def test_perft(plies: int, lines: int) -> None:
    assert perft(shelf_game("connect_four").initial_state(), plies) == lines


@pytest.mark.slow
def test_perft_of_seven_plies_by_distinct_positions() -> None:
    # Counting how many lines lead to each position is much faster than playing all lines.
    game = shelf_game("connect_four")
    lines = Counter({game.initial_state().facts: 1})
    for positions in (7, 49, 238, 1120, 4263, 16422):
        after: Counter[frozenset[Term]] = Counter()
        for facts, count in lines.items():
            state = game.state(facts)
            for move in joint_moves(state):
                after[state.play(move).facts] += count
        assert len(after) == positions
        lines = after
    assert sum(count * perft(game.state(facts), 1) for facts, count in lines.items()) == 823536


def test_pieces_pile_up() -> None:
    pieces = {(3, 1): "red", (3, 2): "black", (4, 1): "red", (3, 3): "black"}
    assert drop_all("3343") == position(pieces)


def test_full_column_takes_no_more() -> None:
    assert drop_all("222222").legal_moves("red") == tuple(f"(drop {column})" for column in "134567")


def test_each_of_the_69_lines_wins_and_its_first_three_do_not() -> None:
    lines = [
        line
        for cell, direction in product(sorted(BOARD), DIRECTIONS)
        if BOARD.issuperset(line := straight(cell, direction, 4))
    ]
    assert len(lines) == 69
    for line in lines:
        won = position(dict.fromkeys(line, "black"))
        assert won.is_terminal
        assert won.goals == {"red": 0, "black": 100}
        assert not position(dict.fromkeys(line[:3], "black")).is_terminal
        assert not position({**dict.fromkeys(line, "black"), line[2]: "red"}).is_terminal


def test_full_board_without_a_line_is_a_draw() -> None:
    # Colours change in every step upward and in every other step sideways, so no line has three of one.
    colours = {(x, y): ("red", "black")[(x // 2 + y) % 2] for x, y in BOARD}
    state = position(colours)
    assert state.is_terminal
    assert state.goals == {"red": 50, "black": 50}


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(shelf_game("connect_four"), 20)
