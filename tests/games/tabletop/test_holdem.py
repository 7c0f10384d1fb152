from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

import ludens
from ludens.core import GameError, State
from tests.games.tabletop.contract import check_contract
from tests.games.tabletop.openspiel import COUNTS, open_spiel
from tests.peers import peer

CARDS = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "CDHS"]
"""In OpenSpiel's order."""


@pytest.mark.parametrize(
    "name",
    [
        "holdem",
        pytest.param("holdem:6,limit", marks=pytest.mark.slow),
        pytest.param("holdem:9,stack=20", marks=pytest.mark.slow),
        "holdem:starting_player=player2",
        "holdem:3,stacks=9-30-50,hands=3,rise=2",
    ],
)
def test_holdem_keeps_the_contract(name: str) -> None:
    check_contract(ludens.load(name), matches=2)


def dealt(state: State, holes: list[list[str]], board: list[str]) -> State:
    """The state after the players got these cards, the small blind first, with the board to come."""
    top = [hand[n] for n in range(2) for hand in holes] + board
    rest = [card for card in CARDS if card not in top]
    role = next(role for role in state.game.roles if state.legal_moves(role))
    return state.play({role: "deal = " + " ".join(f'"{card}"' for card in rest + top[::-1])})


def play(state: State, *moves: str) -> State:
    for move in moves:
        role = next(role for role in state.game.roles if state.legal_moves(role))
        state = state.play({role: move})
    return state


BOARD = ["2C", "7D", "9H", "JS", "KC"]


def test_blinds_are_paid_and_the_pot_goes_to_who_is_left() -> None:
    start = dealt(ludens.load("holdem:3").initial_state(), [["AS", "AH"], ["3C", "4D"], ["5C", "5D"]], BOARD)

    state = play(start, "raise to 6", "fold", "fold")

    assert state.points == {"player1": 99, "player2": 98, "player3": 103}
    assert state.goals == {"player1": 33, "player2": 33, "player3": 34}


def test_heads_up_the_small_blind_acts_first_before_the_flop_and_last_after_it() -> None:
    state = dealt(ludens.load("holdem").initial_state(), [["AS", "AH"], ["3C", "4D"]], BOARD)

    assert state.legal_moves("player1")[:2] == ("fold", "call")
    state = play(state, "call", "check")
    assert state.legal_moves("player2")[0] == "check"


def test_who_put_its_last_chips_into_the_blind_is_not_asked_any_more() -> None:
    hands = [["AS", "AH"], ["3C", "4D"]]

    both = dealt(ludens.load("holdem:stack=4,blind=8").initial_state(), hands, BOARD)
    assert both.points == {"player1": 8, "player2": 0}

    one = dealt(ludens.load("holdem:stack=4,blind=4").initial_state(), hands, BOARD)
    assert one.legal_moves("player1") == ("fold", "call")
    assert play(one, "call").points == {"player1": 8, "player2": 0}

    third = dealt(ludens.load("holdem:3,stack=4,blind=8").initial_state(), [*hands, ["5C", "5D"]], BOARD)
    assert third.legal_moves("player3") == ("fold", "call")
    assert play(third, "fold").points == {"player1": 8, "player2": 0, "player3": 4}


def test_the_best_hand_wins_the_showdown() -> None:
    state = dealt(ludens.load("holdem").initial_state(), [["AS", "AH"], ["3C", "4D"]], BOARD)

    state = play(state, "call", *["check"] * 7)

    assert state.is_terminal
    assert state.points == {"player1": 102, "player2": 98}


def test_a_pot_that_was_paid_is_empty() -> None:
    state: Any = dealt(ludens.load("holdem:hands=2").initial_state(), [["AS", "AH"], ["3C", "4D"]], BOARD)

    state = play(state, "raise to 10", "call")
    assert state.table.value(state.table.score("pot")) == 20
    state = play(state, *["check"] * 6)

    assert state.points == {"player1": 110, "player2": 90}
    assert state.table.value(state.table.score("pot")) == 0


def test_equal_hands_share_and_the_odd_chip_goes_to_the_first() -> None:
    start = dealt(ludens.load("holdem:3").initial_state(), [["3S", "3H"], ["AC", "4D"], ["AD", "4H"]], BOARD)

    state = play(start, "call", "call", "check", "raise to 3", "call", "fold")
    state = play(state, *["check"] * 4)

    # 2 + 5 + 2 chips: the pair of threes takes them all, so turn to a board on which the aces share instead.
    assert state.points["player1"] == 100 - 5 + 12
    shared = dealt(ludens.load("holdem:3").initial_state(), [["3S", "4S"], ["AC", "4D"], ["AD", "4H"]], BOARD)
    state = play(shared, "call", "call", "check", "raise to 3", "call", "call", *["check"] * 6)
    assert state.points == {"player1": 95, "player2": 103, "player3": 102}


