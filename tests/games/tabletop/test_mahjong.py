from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludens
from ludens.core import State
from ludens.games.tabletop.shared.mahjong_hands import (
    KINDS,
    LIMIT,
    NUMBER,
    Meld,
    Win,
    counts_of,
    faan,
    is_complete,
    readiness,
)
from ludens.tabletop import TabletopState
from tests.games.tabletop.contract import check_contract
from tests.games.tabletop.dealing import deal_text, play
from tests.thorough import examples

PLAYERS = ("East", "South", "West", "North")
PLAIN = Win("south", "east")


def tiles(text: str) -> list[int]:
    """Kinds by name."""
    return [NUMBER[name] for name in text.split()]


def dealt(hands: dict[str, str], wall: str = "", name: str = "mahjong") -> State:
    """A deal; hands are filled up with what is left, and ``wall`` is drawn first."""
    left = Counter(dict.fromkeys(KINDS, 4))
    chosen = [hands.get(player, "").split() for player in PLAYERS]
    for tile in (*(tile for hand in chosen for tile in hand), *wall.split()):
        left[tile] -= 1
    rest = list(left.elements())
    Random(1).shuffle(rest)
    for hand in chosen:
        while len(hand) < 13:
            hand.append(rest.pop())
    # Distributed from the top; then fourteen go to the dead wall, and the wall's top is drawn.
    dead = [rest.pop() for _ in range(14)]
    bottom = [*rest, *reversed(wall.split()), *dead]
    return ludens.load(name).initial_state().play({"East": deal_text(chosen, bottom)})


def simply_complete(kinds: list[int], melds: int = 0) -> bool:
    """The same by taking out pairs and sets in all ways."""

    def sets(rest: list[int]) -> bool:
        if not rest:
            return True
        first = rest[0]
        if rest.count(first) >= 3 and sets(rest[3:]):
            return True
        run = [first, first + 1, first + 2]
        if first < 27 and first % 9 < 7 and all(one in rest for one in run):
            left = rest[:]
            for one in run:
                left.remove(one)
            return sets(left)
        return False

    ordered = sorted(kinds)
    for pair in set(ordered):
        if ordered.count(pair) >= 2:
            left = ordered[:]
            left.remove(pair)
            left.remove(pair)
            if sets(left):
                return True
    return len(set(ordered)) == 7 and all(ordered.count(one) == 2 for one in ordered)


@pytest.mark.slow
def test_mahjong_keeps_the_contract() -> None:
    check_contract(ludens.load("mahjong"), matches=1)


@examples(300)
@given(st.integers(0, 2**32))
def test_complete_hands_are_found_as_by_a_plain_search(seed: int) -> None:
    rng = Random(seed)
    # Few kinds, so that many hands are complete.
    first = rng.choice((0, 9, 18, 24))
    pool = [kind for kind in range(first, min(first + 10, 34)) for _ in range(4)]
    kinds = rng.sample(pool, 14)

    assert is_complete(counts_of(kinds), []) == simply_complete(kinds)


@pytest.mark.parametrize(
    ("hand", "worth"),
    [
        ("b1 b2 b3 c4 c5 c6 d7 d8 d9 b5 b6 b7 c2 c2", 2),  # all chows, nothing open
        ("b1 b1 b1 c4 c4 c4 d7 d7 d7 b5 b5 b5 c2 c2", 4),  # all pungs
        ("b1 b2 b3 b4 b5 b6 b7 b8 b9 b5 b5 b5 b2 b2", 7),  # one suit
        ("b1 b2 b3 b4 b5 b6 b7 b8 b9 red red red b2 b2", 5),  # one suit with honours, dragons
        ("b1 b1 c2 c2 d3 d3 b5 b5 c7 c7 d9 d9 red red", 5),  # seven pairs
        ("b1 b9 c1 c9 d1 d9 east south west north red green white white", LIMIT),
        ("red red red green green green white white b1 b2 b3 c1 c2 c3", 6),
        ("red red red green green green white white white b1 b1 c1 c2 c3", LIMIT),
        ("east east east south south south b1 b2 b3 c4 c5 c6 d2 d2", 3),  # prevailing and own wind
    ],
)
def test_hands_are_worth_what_the_card_says(hand: str, worth: int) -> None:
    assert is_complete(counts_of(tiles(hand)), [])
    assert faan(counts_of(tiles(hand)), [], PLAIN) == worth


@pytest.mark.parametrize(
    ("hand", "ready"),
    [
        ("b1 b4 b7 c1 c4 c7 d1 d4 d7 east south west north", 0),
        ("b1 b2 b7 c1 c4 c7 d1 d4 d7 east east west north", 2),
        ("b1 b2 b3 c5 c5 c5 d1 d4 d7 east east west north", 5),
        ("b1 b2 b3 c5 c5 c5 d1 d2 d3 d4 d5 d6 east east", 9),
    ],
)
def test_hands_that_fit_together_better_are_readier(hand: str, ready: int) -> None:
    assert readiness(counts_of(tiles(hand)), []) == ready


