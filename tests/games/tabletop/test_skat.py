from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

import ludens
from ludens.core import State
from ludens.games.tabletop.shared.skat_score import BIDS, OPEN, SCHNEIDER, SCHWARZ, Announcement, card_points, matadors
from ludens.tabletop import TabletopState
from ludens.testing import check_game
from tests.games.tabletop.dealing import deal_text, hand_of, play
from tests.games.tabletop.openspiel import open_spiel
from tests.peers import peer

RANKS = "789TJQKA"
ALL = [rank + suit for suit in "CSHD" for rank in RANKS]
BIDDING = {
    "player1": ("pass", "pass", "18"),
    "player2": ("18", "pass", "pass"),
    "player3": ("pass", "18", "pass"),
}
"""What is said so that a player plays at 18."""


def dealt(hands: list[list[str]], name: str = "skat") -> State:
    """A deal; hands are filled up from what is left, and the rest is the skat."""
    used = {card for hand in hands for card in hand}
    left = [card for card in ALL if card not in used]
    for hand in hands:
        while len(hand) < 10:
            hand.append(left.pop(0))
    return ludens.load(name).initial_state().play({"player1": deal_text(hands, left)})


@pytest.mark.parametrize("name", ["skat", "skat:true"])
def test_skat_keeps_the_contract(name: str) -> None:
    check_game(ludens.load(name), matches=2, twin=False, report=lambda line: None)


def test_bids_are_all_values_that_games_can_have() -> None:
    assert BIDS[:14] == (18, 20, 22, 23, 24, 27, 30, 33, 35, 36, 40, 44, 45, 46)
    assert BIDS[-1] == 264


def test_middlehand_asks_forehand_and_rearhand_who_is_left() -> None:
    state = dealt([[], [], []])
    assert state.legal_moves("player2") == ("18", "pass")

    held = play(state, "18", "yes", "20", "pass")

    assert held.legal_moves("player3") == ("22", "pass")
    assert play(held, "pass").legal_moves("player2") == ("take the skat", "hand")
    assert play(held, "22", "yes", "pass").legal_moves("player2") == ("take the skat", "hand")
    assert play(held, "22", "pass").legal_moves("player3") == ("take the skat", "hand")


def test_forehand_may_play_if_nobody_bids_and_else_nobody_does() -> None:
    state = play(dealt([[], [], []]), "pass", "pass")

    assert state.legal_moves("player1") == ("18", "pass")
    assert play(state, "18").legal_moves("player1") == ("take the skat", "hand")
    assert play(state, "pass").points == {"player1": 0, "player2": 0, "player3": 0}


def test_only_declarer_sees_the_skat_and_what_it_puts_away() -> None:
    state = play(dealt([[], [], []]), *BIDDING["player2"])
    assert isinstance(state, TabletopState)
    skat = {card.name for card in state.table["skat"]}

    taken = play(state, "take the skat")

    assert skat <= hand_of(taken, "player2")
    assert len(taken.legal_moves("player2")) == 66
    assert not any(card in " ".join(taken.percepts("player1")) for card in skat)
    away = play(taken, taken.legal_moves("player2")[0])
    assert away.percepts("player1") == ["player2: 2 to away player2"]


def test_announcements_of_the_hand_are_more() -> None:
    state = play(dealt([[], [], []]), *BIDDING["player1"])
    taken = play(state, "take the skat")

    assert set(play(taken, taken.legal_moves("player1")[0]).legal_moves("player1")) == {
        "clubs", "spades", "hearts", "diamonds", "grand", "null", "null open",
    }  # fmt: skip
    assert {"clubs schneider", "grand schwarz", "hearts open", "null"} <= set(
        play(state, "hand").legal_moves("player1")
    )


def test_null_must_be_worth_the_bid() -> None:
    state = dealt([[], [], []])
    state = play(state, "18", "yes", "20", "yes", "22", "yes", "23", "yes", "24", "pass", "pass", "take the skat")

    moves = play(state, state.legal_moves("player2")[0]).legal_moves("player2")
    assert "null" not in moves
    assert "null open" in moves


def test_open_cards_are_seen() -> None:
    state = play(dealt([[], [], []]), *BIDDING["player1"], "hand", "null open")

    assert set(state.view("player2").observation["places"]["hand player1"]) == hand_of(state, "player1")  # type: ignore[attr-defined]


def test_null_is_lost_with_the_first_trick() -> None:
    hand = ["AC", "AS", "AH", "AD", "KC", "KS", "KH", "KD", "QC", "QS"]
    state = play(dealt([hand, [], []]), *BIDDING["player1"], "hand", "null", "AC")
    while not state.is_terminal:
        role = next(role for role in state.game.roles if state.legal_moves(role))
        state = state.play({role: state.legal_moves(role)[0]})

    assert state.points == {"player1": -70, "player2": 0, "player3": 0}


