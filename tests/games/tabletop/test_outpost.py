from __future__ import annotations

import pytest

import ludens
from ludens.core import State
from ludens.tabletop import TabletopState
from tests.games.tabletop.contract import check_contract


def tick(state: State, *orders: tuple[str, str]) -> State:
    """The state after some ticks with orders of Blue and Red."""
    for blue, red in orders:
        state = state.play({"Blue": blue, "Red": red})
    return state


def waits(state: State, count: int) -> State:
    return tick(state, *(("wait", "wait"),) * count)


def begin(name: str = "outpost") -> State:
    return ludens.load(name).initial_state()


def where(state: State, unit: str) -> str:
    assert isinstance(state, TabletopState)
    place = state.table.place_of(state.table.element(name=unit))
    assert place is not None
    return place.name


def position(units: dict[str, str], goals: dict[str, str] | None = None) -> TabletopState:
    """A position with the bases and these units, which go to these goals."""
    first = begin()
    assert isinstance(first, TabletopState)
    table = first.table.copy()
    for unit in table.inventory.elements:
        here = table.where[unit.index]
        assert here is not None
        if unit.sort != "base" and here.name[:4] != "camp":
            table.contents[here.index] = ()
            camp = table.assortment(f"camp {unit.player}")
            table.contents[camp.index] += (unit,)
            table.where[unit.index] = camp
    for name, cell in units.items():
        unit = table.element(name=name)
        camp = table.assortment(f"camp {unit.player}")
        table.contents[camp.index] = tuple(one for one in table.contents[camp.index] if one is not unit)
        table.contents[table.position(cell).index] = (unit,)
        table.where[unit.index] = table.position(cell)
        table.attributes[unit, "health"] = {"w": 2, "s": 4}[name[1]]
        table.attributes[unit, "goal"] = (goals or {}).get(name, "")
    return TabletopState(first.game, table)


def health(state: State, unit: str) -> int:
    assert isinstance(state, TabletopState)
    value: int = state.table.get("health", of=state.table.element(name=unit))
    return value


def test_outpost_keeps_the_contract() -> None:
    check_contract(ludens.load("outpost:30"), matches=2)


def test_both_order_at_once_and_units_go_on_with_what_they_were_told() -> None:
    state = tick(begin(), ("Bw1 B3", "wait"))
    assert where(state, "Bw1") != "A2"

    state = waits(state, 3)

    assert where(state, "Bw1") == "B3"
    assert begin().legal_moves("Blue")[0] == "wait"


def test_two_that_want_one_cell_stay() -> None:
    state = waits(position({"Bw1": "C3", "Rw1": "E3"}, {"Bw1": "D3", "Rw1": "D3"}), 1)
    assert (where(state, "Bw1"), where(state, "Rw1")) == ("C3", "E3")

    alone = waits(position({"Bw1": "C3", "Rw1": "E3"}, {"Bw1": "D3"}), 1)
    assert where(alone, "Bw1") == "D3"


def test_training_costs_crystals_and_time() -> None:
    state = tick(begin(), ("train soldier", "wait"))
    assert isinstance(state, TabletopState)
    assert state.table.value(state.table.score("crystals Blue")) == 0
    assert not any(move.startswith("train") for move in state.legal_moves("Blue"))
    assert where(waits(state, 1), "Bs1") == "camp Blue"

    assert where(waits(state, 2), "Bs1") in ("B3", "A2", "A4")


@pytest.mark.parametrize(("cell", "income"), [("C1", 1), ("D1", 2), ("D3", 0)])
def test_workers_on_crystals_bring_them_in(cell: str, income: int) -> None:
    state = waits(position({"Bw1": cell}), 1)

    assert isinstance(state, TabletopState)
    assert state.table.value(state.table.score("crystals Blue")) == 4 + income


def test_soldiers_hit_soldiers_before_workers_and_both_at_once() -> None:
    state = waits(position({"Bs1": "D3", "Rs1": "E3", "Rw1": "C3"}), 1)

    assert (health(state, "Bs1"), health(state, "Rs1"), health(state, "Rw1")) == (3, 3, 2)
    state = waits(state, 3)
    assert where(state, "Bs1") == "camp Blue"
    assert where(state, "Rs1") == "camp Red"


def test_who_destroys_the_base_wins() -> None:
    state: State = position({"Bs1": "F3", "Bs2": "G2", "Bs3": "G4"})
    state = waits(state, 3)
    assert health(state, "Rb1") == 3

    state = waits(state, 1)

    assert state.goals == {"Blue": 100, "Red": 0}


def test_bases_and_armies_are_counted_in_the_end() -> None:
    state = waits(begin("outpost:10"), 10)

    assert state.points == {"Blue": 130, "Red": 130}
    assert state.goals == {"Blue": 50, "Red": 50}
