from __future__ import annotations

from itertools import product
from random import Random

import pytest

import ludens
from ludens.core import State
from ludens.tabletop import TabletopState
from ludens.testing import check_game
from tests.games.tabletop.dealing import deal_text, dealt, hand_of, play
from tests.games.tabletop.openspiel import open_spiel
from tests.peers import peer

KEEP = "hearts:passing=keep"
RANKS, SUITS = "23456789TJQKA", "CDHS"


def card_of(action: int) -> str:
    return RANKS[action // 4] + SUITS[action % 4]


@pytest.mark.slow
def test_hearts_keeps_the_contract() -> None:
    check_game(ludens.load("hearts"), matches=1, twin=False, report=lambda line: None)


def test_the_two_of_clubs_leads_and_everybody_knows_who_has_it() -> None:
    state = dealt(KEEP, ["", "...2", "", ""])

    assert state.legal_moves("East") == ("2C",)
    assert not state.legal_moves("North")
    assert any("2C at hand East" in percept for percept in state.percepts("West"))


def test_three_cards_go_to_the_left_at_once() -> None:
    state = dealt("hearts", ["AKQ...", "", "", ""])
    before = {player: hand_of(state, player) for player in state.game.roles}
    chosen = {player: state.legal_moves(player)[0] for player in state.game.roles}

    after = state.play(chosen)

    passed = {player: set(move.split()) for player, move in chosen.items()}
    assert len(state.legal_moves("North")) == 286
    for giver, taker in zip(("West", "North", "East", "South"), ("North", "East", "South", "West"), strict=True):
        assert hand_of(after, taker) == before[taker] - passed[taker] | passed[giver]


def test_who_passed_cards_remembers_where_they_are_and_others_do_not_see_them() -> None:
    state = dealt("hearts", ["AKQ...", "", "", ""])
    chosen = {player: state.legal_moves(player)[0] for player in state.game.roles} | {"North": "QS KS AS"}

    after = state.play(chosen)

    assert isinstance(after, TabletopState)
    ace = after.table.element(name="AS")
    known = {player: bool(after.table.known[seat] & ace.bit) for seat, player in enumerate(after.game.roles)}
    assert known == {"North": True, "East": True, "South": False, "West": False}


def test_hearts_are_not_led_before_they_are_broken() -> None:
    state = play(dealt(KEEP, ["KQ.AKQJT98765..A", "A.43.2.2", "", ""]), "2C", "JC")

    state = play(state, state.legal_moves("West")[0], "AC")

    assert set(state.legal_moves("North")) == {"KS", "QS"}


def test_no_points_are_given_in_the_first_trick() -> None:
    state = play(dealt(KEEP, ["...2", "Q.AK.32.", "", ""]), "2C")

    assert not {"QS", "AH", "KH"} & set(state.legal_moves("East"))
    assert "3D" in state.legal_moves("East")


def test_who_takes_all_points_gives_them_to_the_others() -> None:
    state = dealt(KEEP, ["...AKQJT98765432", "", "", ""])
    while not state.is_terminal:
        role = next(role for role in state.game.roles if state.legal_moves(role))
        state = state.play({role: state.legal_moves(role)[0]})

    assert state.points == {"North": 0, "East": -26, "South": -26, "West": -26}
    assert state.goals == {"North": 100, "East": 33, "South": 33, "West": 33}


def test_the_next_hand_is_passed_to_the_right() -> None:
    state: State = ludens.load("hearts:2").initial_state()
    rng = Random(1)
    while not (isinstance(state, TabletopState) and state.table.get("hand") == 1):
        moves = {role: rng.choice(legal) for role in state.game.roles if (legal := state.legal_moves(role))}
        state = state.sample(moves, rng)
    before = hand_of(state, "West")
    chosen = {player: state.legal_moves(player)[0] for player in state.game.roles}

    after = state.play(chosen)

    assert set(chosen["North"].split()) <= hand_of(after, "West")
    assert not before & set(chosen["North"].split())


@peer("openspiel")
@pytest.mark.parametrize("games", [3, pytest.param(250, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("queen", "jack"), [*product((False, True), (False, True))])
def test_random_hands_go_as_in_open_spiel(games: int, queen: bool, jack: bool) -> None:
    other = open_spiel().load_game("hearts", {"qs_breaks_hearts": queen, "jd_bonus": jack})
    rng = Random(5)
    for _ in range(games):
        theirs = other.new_initial_state()
        direction = rng.choice(theirs.chance_outcomes())[0]
        passing = ("keep", "left", "across", "right")[direction]
        theirs.apply_action(direction)
        cards = []
        while theirs.is_chance_node():
            action = rng.choice(theirs.chance_outcomes())[0]
            cards.append(card_of(action))
            theirs.apply_action(action)
        game = ludens.load(f"hearts:passing={passing},queen_breaks={queen},jack={jack}")
        state: State = game.initial_state().play({"North": deal_text([cards[seat::4] for seat in range(4)])})
        if passing != "keep":
            chosen: dict[str, str] = {}
            for role in game.roles:
                actions = rng.sample(theirs.legal_actions(), 3)
                for action in actions:
                    theirs.apply_action(action)
                wanted = {card_of(action) for action in actions}
                chosen[role] = next(move for move in state.legal_moves(role) if set(move.split()) == wanted)
            state = state.play(chosen)
        while not theirs.is_terminal():
            role = game.roles[theirs.current_player()]
            legal = {card_of(action): action for action in theirs.legal_actions()}
            assert set(state.legal_moves(role)) == set(legal), f"{theirs}"
            move = rng.choice(sorted(legal))
            theirs.apply_action(legal[move])
            state = state.play({role: move})
        assert state.is_terminal
        assert [26 + points for points in state.points.values()] == theirs.returns()