def test_kontra_and_re_double() -> None:
    hand = ["AC", "AS", "AH", "AD", "KC", "KS", "KH", "KD", "QC", "QS"]
    state = play(dealt([hand, [], []], "skat:true"), *BIDDING["player1"], "hand", "null")
    assert state.legal_moves("player2") == ("kontra", "pass")
    assert play(state, "pass").legal_moves("player3") == ("kontra", "pass")
    doubled = play(state, "pass", "kontra", "re", "AC")
    while not doubled.is_terminal:
        role = next(role for role in doubled.game.roles if doubled.legal_moves(role))
        doubled = doubled.play({role: doubled.legal_moves(role)[0]})

    assert doubled.points["player1"] == -280


def test_matadors_count_with_and_without() -> None:
    assert matadors("C", ["JC", "JS", "JD"]) == 2
    assert matadors("C", ["JD", "AC"]) == 3
    assert matadors("grand", ["JC", "JS", "JH", "JD", "AC"]) == 4
    assert matadors("H", ["JC", "JS", "JH", "JD", "AH", "TH", "QH"]) == 6
    assert matadors("D", ["7C"]) == 11


@pytest.mark.parametrize(
    ("game", "hand", "level", "bid", "cards", "points", "tricks", "score"),
    [
        ("H", False, 0, 18, ["JC", "JS"], 61, 6, 30),
        ("H", False, 0, 18, ["JC", "JS"], 60, 6, -60),
        ("H", True, 0, 18, ["JC"], 90, 8, 40),
        ("grand", False, 0, 18, ["JC", "JS", "JH"], 120, 10, 144),
        ("grand", True, SCHNEIDER, 18, ["JC"], 89, 8, -240),
        ("C", True, SCHWARZ, 18, ["JC"], 120, 10, 84),
        ("C", True, OPEN, 18, ["JC"], 120, 9, -192),
        ("D", False, 0, 33, ["JC"], 100, 9, -72),  # worth 27, so 36 is the least that reaches the bid
        ("S", False, 0, 18, ["JC"], 20, 1, -66),  # declarer is schneider
    ],
)
def test_games_are_worth_base_value_times_levels(
    game: str, hand: bool, level: int, bid: int, cards: list[str], points: int, tricks: int, score: int
) -> None:
    assert Announcement(game, hand, level).score(bid, cards, points, tricks, 10) == score


@peer("openspiel")
@pytest.mark.parametrize("games", [20, pytest.param(1000, marks=pytest.mark.slow)])
def test_random_deals_go_as_in_open_spiel(games: int) -> None:
    other = open_spiel().load_game("skat")
    rng = Random(9)
    for _ in range(games):
        theirs = other.new_initial_state()
        while theirs.is_chance_node():
            theirs.apply_action(rng.choice(theirs.chance_outcomes())[0])

        hands = hands_of(str(theirs))
        game = ludens.load("skat")
        state: State = game.initial_state().play({"player1": deal_text(hands[:3], hands[3])})
        declarer = rng.randrange(3)
        kind = rng.choice(("diamonds", "hearts", "spades", "clubs", "grand", "null"))
        for player in range(3):
            if theirs.current_player() == player:
                theirs.apply_action(legal_of(theirs)[kind if player == declarer else "unknown/pass"])
            if player == declarer:
                break
        role = game.roles[declarer]
        state = play(state, *BIDDING[role], "take the skat")
        put = rng.sample(sorted(hand_of(state, role)), 2)
        for card in put:
            theirs.apply_action(legal_of(theirs)[card])
        move = next(move for move in state.legal_moves(role) if set(move.split()[2:]) == set(put))
        state = play(state, move, kind)
        while not theirs.is_terminal():
            mover = game.roles[theirs.current_player()]
            legal = legal_of(theirs)
            if kind == "null" and state.is_terminal:
                break
            assert set(state.legal_moves(mover)) == set(legal), f"{theirs}"
            card = rng.choice(sorted(legal))
            theirs.apply_action(legal[card])
            state = state.play({mover: card})
        assert state.is_terminal
        if kind != "null":
            assert isinstance(state, TabletopState)
            table = state.table
            won = [card.name for card in (*table[f"won {role}"], *table[f"away {role}"])]
            shown = re.search(r"Points \(Solo / Team\): \((\d+)", str(theirs))
            assert shown is not None
            assert card_points(won) == int(shown[1])


def legal_of(theirs: Any) -> dict[str, int]:
    """OpenSpiel's actions by our names of cards and its own of games."""
    texts = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
    return {text[::-1] if len(text) == 2 else text: action for text, action in texts.items()}


def hands_of(text: str) -> list[list[str]]:
    """The three hands and the skat, from the pictures of cards."""
    suits, ranks = {0x1F0A0: "S", 0x1F0B0: "H", 0x1F0C0: "D", 0x1F0D0: "C"}, "?A23456789TJ?QK"
    found = []
    for line in text.splitlines():
        if line.startswith(("Player ", "Skat:")):
            cards = [ord(letter) for letter in line if ord(letter) > 0x1F000]
            found.append([ranks[card & 15] + suits[card & ~15] for card in cards])
    return found
