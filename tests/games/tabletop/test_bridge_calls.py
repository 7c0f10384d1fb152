from __future__ import annotations

from random import Random

import pytest

from ludens.core import Clock, Deadline
from ludens.games.tabletop.bridge import BIDS
from ludens.games.tabletop.shared.bridge_calls import promising_calls, sensible_call
from ludens.players import make_player
from ludens.tabletop import TabletopState
from tests.games.tabletop.dealing import dealt, play

SUITS = "CDHS"
RANKS = "  23456789TJQKA"


def hand(text: str) -> dict[str, list[int]]:
    """Of a text such as ``AK2 QJ3 T98 7654``: clubs, diamonds, hearts, spades."""
    suits = zip(SUITS, text.split(), strict=True)
    found = {suit: [RANKS.index(rank) for rank in ranks.replace("-", "")] for suit, ranks in suits}
    assert sum(map(len, found.values())) == 13
    return found


@pytest.mark.parametrize(
    ("cards", "calls", "call"),
    [
        ("KQ5 A84 KJ72 Q93", "", "1NT"),
        ("J85 9742 QT3 J65", "", "pass"),
        ("A4 K83 AQJ72 963", "", "1H"),
        ("8 KQ52 A764 AJ93", "", "1D"),
        ("6 J2 KQJ9854 T73", "", "3H"),
        ("A942 7 K532 KQ84", "1S pass", "4S"),
        ("9842 75 Q532 KJ4", "1S pass", "2S"),
        ("9842 752 T32 984", "1S pass", "pass"),
        ("AK2 KQ5 AKQ4 QJ2", "", "3NT"),
        ("J42 K95 AQ4 KT32", "1NT pass", "3NT"),
        ("AK2 A5 AQ4 KQT32", "1NT pass", "7NT"),
        ("842 A5 K4 KQJT32", "1H", "1S"),
        ("842 A5 K4 KQJT32", "pass 3NT pass pass", "pass"),
    ],
)
def test_calls_follow_points_and_long_suits(cards: str, calls: str, call: str) -> None:
    assert sensible_call(hand(cards), calls.split()) == call


def test_sensible_auctions_are_legal_and_end() -> None:
    rng = Random(5)
    cards = [(suit, rank) for suit in SUITS for rank in range(2, 15)]
    for _ in range(300):
        rng.shuffle(cards)
        hands = [
            {suit: [rank for own, rank in cards[n : n + 13] if own == suit] for suit in SUITS} for n in range(0, 52, 13)
        ]
        state = play(dealt("bridge", [""] * 4))  # the auction does not look at the cards on the table
        for number in range(40):
            assert isinstance(state, TabletopState)
            role = state.game.roles[number % 4]
            legal = state.legal_moves(role)
            if state.is_terminal or not state.table.stage.startswith("call"):
                break
            calls = state.table.get("calls")
            call = sensible_call(hands[number % 4], calls)
            assert call in legal
            promising = promising_calls(hands[number % 4], calls, legal)
            assert {call, "pass"} <= set(promising) <= set(legal)
            state = play(state, call)
        else:
            pytest.fail("the auction does not end")


def test_a_search_passes_with_nothing_and_opens_with_a_strong_hand() -> None:
    for cards, calls in (("432.5432.432.432", {"pass"}), ("KQJT9.A53.A72.K8", set(BIDS))):
        state = dealt("bridge", [cards, "", "", ""])
        player = make_player("ismcts:iterations=300")
        player.start(state.game, "North", 1, Clock(60, 60))
        assert player.choose(state.view("North"), Deadline(60)).move in calls
