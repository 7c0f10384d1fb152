from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game

Strategy = Callable[[list[str]], str]
"""A choice, given all earlier choices of the other."""


def cooperate(_others: list[str]) -> str:
    return "cooperate"


def defect(_others: list[str]) -> str:
    return "defect"


def tit_for_tat(others: list[str]) -> str:
    return others[-1] if others else "cooperate"


def match(left: Strategy, right: Strategy) -> tuple[int, int]:
    state = shelf_game("prisoners_dilemma").initial_state()
    lefts: list[str] = []
    rights: list[str] = []
    while not state.is_terminal:
        choices = {"left": left(rights), "right": right(lefts)}
        lefts.append(choices["left"])
        rights.append(choices["right"])
        state = state.play(choices)
    assert len(lefts) == 10
    return state.goals["left"], state.goals["right"]


@pytest.mark.parametrize(
    ("left", "right", "points"),
    [
        ("cooperate", "cooperate", (3, 3)),
        ("cooperate", "defect", (0, 5)),
        ("defect", "cooperate", (5, 0)),
        ("defect", "defect", (1, 1)),
    ],
)
def test_round(left: str, right: str, points: tuple[int, int]) -> None:
    after = shelf_game("prisoners_dilemma").initial_state().play({"left": left, "right": right})
    assert after.facts == {
        ("played", "1"),
        ("points", "left", str(points[0])),
        ("points", "right", str(points[1])),
    }


@pytest.mark.parametrize(
    ("left", "right", "goals"),
    [
        (defect, cooperate, (100, 0)),
        (cooperate, cooperate, (60, 60)),
        (defect, defect, (20, 20)),
        (tit_for_tat, defect, (18, 28)),
        (cooperate, tit_for_tat, (60, 60)),
    ],
)
def test_goal_is_twice_the_points_of_ten_rounds(left: Strategy, right: Strategy, goals: tuple[int, int]) -> None:
    assert match(left, right) == goals


def test_random_playouts_are_well_formed() -> None:
    check_random_playouts(shelf_game("prisoners_dilemma"), 50)
