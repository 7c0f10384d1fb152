from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import State
from ludens.tabletop import TabletopState
from tests.games.tabletop.contract import check_contract
from tests.games.tabletop.dealing import play


def dealt(*pictures: str) -> State:
    """A board of two rows and two columns; A1 B1 A2 B2."""
    return ludens.load("memory:2,2,2").initial_state().play({"player1": f"deal = {' '.join(reversed(pictures))}"})


@pytest.mark.parametrize("name", ["memory:2,4,3", "memory:3,3,3"])
def test_memory_keeps_the_contract(name: str) -> None:
    check_contract(ludens.load(name), matches=2)


def test_two_alike_are_kept_and_the_turn_goes_on() -> None:
    state = play(dealt("apple", "apple", "bee", "bee"), "A1", "B1")

    assert state.points == {"player1": 1, "player2": 0}
    assert state.legal_moves("player1") == ("A2", "B2")
    assert play(state, "A2", "B2").goals == {"player1": 100, "player2": 0}


def test_two_that_differ_stay_and_the_next_player_has_its_turn() -> None:
    state = play(dealt("apple", "bee", "bee", "apple"), "A1", "B1")

    assert state.points == {"player1": 0, "player2": 0}
    assert len(state.legal_moves("player2")) == 4


def test_the_first_card_cannot_be_turned_twice() -> None:
    assert play(dealt("apple", "bee", "bee", "apple"), "A1").legal_moves("player1") == ("B1", "A2", "B2")


def test_all_see_what_is_turned_and_remember_it() -> None:
    state = play(dealt("apple", "bee", "bee", "apple"), "A1")
    assert "apple at A1" in state.percepts("player2")

    later = play(state, "B1")

    for player in ("player1", "player2"):
        seen = str(later.view(player))
        assert "apple" in seen
        assert "bee" in seen
        for _ in range(10):
            world = later.view(player).sample(Random(1))
            assert isinstance(world, TabletopState)
            assert [world.table[name][0].name for name in ("A1", "B1")] == ["apple", "bee"]


def test_the_game_is_counted_after_so_many_turns() -> None:
    state: State = ludens.load("memory:2,2,2,1").initial_state().play({"player1": "deal = bee apple bee apple"})

    assert play(state, "A1", "B1").goals == {"player1": 50, "player2": 50}