def test_a_short_stack_can_win_only_the_main_pot() -> None:
    state = ludens.load("holdem:4,stack=40").initial_state()
    state = dealt(state, [["KS", "KH"], ["AS", "AH"], ["3C", "4D"], ["QC", "QD"]], BOARD)
    rule: Any = state.game

    pots = rule.rule.pots({"a": 5, "b": 20, "c": 20, "d": 10}, ["a", "b", "c"])

    assert pots == [(20, ["a", "b", "c"]), (35, ["b", "c"])]


def test_side_pots_of_unequal_stacks_are_paid() -> None:
    state = ludens.load("holdem:3,stacks=10-30-100").initial_state()
    state = dealt(state, [["AS", "AH"], ["QC", "QD"], ["TS", "TH"]], BOARD)

    state = play(state, "raise to 100", "call", "call")

    assert state.points == {"player1": 30, "player2": 40, "player3": 70}  # 3 x 10; 2 x 20; 70 come back


def test_stacks_must_be_one_for_each_player() -> None:
    with pytest.raises(GameError, match="3 numbers of chips"):
        ludens.load("holdem:3,stacks=10-30")


def test_the_showdown_reveals_the_hands_that_are_compared_and_no_others() -> None:
    start = dealt(ludens.load("holdem:3").initial_state(), [["AS", "AH"], ["KS", "KD"], ["QC", "QD"]], BOARD)

    state = play(start, "fold", "call", *["check"] * 7)

    percepts = " ".join(state.percepts("player3"))
    assert "AS" in percepts
    assert "KS" in percepts
    assert "QC" not in " ".join(state.percepts("player1"))


def test_a_session_carries_stacks_moves_the_blinds_on_and_doubles_them() -> None:
    hands = [["AS", "AH"], ["3C", "4D"]]
    state = dealt(ludens.load("holdem:hands=3,rise=1").initial_state(), hands, BOARD)

    state = play(state, "fold")
    assert state.points == {"player1": 99, "player2": 101}
    state = dealt(state, hands, BOARD)  # now player2 is the small blind, which is 2 of 4
    assert state.points == {"player1": 95, "player2": 99}
    assert state.legal_moves("player2")[:2] == ("fold", "call")
    state = play(state, "fold")
    state = play(dealt(state, hands, BOARD), "fold")

    assert state.is_terminal
    assert state.points == {"player1": 97, "player2": 103}


def test_a_session_ends_when_one_player_has_all_chips() -> None:
    state = dealt(ludens.load("holdem:hands=50,stacks=20-40").initial_state(), [["AS", "AH"], ["3C", "4D"]], BOARD)
    state = play(state, "raise to 20", "call")
    assert state.points == {"player1": 40, "player2": 20}

    state = play(dealt(state, [["AS", "AH"], ["3C", "4D"]], BOARD), "raise to 20", "call")

    assert state.points["player1"] + state.points["player2"] == 60
    assert not state.is_terminal or 0 in state.points.values()


def test_raises_are_at_least_as_large_as_the_last_one() -> None:
    state = dealt(ludens.load("holdem").initial_state(), [["AS", "AH"], ["3C", "4D"]], BOARD)

    assert state.legal_moves("player1")[2] == "raise to 4"
    assert play(state, "raise to 7").legal_moves("player2")[2] == "raise to 12"
    assert state.legal_moves("player1")[-1] == "raise to 100"


def test_limit_raises_by_fixed_steps_and_not_more_than_four_bets() -> None:
    state = dealt(ludens.load("holdem:betting=limit").initial_state(), [["AS", "AH"], ["3C", "4D"]], BOARD)

    capped = play(state, "raise to 4", "raise to 6", "raise to 8")

    assert capped.legal_moves("player2") == ("fold", "call")
    flop = play(capped, "call")
    assert flop.legal_moves("player2") == ("check", "raise to 2")
    turn = play(flop, "check", "check")
    assert turn.legal_moves("player2") == ("check", "raise to 4")


