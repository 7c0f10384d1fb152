from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import State
from ludens.tabletop import TabletopState
from tests.games.tabletop.contract import check_contract

TILES = [f"{low}-{high}" for low in range(7) for high in range(low, 7)]


@pytest.mark.parametrize("name", ["dominoes", "dominoes:4,block", "dominoes:3,draw,3"])
def test_dominoes_keep_the_contract(name: str) -> None:
    check_contract(ludens.load(name), matches=2)


def dealt(name: str, first: list[str], second: list[str], yard: list[str] | None = None) -> State:
    """Two players with these tiles; the boneyard from its top on."""
    top = [tile for pair in zip(first, second, strict=True) for tile in pair] + (yard or [])
    rest = [tile for tile in TILES if tile not in top]
    state = ludens.load(name).initial_state()
    return state.play({"player1": "deal = " + " ".join(f'"{tile}"' for tile in rest + top[::-1])})


FIRST = ["6-6", "0-6", "0-0", "0-1", "0-2", "0-3", "0-4"]
SECOND = ["1-1", "1-2", "1-3", "1-4", "2-2", "2-3", "5-6"]


def test_there_are_28_tiles_and_seven_for_each() -> None:
    state = dealt("dominoes", FIRST, SECOND)

    assert len(TILES) == 28
    assert len(state.legal_moves("player1")) == 7


def test_tiles_fit_at_either_end() -> None:
    state = dealt("dominoes", FIRST, SECOND).play({"player1": "6-6"})
    assert state.legal_moves("player2") == ("5-6 left",)
    state = state.play({"player2": "5-6 left"})
    assert state.legal_moves("player1") == ("0-6 right",)


def test_who_cannot_play_draws_until_it_can() -> None:
    state = dealt("dominoes", FIRST, SECOND, yard=["4-4", "4-5", "2-6"]).play({"player1": "6-6"})
    state = state.play({"player2": "5-6 left"}).play({"player1": "0-6 right"})
    # The ends are 5 and 0, and the second player has neither.
    assert state.legal_moves("player2") == ("draw",)
    state = state.play({"player2": "draw"})
    assert state.legal_moves("player2") == ("draw",)
    state = state.play({"player2": "draw"})
    assert state.legal_moves("player2") == ("4-5 left",)


def test_in_the_block_game_nobody_draws() -> None:
    state = dealt("dominoes:game=block", FIRST, SECOND).play({"player1": "6-6"})
    state = state.play({"player2": "5-6 left"}).play({"player1": "0-6 right"})

    assert state.legal_moves("player2") == ("pass",)


def test_who_had_to_draw_has_nothing_that_fits_in_any_world() -> None:
    state = dealt("dominoes", FIRST, SECOND, yard=["4-4", "4-5"]).play({"player1": "6-6"})
    state = state.play({"player2": "5-6 left"}).play({"player1": "0-6 right"}).play({"player2": "draw"})
    rng = Random(1)

    for _ in range(50):
        world = state.view("player1").sample(rng)
        assert isinstance(world, TabletopState)
        older = world.table[world.table.hand("player2")][:-1]
        assert not any({tile.low, tile.high} & {0, 5} for tile in older)


def test_who_is_out_wins_the_pips_of_the_other() -> None:
    first, second = ["0-0", "0-1"], ["1-1", "1-2"]
    state: State = ludens.load("dominoes:highest=2").initial_state()
    rest = ["0-2", "2-2"]
    order = [*rest, second[1], first[1], second[0], first[0]]
    state = state.play({"player1": "deal = " + " ".join(f'"{tile}"' for tile in order)})
    state = state.play({"player1": "0-0"}).play({"player2": "draw"}).play({"player2": "draw"})
    while not state.is_terminal:
        role = next(role for role in state.game.roles if state.legal_moves(role))
        state = state.play({role: state.legal_moves(role)[0]})

    assert state.goals["player1"] == 100
    assert state.points["player1"] > 0