def test_open_melds_and_circumstances_count() -> None:
    counts = counts_of(tiles("b1 b2 b3 c4 c5 c6 d7 d8 d9 c2 c2"))
    chow = [Meld("chow", NUMBER["b5"])]

    assert faan(counts, chow, PLAIN) == 1
    assert faan(counts, chow, Win("south", "east", self_drawn=True, replacement=True, last_tile=True)) == 4


def test_claims_are_offered_to_those_who_can_make_them() -> None:
    hands = {"East": "b5 red", "South": "b3 b4 b6 b7 c1", "West": "b5 b5", "North": "b5 c5"}
    state = play(dealt(hands), "b5")

    assert {"pass", "chow b3 b4", "chow b4 b6", "chow b6 b7"} == set(state.legal_moves("South"))
    assert set(state.legal_moves("West")) >= {"pass", "pung"}
    assert state.is_race
    assert not any(move.startswith("chow") for move in state.legal_moves("North"))


def test_hu_goes_before_pung_and_pung_before_chow() -> None:
    winning = "b1 b2 b3 c4 c5 c6 d7 d8 d9 c2 c2 b6 b7"
    state = play(dealt({"East": "b5", "South": "b3 b4", "West": "b5 b5", "North": winning}), "b5")

    assert "hu" in state.legal_moves("North")
    chow, pung, hu, no = {"South": "chow b3 b4"}, {"West": "pung"}, {"North": "hu"}, {"North": "pass"}
    assert state.race_winner(chow, ["West", "North"]) is None
    assert state.race_winner({**chow, **pung}, ["North"]) is None
    assert state.race_winner({**chow, **pung, **no}, []) == "West"
    assert state.race_winner({**chow, **pung, **hu}, []) == "North"


def test_of_two_who_win_the_next_in_turn_does() -> None:
    one = "b1 b2 b3 c4 c5 c6 d7 d8 d9 c2 c2 b6 b7"
    other = "b1 b2 b3 c4 c5 c6 d7 d8 d9 c3 c3 b6 b7"
    state = play(dealt({"East": "b5", "West": one, "North": other}), "b5")

    assert state.race_winner({"North": "hu"}, ["West"]) is None
    assert state.race_winner({"North": "hu", "West": "hu"}, []) == "West"


def test_who_discarded_pays_twice() -> None:
    winning = "b1 b2 b3 c4 c5 c6 d7 d8 d9 c2 c2 b6 b7"
    state = play(dealt({"East": "b5", "North": winning}), "b5").play({"North": "hu"})

    assert state.points == {"East": -8, "South": -4, "West": -4, "North": 16}  # all chows, nothing open


def test_for_an_own_tile_all_pay_twice() -> None:
    winning = "b1 b2 b3 c4 c5 c6 d7 d8 d9 c2 c2 b6 b7"
    state = dealt({"East": winning}, wall="b5").play({"East": "hu"})

    assert state.points == {"East": 48, "South": -16, "West": -16, "North": -16}


def test_a_pung_takes_the_turn_and_is_followed_by_a_discard() -> None:
    state = play(dealt({"East": "red", "West": "red red"}), "red").play({"West": "pung"})

    assert isinstance(state, TabletopState)
    assert [tile.name for tile in state.table["melds West"]] == ["red"] * 3
    assert len(state.table["hand West"]) == 11
    assert set(state.legal_moves("West")) == {tile.name for tile in state.table["hand West"]}


def test_a_kong_takes_a_tile_from_the_dead_wall_which_stays_full() -> None:
    state = dealt({"East": "red red red"}, wall="red")
    assert isinstance(state, TabletopState)
    before = len(state.table["wall"])

    after = play(state, "kong red")

    assert isinstance(after, TabletopState)
    assert len(after.table["dead wall"]) == 14
    assert len(after.table["wall"]) == before - 1
    assert len(after.table["hand East"]) == 11
    assert after.table.get("replaced")


def test_a_kong_that_is_added_can_be_robbed() -> None:
    winning = "b1 b2 b3 c4 c5 c6 d7 d8 d9 c2 c2 b3 b4"
    state = dealt({"East": "b5 b5 b9", "South": "b5", "West": winning}, wall="c9 c8 north south white b5")
    for role, move in (
        ("East", "c9"), ("South", "pass"), ("South", "b5"), ("East", "pung"), ("East", "b9"), ("South", "pass"),
        ("South", "north"), ("West", "pass"), ("West", "south"), ("North", "pass"), ("North", "white"),
        ("East", "pass"), ("East", "add b5"),
    ):  # fmt: skip
        state = state.play({role: move})

    assert state.legal_moves("West") == ("pass", "hu")
    assert state.legal_moves("North") == ("pass",)
    assert state.play({"West": "hu"}).points == {"East": -16, "South": -8, "West": 32, "North": -8}
    kong = state.play({"North": "pass"})
    assert isinstance(kong, TabletopState)
    assert kong.table.get("melds", of="East") == (("kong", NUMBER["b5"], True),)
    assert kong.legal_moves("East")


def test_others_do_not_see_what_is_drawn() -> None:
    state = play(dealt({"East": "red"}, wall="b1 b9"), "red").play({"South": "pass"})

    assert any("b9 at hand South" in percept for percept in state.percepts("South"))
    assert not any("b9" in percept for percept in state.percepts("West"))
