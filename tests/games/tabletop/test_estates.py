from __future__ import annotations

import pytest

import ludens
from ludens.core import State
from ludens.games.tabletop.shared.estates_board import BY_NAME, FATES, GROUPS, SQUARES
from ludens.tabletop import TabletopState
from tests.games.tabletop.contract import check_contract
from tests.games.tabletop.dealing import play


def begin(name: str = "estates") -> State:
    return ludens.load(name).initial_state()


def position(
    owned: dict[str, str] | None = None,
    houses: dict[str, int] | None = None,
    money: dict[str, int] | None = None,
    at: dict[str, str] | None = None,
    name: str = "estates",
) -> TabletopState:
    """player1 is to roll, with things as given."""
    first = begin(name)
    assert isinstance(first, TabletopState)
    table = first.table.copy()
    for street, player in (owned or {}).items():
        table.attributes[table.position(street), "landlord"] = player
    for street, count in (houses or {}).items():
        table.attributes[table.position(street), "houses"] = count
    for player, amount in (money or {}).items():
        table.values[table.score(f"money {player}").index] = amount
    for player, square in (at or {}).items():
        piece = table.element(player=player)
        here = table.where[piece.index]
        assert here is not None
        table.contents[here.index] = tuple(one for one in table.contents[here.index] if one is not piece)
        table.contents[table.position(square).index] += (piece,)
        table.where[piece.index] = table.position(square)
    return TabletopState(first.game, table)


def money(state: State, player: str = "player1") -> float:
    assert isinstance(state, TabletopState)
    value: float = state.table.value(state.table.score(f"money {player}"))
    return value


def landlord(state: State, street: str) -> str:
    assert isinstance(state, TabletopState)
    name: str = state.table.get("landlord", of=state.table.position(street))
    return name


@pytest.mark.parametrize("name", ["estates:2,15", "estates:4,8"])
def test_estates_keeps_the_contract(name: str) -> None:
    check_contract(ludens.load(name), matches=2)


def test_there_are_24_squares_and_every_group_has_streets() -> None:
    assert len(SQUARES) == len(BY_NAME) == 24
    assert sorted(len(names) for names in GROUPS.values()) == [2, 2, 2, 3, 3, 3]


def test_a_street_can_be_bought() -> None:
    state = play(begin(), "roll = 1 2 ; 1")
    assert state.legal_moves("player1") == ("buy", "decline")

    state = play(state, "buy")

    assert landlord(state, "Ford Lane") == "player1"
    assert money(state) == 120
    assert state.legal_moves("player2")


def test_what_is_not_bought_goes_to_the_highest_bid() -> None:
    state = play(begin("estates:3"), "roll = 1 2 ; 1", "decline")

    sold = state.play({"player1": "pass", "player2": "bid 22", "player3": "bid 30"})
    tied = state.play({"player1": "bid 15", "player2": "bid 15", "player3": "pass"})
    none = state.play({"player1": "pass", "player2": "pass", "player3": "pass"})

    assert (landlord(sold, "Ford Lane"), money(sold, "player3")) == ("player3", 120)
    assert landlord(tied, "Ford Lane") == "player1"
    assert landlord(none, "Ford Lane") == ""
    assert sold.legal_moves("player2")


@pytest.mark.parametrize(
    ("owned", "houses", "rent"),
    [
        ({"Elm Street": "player2"}, {}, 5),
        (dict.fromkeys(GROUPS["green"], "player2"), {}, 10),
        (dict.fromkeys(GROUPS["green"], "player2"), {"Elm Street": 2}, 40),
    ],
)
def test_rent_grows_with_groups_and_houses(owned: dict[str, str], houses: dict[str, int], rent: int) -> None:
    state = play(position(owned, houses), "roll = 1 4 ; 1")

    assert (money(state), money(state, "player2")) == (150 - rent, 150 + rent)


def test_two_stations_are_worth_more() -> None:
    both = dict.fromkeys(GROUPS["stations"], "player2")

    assert money(play(position({"North Station": "player2"}), "roll = 1 3 ; 1")) == 140
    assert money(play(position(both), "roll = 1 3 ; 1")) == 125


def test_houses_are_built_evenly_on_complete_groups() -> None:
    state = position(dict.fromkeys(GROUPS["brown"], "player1") | {"Elm Street": "player1"})
    assert {move for move in state.legal_moves("player1") if move.startswith("build")} == {
        "build on Mill Lane", "build on Ford Lane",
    }  # fmt: skip

    built = play(state, "build on Mill Lane")

    assert money(built) == 135
    assert {move for move in built.legal_moves("player1") if move.startswith("build")} == {"build on Ford Lane"}


