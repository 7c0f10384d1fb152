"""Tic-Tac-Toe and Go-Moku in Python, beside the same games in GDL."""

from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import State
from ludens.testing import check_game


@pytest.mark.parametrize("name", ["tic_tac_toe@tabletop", "gomoku:7@tabletop", "gomoku:6,exactly five@tabletop"])
def test_line_games_keep_the_contract(name: str) -> None:
    check_game(ludens.load(name), matches=5, twin=False, report=lambda line: None)


def cells(board: int) -> dict[str, tuple[int, int]]:
    return {f"{chr(65 + x)}{y + 1}": (x + 1, y + 1) for x in range(board) for y in range(board)}


@pytest.mark.parametrize(("name", "board", "verb"), [("tic_tac_toe", 3, "mark"), ("gomoku", 15, "place")])
def test_random_matches_end_as_in_gdl(name: str, board: int, verb: str) -> None:
    python, gdl = ludens.load(f"{name}@tabletop"), ludens.load(name)
    coordinates = cells(board)
    for seed in range(40 if board == 3 else 6):
        rng = Random(seed)
        ours: State = python.initial_state()
        theirs: State = gdl.initial_state()
        turn = 0
        while not ours.is_terminal:
            assert not theirs.is_terminal
            legal = ours.legal_moves(python.roles[turn % 2])
            assert len(legal) == len(theirs.legal_moves(gdl.roles[turn % 2]))
            move = rng.choice(legal)
            x, y = coordinates[move]
            other = theirs.legal_moves(gdl.roles[1 - turn % 2])[0]
            ours = ours.play({python.roles[turn % 2]: move})
            theirs = theirs.play({gdl.roles[turn % 2]: f"({verb} {x} {y})", gdl.roles[1 - turn % 2]: other})
            turn += 1
        assert theirs.is_terminal
        assert list(ours.goals.values()) == list(theirs.goals.values())


def played(name: str, black: list[str], white: list[str]) -> State:
    state: State = ludens.load(name).initial_state()
    for number in range(len(black) + len(white)):
        role, moves = (("White", white), ("Black", black))[number % 2 == 0]
        state = state.play({role: moves[number // 2]})
    return state


def test_six_in_a_row_wins_unless_exactly_five_are_asked_for() -> None:
    black = ["A1", "B1", "C1", "E1", "F1", "D1"]
    white = ["A9", "C9", "E9", "A7", "C7"]

    assert played("gomoku@tabletop", black, white).goals == {"Black": 100, "White": 0}
    assert not played("gomoku:line=exactly five@tabletop", black, white).is_terminal
    five = ["A1", "B1", "C1", "E1", "D1"]
    assert played("gomoku:line=exactly five@tabletop", five, white[:4]).goals == {"Black": 100, "White": 0}
