from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import ludens
from ludens.core import State
from ludens.tabletop import TabletopState
from tests.games.tabletop.contract import check_contract
from tests.games.tabletop.dealing import play
from tests.games.tabletop.openspiel import COUNTS, open_spiel
from tests.peers import peer


@pytest.mark.parametrize("name", ["liars_dice", pytest.param("liars_dice:4,2", marks=pytest.mark.slow)])
def test_liars_dice_keeps_the_contract(name: str) -> None:
    check_contract(ludens.load(name), matches=2)


def rolled(name: str, *dice: str) -> State:
    return ludens.load(name).initial_state().play({"player1": f"roll = {' ; '.join(dice)}"})


def test_nobody_sees_others_dice() -> None:
    state = rolled("liars_dice:2,3", "1 2 5", "3 3 6")

    assert state.percepts("player1") == ["player1: roll = 1 2 5 ; ?"]
    assert state.percepts("player2") == ["player1: roll = ? ; 3 3 6"]
    assert "3 3 6" not in str(state.view("player1"))
    assert "1 2 5" in str(state.view("player1"))


def test_worlds_keep_the_own_dice_and_roll_the_others_anew() -> None:
    state = rolled("liars_dice:2,1", "2", "3")
    rng = Random(1)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(600):
        world = state.view("player1").sample(rng)
        assert isinstance(world, TabletopState)
        assert world.table.value(world.table.dice("dice player1")) == (2,)
        seen[world.table.value(world.table.dice("dice player2"))] += 1
    assert len(seen) == 6
    assert max(seen.values()) < 2 * min(seen.values())


def test_bids_rise_and_ones_are_highest() -> None:
    state = play(rolled("liars_dice:2,2", "1 2", "3 3"), "2 x 6")

    moves = state.legal_moves("player2")
    assert moves[0] == "2 x 1"
    assert not {"1 x 6", "2 x 5", "2 x 6"} & set(moves)
    assert {"3 x 2", "4 x 1", "liar"} <= set(moves)
    assert "liar" not in rolled("liars_dice:2,2", "1 2", "3 3").legal_moves("player1")


@pytest.mark.parametrize(
    ("name", "bid", "loser"),
    [
        ("liars_dice:2,3", "4 x 3", "player2"),  # three threes and a wild one
        ("liars_dice:2,3", "5 x 3", "player1"),
        ("liars_dice:2,3,wild=false", "4 x 3", "player1"),
        ("liars_dice:2,3", "2 x 1", "player1"),
    ],
)
def test_who_was_wrong_loses_a_die_and_begins(name: str, bid: str, loser: str) -> None:
    state = play(rolled(name, "1 3 5", "3 3 6"), bid, "liar")

    assert isinstance(state, TabletopState)
    assert state.table.get("left") == ((2, 3) if loser == "player1" else (3, 2))
    assert state.percepts("player1")[1:] == ["1 3 5 at dice player1", "3 3 6 at dice player2"]
    assert state.legal_moves(loser) == ("roll",)


def test_who_has_no_dice_is_left_out() -> None:
    state = play(rolled("liars_dice:3,1", "2", "3", "4"), "3 x 6", "liar")
    assert state.legal_moves("player2") == ("roll",)

    state = play(state, "roll = 5 ; 5", "1 x 2")

    assert state.legal_moves("player3")
    assert not state.legal_moves("player1")
    assert play(state, "liar").goals == {"player1": 0, "player2": 0, "player3": 100}


@peer("openspiel")
@pytest.mark.parametrize("games", COUNTS)
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_random_rounds_go_as_in_open_spiel(games: int, dice: int) -> None:
    other = open_spiel().load_game("liars_dice", {"players": 2, "numdice": dice})
    game = ludens.load(f"liars_dice:2,{dice},round")
    rng = Random(8)
    for _ in range(games):
        theirs = other.new_initial_state()
        faces = []
        while theirs.is_chance_node():
            outcome = rng.choice(theirs.chance_outcomes())[0]
            faces.append((outcome + 1) % 6 + 1)  # their sixes are wild, our ones
            theirs.apply_action(outcome)
        cups = [" ".join(map(str, sorted(faces[player * dice : (player + 1) * dice]))) for player in (0, 1)]
        state = rolled(f"liars_dice:2,{dice},round", *cups)
        while not theirs.is_terminal():
            role = game.roles[theirs.current_player()]
            legal = {}
            for action in theirs.legal_actions():
                count, dash, face = theirs.action_to_string(action).partition("-")
                legal[f"{count} x {int(face) % 6 + 1}" if dash else "liar"] = action
            assert set(state.legal_moves(role)) == set(legal)
            move = rng.choice(sorted(legal))
            theirs.apply_action(legal[move])
            state = state.play({role: move})
        assert [goal // 50 - 1 for goal in state.goals.values()] == theirs.returns()
