"""Quarto, hex, Y, the m,n,k-game and Chinese checkers for three: lines, sizes and jumps."""

from __future__ import annotations

from itertools import product

import pytest

from ludens.core import GameError
from ludens.core.perft import perft
from ludens.games.library import find
from ludens.gdl.reference import ReferenceState
from ludens.gdl.terms import arguments
from tests.games.boards import Board, board_of, control_of
from tests.games.playouts import check_random_playouts, random_states
from tests.games.shelf import shelf_game
from tests.thorough import part_of

Cell = tuple[int, int]
LINES = [
    *([(x, y) for y in range(1, 5)] for x in range(1, 5)),
    *([(x, y) for x in range(1, 5)] for y in range(1, 5)),
    [(n, n) for n in range(1, 5)],
    [(n, 5 - n) for n in range(1, 5)],
]


def has_quarto(board: Board) -> bool:
    pieces = [[board[cell] for cell in line] for line in LINES]
    return any(
        "b" not in line and any(len(set(letters)) == 1 for letters in zip(*line, strict=True)) for line in pieces
    )


def test_quarto_ends_with_a_common_property_and_not_before() -> None:
    for state in random_states(shelf_game("quarto"), part_of(12)):
        board = board_of(state)
        assert state.is_terminal == (has_quarto(board) or "b" not in board.values())
        if state.is_terminal and has_quarto(board):
            assert state.goals[control_of(state)] == 100


@pytest.mark.parametrize(("plies", "lines"), [(1, 16), (2, 256), (3, 3840)])
def test_quarto_gives_a_piece_and_then_a_cell(plies: int, lines: int) -> None:
    assert perft(shelf_game("quarto").initial_state(), plies) == lines


def test_who_places_a_piece_gives_the_next_one() -> None:
    state: ReferenceState = shelf_game("quarto").initial_state()
    state = state.play({"first": "(give tdrh)", "second": "noop"})
    assert control_of(state) == "second"
    state = state.play({"first": "noop", "second": "(place 2 3)"})
    assert control_of(state) == "second"
    assert board_of(state)[2, 3] == "tdrh"
    assert "(give tdrh)" not in state.legal_moves("second")
    assert len(state.legal_moves("second")) == 15


def test_connect_four_has_boards_of_several_sizes() -> None:
    state: ReferenceState = shelf_game("connect_four:9,5").initial_state()
    assert len(state.legal_moves("red")) == 9
    for number in range(5):
        mover, other = ("red", "black") if number % 2 == 0 else ("black", "red")
        assert "(drop 9)" in state.legal_moves(mover)
        state = state.play({mover: "(drop 9)", other: "noop"})
    assert "(drop 9)" not in state.legal_moves("black")


def quoridor(pawns: tuple[Cell, Cell], walls: str = "") -> ReferenceState:
    """A position of south and north, south to move; walls such as ``across 1 2; upright 3 3``."""
    game = shelf_game("quoridor:5")
    owners = dict(zip(pawns, ("south", "north"), strict=True))
    cells = [("cell", str(x), str(y), owners.get((x, y), "b")) for x, y in product(range(1, 6), repeat=2)]
    built = [("wall", *wall.split()) for wall in walls.split(";") if wall]
    stocks = [("stock", "south", "3"), ("stock", "north", "3")]
    return game.state([*cells, *built, *stocks, ("control", "south"), ("turns", "9")])


def steps(state: ReferenceState) -> set[str]:
    return {move[4:-1] for move in state.legal_moves("south") if move.startswith("(go")}


def test_pawns_jump_straight_or_sideways_if_something_is_behind() -> None:
    assert steps(quoridor(((3, 3), (3, 4)))) == {"3 5", "2 3", "4 3", "3 2"}
    assert steps(quoridor(((3, 3), (3, 4)), "across 3 4")) == {"2 4", "4 4", "2 3", "4 3", "3 2"}
    assert steps(quoridor(((3, 3), (3, 4)), "across 3 4;upright 3 3")) == {"2 4", "2 3", "3 2"}
    assert steps(quoridor(((3, 3), (4, 3)), "across 3 2")) == {"5 3", "2 3", "3 4"}
    assert steps(quoridor(((4, 3), (5, 3)))) == {"5 4", "5 2", "3 3", "4 4", "4 2"}


def test_walls_do_not_overlap_or_cross_and_leave_a_way() -> None:
    # Between the rows 2 and 3 only the last column is open.
    builds = set(quoridor(((3, 1), (3, 5)), "across 1 2;across 3 2").legal_moves("south"))
    overlapping = {"(build across 2 2)", "(build across 4 2)"}
    crossing = {"(build upright 1 2)", "(build upright 3 2)"}
    closing = {"(build upright 4 1)"}
    assert not builds & (overlapping | crossing | closing)
    assert builds >= {"(build upright 2 2)", "(build upright 4 2)", "(build upright 4 3)", "(build across 4 1)"}


