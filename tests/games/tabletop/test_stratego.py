from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import State, random_joint_move
from ludens.games.tabletop.stratego import FIELDS, FULL, battle
from ludens.tabletop import Element, TabletopState
from tests.games.tabletop.contract import check_contract
from tests.games.tabletop.dealing import play


def deployed(name: str = "stratego:small", seed: int = 0) -> State:
    """A position behind random deployments."""
    rng = Random(seed)
    state: State = ludens.load(name).initial_state()
    while state.legal_moves("Red") and state.legal_moves("Blue"):
        state = state.play(random_joint_move(state, rng))
    return state


def position(pieces: dict[str, str], name: str = "stratego:small") -> TabletopState:
    """A position with these pieces and no others, Red to move; all others are off the board."""
    first = deployed(name)
    assert isinstance(first, TabletopState)
    table = first.table.copy()
    for place in table.inventory.places:
        table.contents[place.index] = ()
    used: set[Element] = set()
    for square, symbol in pieces.items():
        piece = next(one for one in table.inventory.elements if one.name == symbol and one not in used)
        used.add(piece)
        table.contents[table.position(square).index] = (piece,)
        table.where[piece.index] = table.position(square)
    return TabletopState(first.game, table)


def test_stratego_keeps_the_contract() -> None:
    check_contract(ludens.load("stratego:small,40"), matches=2)


@pytest.mark.slow
def test_stratego_on_the_full_board_keeps_the_contract() -> None:
    check_contract(ludens.load("stratego:full,100"), matches=2)


def test_both_deploy_their_whole_army_at_once() -> None:
    state = deployed("stratego")

    assert isinstance(state, TabletopState)
    assert len(state.table.positions(empty=False, area="board")) == 80
    assert not state.legal_moves("Blue")
    assert state.legal_moves("Red")


def test_nobody_sees_the_others_ranks_nor_how_it_deploys() -> None:
    first = ludens.load("stratego:small").initial_state()
    state = first.play({"Red": "marshal", "Blue": "flag"})

    assert state.percepts("Blue")[0] == "Red: 1 to A1"
    assert "R10" not in str(state.view("Blue"))
    assert "R10" in str(state.view("Red"))


@pytest.mark.parametrize(
    ("attacker", "defender", "outcome"),
    [("spy", "marshal", 1), ("marshal", "spy", 1), ("miner", "bomb", 1), ("general", "bomb", -1), ("scout", "flag", 1),
     ("captain", "captain", 0), ("captain", "major", -1), ("spy", "general", -1)],
)  # fmt: skip
def test_battles_go_by_rank_but_for_spies_and_miners(attacker: str, defender: str, outcome: int) -> None:
    assert battle(attacker, defender) == outcome


def test_who_fights_is_seen_by_all() -> None:
    state = play(position({"A1": "R10", "A2": "B9", "F6": "BF", "F1": "RF", "E6": "B3"}), "A1 A2")

    assert any("R10 at A2" in percept for percept in state.percepts("Blue"))
    assert "R10" in str(state.view("Blue"))
    assert isinstance(state, TabletopState)
    assert [piece.name for piece in state.table["fallen"]] == ["B9"]


def test_bombs_and_flags_do_not_move_and_nobody_enters_lakes() -> None:
    state = position({"A1": "RB", "F1": "RF", "C3": "R9", "F6": "BF", "E6": "B3"})

    assert set(state.legal_moves("Red")) == {"C3 D3", "C3 C4", "C3 C2"}  # B3 is a lake


def test_scouts_go_far_and_are_known_then() -> None:
    state = position({"A1": "R2", "F1": "RF", "A6": "B9", "F6": "BF"})
    assert {"A1 A5", "A1 A6", "A1 E1"} <= set(state.legal_moves("Red"))
    assert "A1 F1" not in state.legal_moves("Red")

    moved = play(state, "A1 A3")

    assert any("R2 at A3" in percept for percept in moved.percepts("Blue"))


def test_a_piece_goes_between_two_squares_three_times_at_most() -> None:
    state: State = position({"A1": "R9", "F1": "RF", "A6": "B9", "F6": "BF", "C6": "B3"})

    state = play(state, "A1 A2", "A6 A5", "A2 A1", "A5 A6", "A1 A2", "A6 A5")

    assert "A2 A1" not in state.legal_moves("Red")
    assert "A2 B2" in state.legal_moves("Red")


def test_the_flag_wins() -> None:
    assert play(position({"F5": "R2", "F1": "RF", "F6": "BF", "A6": "B9"}), "F5 F6").goals == {"Red": 100, "Blue": 0}


def test_who_cannot_move_has_lost() -> None:
    state = play(position({"A1": "R9", "F1": "RF", "A2": "B3", "F6": "BF", "E6": "BB"}), "A1 A2")

    assert state.goals == {"Red": 100, "Blue": 0}


def test_in_no_world_has_a_bomb_or_a_flag_moved() -> None:
    rng = Random(4)
    state = deployed(seed=2)
    for _ in range(12):
        state = state.play(random_joint_move(state, rng))
    assert isinstance(state, TabletopState)
    for role in state.game.roles:
        for _ in range(10):
            world = state.view(role).sample(rng)
            assert isinstance(world, TabletopState)
            assert world.game.rule.possible(world.table)


def test_an_army_shut_in_by_its_own_bombs_has_lost_when_its_turn_comes() -> None:
    def army(bombs_at: set[int]) -> list[str]:
        """All pieces square by square, the bombs on these."""
        others = [title for title, count in FIELDS[FULL].army.items() if title != "bomb" for _ in range(count)]
        return ["bomb" if square in bombs_at else others.pop() for square in range(40)]

    open_front = {30, 31, 34, 35, 38, 39}  # no lake lies before them
    state: State = ludens.load("stratego").initial_state()
    for red, blue in zip(army(open_front), army(set(range(1, 7))), strict=True):
        state = state.play({"Red": red, "Blue": blue})

    assert state.is_terminal
    assert state.goals == {"Red": 0, "Blue": 100}
