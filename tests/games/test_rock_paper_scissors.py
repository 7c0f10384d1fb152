from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from ludens.core import State, joint_moves
from ludens.core.perft import perft
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game


@pytest.mark.parametrize(("plies", "lines"), [(1, 9), (2, 81), (3, 729), (4, 0)])
def test_perft(plies: int, lines: int) -> None:
    assert perft(shelf_game("rock_paper_scissors").initial_state(), plies) == lines


@pytest.mark.parametrize(
    ("left", "right", "won"),
    [
        ("rock", "rock", (0, 0)),
        ("rock", "paper", (0, 1)),
        ("rock", "scissors", (1, 0)),
        ("paper", "rock", (1, 0)),
        ("paper", "paper", (0, 0)),
        ("paper", "scissors", (0, 1)),
        ("scissors", "rock", (0, 1)),
        ("scissors", "paper", (1, 0)),
        ("scissors", "scissors", (0, 0)),
    ],
)
def test_round(left: str, right: str, won: tuple[int, int]) -> None:
    after = shelf_game("rock_paper_scissors").initial_state().play({"left": left, "right": right})
    assert after.facts == {("played", "1"), ("won", "left", str(won[0])), ("won", "right", str(won[1]))}


def test_results_of_all_matches() -> None:
    @cache
    def matches_by_goals(state: State) -> Counter[tuple[int, int]]:
        if state.is_terminal:
            return Counter({(state.goals["left"], state.goals["right"]): 1})
        return sum((matches_by_goals(state.play(move)) for move in joint_moves(state)), Counter())

    # Of the 27 sequences of win, draw and loss 10 are won, 10 lost and 7 drawn, and each round has 3 ways.
    found = matches_by_goals(shelf_game("rock_paper_scissors").initial_state())
    assert found == {(100, 0): 270, (0, 100): 270, (50, 50): 189}


def test_both_roles_choose_at_once() -> None:
    assert shelf_game("rock_paper_scissors").facts.simultaneous.certain


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(shelf_game("rock_paper_scissors"), 50)
