from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import State
from ludens.games.tabletop.shared.bridge_score import Contract, match_points
from ludens.tabletop import TabletopState
from ludens.testing import check_game
from tests.games.tabletop.dealing import deal_text, dealt, hand_of, play
from tests.games.tabletop.openspiel import open_spiel
from tests.peers import peer

RANKS, SUITS, STRAINS = "23456789TJQKA", "CDHS", ("C", "D", "H", "S", "NT")
FIRST_CALL = 52


def call_of(action: int) -> str:
    if action < FIRST_CALL + 3:
        return ("pass", "X", "XX")[action - FIRST_CALL]
    bid = action - FIRST_CALL - 3
    return f"{bid // 5 + 1}{STRAINS[bid % 5]}"


def move_of(action: int) -> str:
    return RANKS[action // 4] + SUITS[action % 4] if action < FIRST_CALL else call_of(action)


def test_bridge_keeps_the_contract() -> None:
    check_game(ludens.load("bridge"), matches=1, twin=False, report=lambda line: None)


@pytest.mark.parametrize(
    ("level", "strain", "doubled", "tricks", "vulnerable", "score"),
    [
        (2, "H", 1, 8, False, 110),
        (3, "NT", 1, 9, False, 400),
        (3, "NT", 1, 10, True, 630),
        (4, "S", 1, 11, True, 650),
        (5, "C", 1, 11, False, 400),
        (6, "NT", 1, 12, True, 1440),
        (7, "S", 1, 13, False, 1510),
        (2, "C", 2, 8, False, 180),
        (2, "S", 2, 9, True, 870),
        (1, "NT", 4, 7, False, 560),
        (7, "NT", 4, 13, True, 2980),
        (4, "H", 1, 8, True, -200),
        (4, "H", 2, 6, False, -800),
        (4, "H", 2, 6, True, -1100),
        (3, "D", 4, 8, False, -200),
    ],
)
def test_contracts_score_as_in_duplicate(
    level: int, strain: str, doubled: int, tricks: int, vulnerable: bool, score: int
) -> None:
    assert Contract(level, strain, doubled).score(tricks, vulnerable) == score


def test_match_points_follow_the_international_scale() -> None:
    assert [match_points(score) for score in (0, 10, 20, 110, -430, 1440, 4000, -7600)] == [
        0,
        0,
        1,
        3,
        -10,
        16,
        24,
        -24,
    ]


def test_bids_rise_and_only_opponents_are_doubled() -> None:
    state = play(dealt("bridge", [""] * 4), "1H")

    assert "1S" in state.legal_moves("East")
    assert "X" in state.legal_moves("East")
    assert not {"1D", "1H", "XX"} & set(state.legal_moves("East"))
    assert not {"X", "XX"} & set(play(state, "pass").legal_moves("South"))
    assert "XX" in play(state, "X").legal_moves("South")
    assert "X" not in play(state, "X", "XX").legal_moves("West")


def test_four_passes_end_the_deal_with_nothing() -> None:
    state = play(dealt("bridge", [""] * 4), "pass", "pass", "pass")
    assert not state.is_terminal

    state = play(state, "pass")

    assert state.points == dict.fromkeys(state.game.roles, 0)
    assert state.goals == dict.fromkeys(state.game.roles, 50)


def test_who_named_the_strain_first_declares_and_the_left_leads() -> None:
    state = play(dealt("bridge", [""] * 4), "1S", "pass", "2H", "pass", "4H", "pass", "pass", "pass")

    assert isinstance(state, TabletopState)
    assert state.table.get("declarer") == "South"
    assert state.legal_moves("West")


def test_dummy_is_seen_by_all_and_played_by_declarer() -> None:
    state = play(dealt("bridge", [""] * 4), "1NT", "pass", "pass", "pass")
    led = play(state, state.legal_moves("East")[0])

    seen = led.view("West")
    assert set(led.legal_moves("North")) <= hand_of(led, "South")
    assert not led.legal_moves("South")
    assert set(seen.observation["places"]["hand South"]) == hand_of(led, "South")  # type: ignore[attr-defined]
    assert set(seen.observation["places"]["hand North"]) == {"##"}  # type: ignore[attr-defined]


def test_a_trump_takes_the_trick() -> None:
    hands = ["AKQJT9.AKQJ.432.", "8765..A.98765432", ".T98765.KQJ.AKQJ", "432.432.T98765.T"]
    state = play(dealt("bridge", hands), "1S", "pass", "pass", "pass", "AD", "KD", "5D")
    assert isinstance(state, TabletopState)
    assert state.legal_moves("North") == ("4D", "3D", "2D")

    taken = play(state, "2D", "2C", "AC", "TC", "9S")

    assert isinstance(taken, TabletopState)
    assert len(taken.table["won East"]) == 4
    assert len(taken.table["won North"]) == 4
    assert taken.legal_moves("North")


@peer("openspiel")
@pytest.mark.parametrize("vulnerable", ["none", "NS", "EW", "both"])
@pytest.mark.parametrize("games", [5, pytest.param(250, marks=pytest.mark.slow)])
def test_random_deals_go_as_in_open_spiel(games: int, vulnerable: str) -> None:
    parameters = {
        "use_double_dummy_result": False,
        "dealer_vul": vulnerable in ("NS", "both"),
        "non_dealer_vul": vulnerable in ("EW", "both"),
    }
    other = open_spiel().load_game("bridge", parameters)
    game = ludens.load(f"bridge:{vulnerable}")
    rng = Random(6)
    for _ in range(games):
        theirs = other.new_initial_state()
        cards = []
        while theirs.is_chance_node():
            action = rng.choice(theirs.chance_outcomes())[0]
            cards.append(move_of(action))
            theirs.apply_action(action)
        state: State = game.initial_state().play({"North": deal_text([cards[seat::4] for seat in range(4)])})
        while not theirs.is_terminal():
            role = next(role for role in game.roles if state.legal_moves(role))
            assert role == game.roles[theirs.current_player()]
            legal = {move_of(action): action for action in theirs.legal_actions()}
            assert set(state.legal_moves(role)) == set(legal), f"{theirs}"
            # Mostly low bids, so that contracts of all levels are played, doubled ones too.
            calls = [move for move in ("pass", "pass", "X", "XX", *sorted(legal)[:4]) if move in legal]
            move = rng.choice(calls if "pass" in legal else sorted(legal))
            theirs.apply_action(legal[move])
            state = state.play({role: move})
        assert state.is_terminal
        assert list(state.points.values()) == theirs.returns()
