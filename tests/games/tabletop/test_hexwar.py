from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import State
from ludens.tabletop import TabletopState
from tests.games.tabletop.contract import check_contract
from tests.games.tabletop.dealing import play


def deployed(scenario: str = "meeting") -> State:
    """Infantry and armour of Blue on E2 and F2, infantry of Red on D6."""
    state: State = ludens.load(f"hexwar:{scenario}").initial_state()
    for blue, red in (("infantry", "infantry"), ("armour", "ready"), ("ready", "ready")):
        state = state.play({"Blue": blue, "Red": red})
    for blue, red in (("infantry E2", "infantry D6"), ("armour F2", "ready"), ("ready", "ready")):
        state = state.play({"Blue": blue, "Red": red})
    return state


def position(units: dict[str, str], scenario: str = "meeting") -> TabletopState:
    """A position with these counters and no others, Blue to move."""
    first = deployed(scenario)
    assert isinstance(first, TabletopState)
    table = first.table.copy()
    left = list(table.inventory.elements)
    for hex_ in table.area("map").positions:
        table.contents[hex_.index] = ()
    for name, symbol in units.items():
        counter = next(one for one in left if one.name == symbol)
        left.remove(counter)
        place = table.position(name)
        before = table.where[counter.index]
        if before is not None and before is not place:
            table.contents[before.index] = tuple(one for one in table.contents[before.index] if one is not counter)
        table.contents[place.index] = (counter,)
        table.where[counter.index] = place
    return TabletopState(first.game, table)


@pytest.mark.parametrize(
    "scenario",
    ["meeting", pytest.param("assault", marks=pytest.mark.slow), pytest.param("breakthrough", marks=pytest.mark.slow)],
)
def test_hex_war_keeps_the_contract(scenario: str) -> None:
    check_contract(ludens.load(f"hexwar:{scenario}"), matches=1)


def test_nobody_buys_more_than_it_can_pay() -> None:
    state: State = ludens.load("hexwar").initial_state()
    for _ in range(3):
        state = state.play({"Blue": "armour", "Red": "recon"})

    assert set(state.legal_moves("Blue")) == {"infantry", "recon", "ready"}  # two points are left
    assert "recon" not in state.legal_moves("Red")  # all three are bought


def test_purchases_and_deployments_are_secret() -> None:
    state: State = ludens.load("hexwar").initial_state().play({"Blue": "armour", "Red": "recon"})
    assert not any("armour" in percept or "BA" in percept for percept in state.percepts("Red"))

    state = deployed()

    assert "BA" not in str(state.view("Red"))
    assert str(state.view("Red")).count("##") >= 2
    assert "BA" in str(state.view("Blue"))


def test_units_stop_beside_an_enemy_and_pay_for_terrain() -> None:
    state = position({"E2": "BI", "D6": "RI", "F3": "RI"})
    moves = state.legal_moves("Blue")

    assert "E2 E3" in moves  # a hill costs both points
    assert "E2 E1" in moves
    far = position({"E2": "BA", "D6": "RI", "F3": "RS"}).legal_moves("Blue")
    assert "E2 E3" in far
    assert "E2 E4" not in far  # E3 is beside F3


def test_a_turn_has_three_orders_each_for_another_unit() -> None:
    state = play(position({"E2": "BI", "F2": "BA", "D6": "RI"}), "E2 E1")

    assert not any(move.startswith("E1") for move in state.legal_moves("Blue"))
    assert play(state, "end turn").legal_moves("Red")


@pytest.mark.parametrize(("die", "lost"), [(6, 2), (5, 1), (4, 1), (3, 0), (1, 0)])
def test_fights_go_by_the_die_and_the_difference(die: int, lost: int) -> None:
    # Armour attacks with 4 against 3 in the open.
    state = play(position({"E2": "BA", "F2": "RI", "D6": "RI"}), f"E2 x F2 = {die}")

    assert isinstance(state, TabletopState)
    steps = [value for (_, name), value in state.table.attributes.items() if name == "steps"]
    assert len(state.table["lost"]) == (lost == 2)
    assert steps == ([1] if lost == 1 else [])


def test_friends_beside_the_target_support_an_attack() -> None:
    state = play(position({"E2": "BA", "F1": "BI", "F2": "RI", "D6": "RI"}), "E2 x F2 = 5")

    assert isinstance(state, TabletopState)
    assert len(state.table["lost"]) == 1


def test_a_failed_attack_costs_a_step() -> None:
    state = play(position({"C4": "BS", "D4": "RI", "D6": "RI"}), "C4 x D4 = 1")

    assert isinstance(state, TabletopState)
    assert [value for (_, name), value in state.table.attributes.items() if name == "steps"] == [1]


def test_artillery_fires_far_and_is_not_hit_back() -> None:
    state = position({"E2": "BG", "E5": "RI", "D6": "RI"})
    assert "E2 x E5" in state.legal_moves("Blue")
    assert "E2 x D6" not in state.legal_moves("Blue")

    after = play(state, "E2 x E5 = 1")

    assert isinstance(after, TabletopState)
    assert not any(name == "steps" for _, name in after.table.attributes)
    assert any("BG" in percept for percept in after.percepts("Red"))


def test_who_destroys_a_neighbour_advances_and_holds_the_hex() -> None:
    state = play(position({"E3": "BA", "E2": "BI", "D4": "RS", "D6": "RI"}), "E3 x D4 = 6")

    assert isinstance(state, TabletopState)
    assert [counter.name for counter in state.table["D4"]] == ["BA"]
    assert state.table.get("held", of=state.table.position("D4")) == "Blue"


def test_a_side_without_units_has_lost() -> None:
    state = play(position({"E3": "BA", "D4": "RS"}), "E3 x D4 = 6")

    assert state.goals == {"Blue": 100, "Red": 0}


def test_objectives_count_in_the_end() -> None:
    state = play(position({"E3": "BI", "D6": "RI"}), "E3 D4", *("end turn",) * 16)

    assert state.is_terminal
    assert state.points == {"Blue": 4, "Red": 0}


def test_worlds_know_how_far_units_have_marched() -> None:
    rng = Random(1)
    state = play(position({"D1": "BS", "E2": "BI", "D6": "RI"}), "D1 G1", "end turn")
    for _ in range(20):
        world = state.view("Red").sample(rng)
        assert isinstance(world, TabletopState)
        assert world.table["G1"][0].name in ("BS", "BA")  # nothing else is that fast
