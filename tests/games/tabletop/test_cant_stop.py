from __future__ import annotations

from typing import Any

import pytest

import ludens
from ludens.core import State
from ludens.games.tabletop.cant_stop import LENGTHS
from tests.games.tabletop.contract import check_contract


def rolled(dice: str, **runners: int) -> State:
    """The state after the first player rolled, with runners that were there before (``c7=3``)."""
    game: Any = ludens.load("cant_stop@tabletop")
    state = game.initial_state()
    for name, step in runners.items():
        table = state.table
        table.values[table.score(f"runner {name[1:]}").index] = step
    found: State = state.play({"player1": f"roll = {dice}"})
    return found


@pytest.mark.parametrize("name", ["cant_stop@tabletop", "cant_stop:4@tabletop"])
def test_cant_stop_keeps_the_contract(name: str) -> None:
    check_contract(ludens.load(name), matches=2)


def test_columns_are_as_long_as_on_the_board() -> None:
    assert list(LENGTHS.values()) == [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3]


def test_dice_are_paired_in_all_ways() -> None:
    assert set(rolled("1 2 3 5").legal_moves("player1")) == {"advance 3 8", "advance 4 7", "advance 5 6"}
    assert rolled("2 2 2 2").legal_moves("player1") == ("advance 4 4",)


def test_with_one_runner_left_one_of_two_columns_is_chosen() -> None:
    state = rolled("1 1 6 6", c4=1, c5=1)

    assert set(state.legal_moves("player1")) == {"advance 2", "advance 12", "advance 7 7"}


def test_who_cannot_advance_loses_the_runners_and_the_turn() -> None:
    state = rolled("1 1 1 1", c7=1, c8=1, c9=1)

    assert state.legal_moves("player2") == ("roll",)
    assert "runner 7: 0" in str(state)


def test_a_column_is_not_climbed_beyond_its_end() -> None:
    state = rolled("1 1 1 1", c2=2)

    assert state.legal_moves("player1") == ("advance 2",)


def test_stopping_keeps_what_was_gained() -> None:
    state = rolled("1 1 6 6").play({"player1": "advance 2 12"}).play({"player1": "stop"})

    assert "player1 2: 1" in str(state)
    assert "player1 12: 1" in str(state)
    assert "runner 2: 0" in str(state)
    assert state.legal_moves("player2") == ("roll",)


def test_who_has_three_columns_wins() -> None:
    game: Any = ludens.load("cant_stop@tabletop")
    state = game.initial_state()
    table = state.table
    table.values[table.score("columns player1").index] = 2
    table.values[table.score("runner 2").index] = 2

    won = state.play({"player1": "roll = 1 1 1 1"}).play({"player1": "advance 2"}).play({"player1": "stop"})

    assert won.is_terminal
    assert won.goals == {"player1": 100, "player2": 0}