@pytest.mark.parametrize("size", [2, 5, 11])
def test_hex_has_boards_of_several_sizes(size: int) -> None:
    state: ReferenceState = shelf_game(f"hex:{size}").initial_state()
    assert len(state.legal_moves("red")) == size * size
    for x in range(1, size + 1):
        state = state.play({"red": f"(place {x} 1)", "blue": "noop"})
        if x < size:
            state = state.play({"red": "noop", "blue": f"(place {x} 2)"})
    assert state.is_terminal
    assert state.goals == {"red": 100, "blue": 0}


def test_a_corner_of_y_belongs_to_two_sides() -> None:
    state: ReferenceState = shelf_game("y:3").initial_state()
    for mine, theirs in (("(place 1 1)", "(place 2 2)"), ("(place 2 1)", "(place 1 3)")):
        state = state.play({"red": mine, "blue": "noop"}).play({"red": "noop", "blue": theirs})
        assert not state.is_terminal
    state = state.play({"red": "(place 3 1)", "blue": "noop"})
    assert state.is_terminal
    assert state.goals == {"red": 100, "blue": 0}


def test_more_in_a_row_than_needed_wins_too() -> None:
    state: ReferenceState = shelf_game("mnk:5,3,3").initial_state()
    for mine, theirs in (("1 1", "1 2"), ("2 1", "3 2"), ("4 1", "5 2"), ("5 1", "2 3")):
        state = state.play({"xplayer": f"(mark {mine})", "oplayer": "noop"})
        state = state.play({"xplayer": "noop", "oplayer": f"(mark {theirs})"})
        assert not state.is_terminal
    state = state.play({"xplayer": "(mark 3 1)", "oplayer": "noop"})
    assert state.is_terminal
    assert state.goals == {"xplayer": 100, "oplayer": 0}


WAYS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


def star_moves(board: Board, role: str) -> set[str]:
    """Steps and chains of jumps, searched cell by cell on the board without the man that moves."""
    found = set()
    for origin in (cell for cell, content in board.items() if content == role):
        rest = board | {origin: "b"}
        steps = {(origin[0] + dx, origin[1] + dy) for dx, dy in WAYS}
        reached, queue = set[Cell](), [origin]
        while queue:
            x, y = queue.pop()
            for dx, dy in WAYS:
                over, to = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
                if rest.get(over, "b") != "b" and rest.get(to) == "b" and to not in reached:
                    reached.add(to)
                    queue.append(to)
        targets = (reached | {cell for cell in steps if rest.get(cell) == "b"}) - {origin}
        found |= {f"(move {origin[0]} {origin[1]} {x} {y})" for x, y in targets}
    return found


@pytest.mark.parametrize("name", ["chinese_checkers_3p", "chinese_checkers_3p:3,20"])
def test_men_step_and_jump_as_a_second_search_says(name: str) -> None:
    for state in random_states(shelf_game(name), 1):
        if not state.is_terminal:
            role = control_of(state)
            assert set(state.legal_moves(role)) == (star_moves(board_of(state), role) or {"pass"})


@pytest.mark.parametrize(("size", "cells", "men"), [(2, 37, 3), (3, 73, 6)])
def test_a_star_is_two_triangles(size: int, cells: int, men: int) -> None:
    board = board_of(shelf_game(f"chinese_checkers_3p:{size}").initial_state())
    middle = 2 * size + 1
    around = [(x - middle, y - middle) for x, y in board]
    assert len(board) == cells
    assert set(around) == {
        (x, y)
        for x, y in product(range(-2 * size, 2 * size + 1), repeat=2)
        if min(x, y, -x - y) >= -size or max(x, y, -x - y) <= size
    }
    assert [list(board.values()).count(role) for role in ("red", "green", "blue")] == [men] * 3


def test_a_full_point_with_an_own_man_wins() -> None:
    game = shelf_game("chinese_checkers_3p")
    targets = [arguments(fact) for fact in game.program.ask(game.program.static, ("target", 4))]
    board = dict.fromkeys(board_of(game.initial_state()), "b")
    opposite = [(int(str(x)), int(str(y))) for role, _, x, y in targets if role == "red"]
    men = dict(zip(opposite, ("red", "green", "green"), strict=True))

    def position(extra: Board) -> ReferenceState:
        cells = [("cell", str(x), str(y), content) for (x, y), content in (board | extra).items()]
        return game.state([*cells, ("control", "green"), ("turns", "9")])

    assert position(men).goals == {"red": 100, "green": 0, "blue": 0}
    assert not position(dict.fromkeys(men, "green")).is_terminal


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hex:14", r"size of the board \(2 to 13\), not '14'"),
        ("y:1", "size of the board"),
        ("mnk:3,3,4", "do not fit"),
        ("quoridor:4", "must be odd"),
        ("connect_four:3", "number of columns"),
        ("chinese_checkers_3p:4", "size of the points"),
    ],
)
def test_bad_parameters_are_refused(name: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        find(name).rule_sheet()


@pytest.mark.parametrize("name", ["quarto", "y", "mnk", "chinese_checkers_3p", "quoridor"])
def test_random_playouts_are_well_formed(name: str) -> None:
    check_random_playouts(shelf_game(name), 2)