def test_a_double_gives_another_turn_and_the_third_leads_to_prison() -> None:
    state = play(position(dict.fromkeys(BY_NAME, "player1")), "roll = 2 2 ; 1", "roll = 3 3 ; 1")
    assert state.legal_moves("player1")

    state = play(state, "roll = 1 1 ; 1")

    assert isinstance(state, TabletopState)
    assert state.table["Prison"]
    assert state.legal_moves("player2")
    back = play(state, "roll = 1 2 ; 1")
    assert set(back.legal_moves("player1")) == {"roll for a double", "pay bail and roll"}
    assert money(play(back, "pay bail and roll = 1 2 ; 1")) == money(back) - 15


def test_prison_is_left_by_a_double_or_after_three_tries() -> None:
    mine = dict.fromkeys(BY_NAME, "player1")
    state = play(position(mine, at={"player1": "Inn"}), "roll = 2 4 ; 1", "roll = 1 2 ; 1")
    out = play(state, "roll for a double = 3 3 ; 1")
    assert isinstance(out, TabletopState)
    assert out.table["Inn"]

    for _ in range(2):
        state = play(state, "roll for a double = 1 2 ; 1")
        assert isinstance(state, TabletopState)
        assert state.table["Prison"]
        state = play(state, "roll = 1 5 ; 1")
    before = money(state)
    state = play(state, "roll for a double = 1 2 ; 1")
    assert isinstance(state, TabletopState)
    assert state.table["Ash Street"]
    assert money(state) == before - 15


def test_passing_the_start_brings_wages() -> None:
    state = position({"Mill Lane": "player1"}, at={"player1": "Opera Square"})

    assert money(play(state, "roll = 1 1 ; 1")) == 170


@pytest.mark.parametrize(
    ("fate", "own", "other"),
    [
        ("gift", 170, 150),
        ("fee", 135, 150),
        ("home", 170, 150),
        ("jail", 150, 150),
        ("birthday", 160, 140),
        ("repairs", 140, 150),
    ],
)
def test_fate_goes_by_its_die(fate: str, own: int, other: int) -> None:
    state = play(position({"Rose Alley": "player1"}, {"Rose Alley": 2}), f"roll = 1 1 ; {FATES.index(fate) + 1}")

    assert (money(state), money(state, "player2")) == (own, other)


def test_streets_are_traded_if_the_other_agrees() -> None:
    state = position({"Elm Street": "player1", "Rose Alley": "player2"})
    moves = state.legal_moves("player1")
    assert {"offer 90 for Rose Alley", "offer 135 for Rose Alley", "offer Elm Street for Rose Alley"} <= set(moves)

    asked = play(state, "offer Elm Street for Rose Alley")

    assert asked.legal_moves("player2") == ("accept", "decline")
    agreed = play(asked, "accept")
    assert (landlord(agreed, "Rose Alley"), landlord(agreed, "Elm Street")) == ("player1", "player2")
    assert not any(move.startswith("offer") for move in agreed.legal_moves("player1"))
    assert landlord(play(asked, "decline"), "Rose Alley") == "player2"
    bought = play(state, "offer 90 for Rose Alley", "accept")
    assert (money(bought), money(bought, "player2")) == (60, 240)


def test_who_cannot_pay_sells_and_at_last_is_out() -> None:
    rich = dict.fromkeys(GROUPS["green"], "player2")
    state = position(rich | {"Mill Lane": "player1"}, {"Elm Street": 3}, {"player1": 60})
    sold = play(state, "roll = 1 4 ; 1")  # the rent is 70
    assert (money(sold), landlord(sold, "Mill Lane")) == (5, "")

    out = play(position(rich, {"Elm Street": 3}, {"player1": 60}), "roll = 1 4 ; 1")

    assert out.is_terminal
    assert out.goals == {"player1": 0, "player2": 100}
    assert out.points == {"player1": 0, "player2": 210 + 50 + 50 + 60 + 75}


def test_the_richest_wins_after_the_last_round() -> None:
    state = play(position({"Ford Lane": "player1"}, name="estates:2,1"), "roll = 1 2 ; 1", "roll = 2 1 ; 1")

    assert state.points == {"player1": 183, "player2": 147}
    assert state.goals == {"player1": 100, "player2": 0}