def other_name(players: int, betting: str, stack: int) -> str:
    limits = (
        "betting=nolimit,bettingAbstraction=fullgame"
        if betting == "no limit"
        else "betting=limit,raiseSize=2 2 4 4,maxRaises=3 4 4 4"
    )
    seats = {
        "numPlayers": players,
        "blind": "1 2" + " 0" * (players - 2),
        "firstPlayer": "1 2 2 2" if players == 2 else "3 1 1 1",
        "stack": " ".join([str(stack)] * players),
    }
    cards = "numRounds=4,numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1"
    return f"universal_poker({limits},{cards}," + ",".join(f"{key}={value}" for key, value in seats.items()) + ")"


@peer("openspiel")
@pytest.mark.parametrize("games", COUNTS)
@pytest.mark.parametrize(
    ("players", "betting", "stack"), [(2, "no limit", 20), (3, "no limit", 12), (2, "limit", 100), (4, "limit", 200)]
)
def test_random_matches_go_as_in_open_spiel(players: int, betting: str, stack: int, games: int) -> None:
    other = open_spiel().load_game(other_name(players, betting, stack))
    ours = ludens.load(f"holdem:{players},{betting},{stack}")
    rng = Random(players)
    for _ in range(games):
        deck = rng.sample(CARDS, 52)
        holes = [deck[2 * n : 2 * n + 2] for n in range(players)]
        board = deck[2 * players : 2 * players + 5]
        theirs = other.new_initial_state()
        for card in deck[: 2 * players]:
            theirs.apply_action(CARDS.index(card))
        state = dealt(ours.initial_state(), holes, board)
        laid = iter(board)
        before = [0] * players
        while not state.is_terminal:
            while theirs.is_chance_node():
                before = spent(theirs, players)
                theirs.apply_action(CARDS.index(next(laid)))
            seat = theirs.current_player()
            role = ours.roles[seat]
            legal = list(theirs.legal_actions())
            mine = state.legal_moves(role)
            raises = [before[seat] + int(move.split()[-1]) for move in mine if move.startswith("raise")]
            assert len([action for action in legal if action > 1]) == len(raises), (str(theirs), mine)
            if betting == "no limit":
                assert [action for action in legal if action > 1] == raises
            assert (0 in legal) == ("fold" in mine)
            number = rng.randrange(len(mine))
            move = mine[number]
            action = {"fold": 0, "call": 1, "check": 1}.get(move)
            if action is None:
                action = before[seat] + int(move.split()[-1]) if betting == "no limit" else 2
            state = state.play({role: move})
            theirs.apply_action(action)
        while theirs.is_chance_node():
            theirs.apply_action(CARDS.index(next(laid)))
        assert theirs.is_terminal()
        won = [points - stack for points in state.points.values()]
        assert all(abs(one - two) < 1 for one, two in zip(won, theirs.returns(), strict=True)), (won, str(theirs))


def spent(theirs: Any, players: int) -> list[int]:
    """What each has put into the pot so far."""
    text = str(theirs).split("Spent:")[1]
    return [int(re.search(rf"P{n}: (\d+)", text)[1]) for n in range(players)]  # type: ignore[index]


def test_playouts_compare_hands_and_give_all_chips_to_somebody() -> None:
    start = dealt(ludens.load("holdem").initial_state(), [["AS", "AH"], ["2D", "7C"]], BOARD)
    rng = Random(1)

    before = [start.play_out(rng, 1000)[0] for _ in range(100)]
    goals = [play(start, "raise to 100").play_out(rng, 1000) for _ in range(100)]

    assert all(sum(pair) == pytest.approx(100) for pair in goals)
    assert 50 < sum(before) / 100 < 53  # a pot of four chips
    assert 60 < sum(pair == (51, 49) for pair in goals) < 90  # mostly it folds, but some players never do


def test_the_model_of_players_is_a_distribution_in_which_good_hands_raise() -> None:
    game: Any = ludens.load("holdem:betting=limit")
    shares = {}
    for name, first in {"good": ["AS", "AH"], "bad": ["2D", "7C"]}.items():
        state: Any = dealt(game.initial_state(), [first, ["5C", "9D"]], BOARD)
        role = next(role for role in game.roles if state.legal_moves(role))
        table = state.table.copy()
        table.play_state[1] = role
        moves = state.legal_moves(role)
        shares[name] = {move: game.likelihood(table, move, moves) for move in moves}

    assert all(sum(one.values()) == pytest.approx(1) for one in shares.values())
    assert shares["good"]["raise to 4"] > 2 * shares["bad"]["raise to 4"]
    assert shares["bad"]["fold"] > 10 * shares["good"]["fold"]
