"""Goofspiel, Oshi-Zumo, Blotto and other games of simultaneous moves, beside OpenSpiel and by hand."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random

import pytest

import ludens
from ludens.core import Game, GameError, State
from ludens.games.library import find
from ludens.gdl.game import GdlState
from ludens.gdl.reference import ReferenceState
from tests.games.boards import board_of
from tests.games.openspiel import Theirs, pyspiel, results
from tests.games.playouts import check_random_playouts
from tests.games.shelf import shelf_game
from tests.peers import peer


@cache
def compiled(name: str) -> Game:
    return ludens.load(name, wait=True)


def bids(state: Theirs, player: int) -> dict[str, int]:
    """Their actions by our names."""
    texts = {action: state.action_to_string(player, action) for action in state.legal_actions(player)}
    return {f"(bid {text.rpartition(' ')[2]})": action for action, text in texts.items()}


def compare_goofspiel(cards: int, order: str, rng: Random) -> int:
    """Play one random game on both sides; ours also plays the last card, which theirs plays by itself."""
    theirs = pyspiel.load_game(f"goofspiel(num_cards={cards},points_order={order})").new_initial_state()
    state: State = compiled(f"goofspiel:{cards},{order}").initial_state()
    # With random prizes our bids wait until the next prize is turned up, which is part of the same joint move.
    waiting = {"first": "noop", "second": "noop"}
    while not theirs.is_terminal():
        if theirs.is_chance_node():
            action, _ = rng.choice(theirs.chance_outcomes())
            theirs.apply_action(action)
            state = state.play({**waiting, "random": f"(turn_up {action + 1})"})
        moves = [bids(theirs, player) for player in (0, 1)]
        assert [set(state.legal_moves(role)) for role in ("first", "second")] == [set(legal) for legal in moves]
        waiting = {role: rng.choice(sorted(legal)) for role, legal in zip(("first", "second"), moves, strict=True)}
        theirs.apply_actions([legal[move] for legal, move in zip(moves, waiting.values(), strict=True)])
        if order != "random":
            state, waiting = state.play(waiting), {}
    while not state.is_terminal:
        forced = {role: state.legal_moves(role)[0] for role in ("first", "second")}
        state, waiting = state.sample(waiting or forced, rng), {}
    points = [int(word) for word in str(theirs).partition("Points:")[2].split()]
    assert isinstance(state, GdlState)
    assert {("points", "first", str(points[0])), ("points", "second", str(points[1]))} <= state.facts
    assert dict(state.goals) == results(theirs, ("first", "second"))
    return cards


GOOFSPIEL = [(5, "random"), (5, "descending"), (4, "ascending")]


@peer("openspiel")
@pytest.mark.parametrize(("cards", "order"), GOOFSPIEL)
def test_goofspiel_agrees_with_openspiel(cards: int, order: str) -> None:
    assert sum(compare_goofspiel(cards, order, Random(seed)) for seed in range(10)) == 10 * cards


@peer("openspiel")
@pytest.mark.slow
@pytest.mark.parametrize(("cards", "order"), [*GOOFSPIEL, (13, "random")])
def test_a_thousand_games_of_goofspiel_agree_with_openspiel(cards: int, order: str) -> None:
    assert sum(compare_goofspiel(cards, order, Random(seed)) for seed in range(1000)) == 1000 * cards


def compare_oshi_zumo(coins: int, side: int, rng: Random) -> int:
    theirs = pyspiel.load_game(f"oshi_zumo(coins={coins},size={side},min_bid=1)").new_initial_state()
    state: State = compiled(f"oshi_zumo:{coins},{side}").initial_state()
    rounds = 0
    while not theirs.is_terminal():
        moves = [bids(theirs, player) for player in (0, 1)]
        assert [set(state.legal_moves(role)) for role in ("first", "second")] == [set(legal) for legal in moves]
        chosen = [rng.choice(sorted(legal)) for legal in moves]
        theirs.apply_actions([legal[move] for legal, move in zip(moves, chosen, strict=True)])
        state = state.play(dict(zip(("first", "second"), chosen, strict=True)))
        rounds += 1
    assert state.is_terminal
    assert dict(state.goals) == results(theirs, ("first", "second"))
    return rounds


@peer("openspiel")
@pytest.mark.parametrize(("coins", "side"), [(15, 3), (6, 1)])
def test_oshi_zumo_agrees_with_openspiel(coins: int, side: int) -> None:
    assert sum(compare_oshi_zumo(coins, side, Random(seed)) for seed in range(20)) > 20


@peer("openspiel")
@pytest.mark.slow
@pytest.mark.parametrize(("coins", "side"), [(15, 3), (6, 1), (50, 3)])
def test_a_thousand_games_of_oshi_zumo_agree_with_openspiel(coins: int, side: int) -> None:
    assert sum(compare_oshi_zumo(coins, side, Random(seed)) for seed in range(1000)) > 1000


def compare_all_pairs(name: str, theirs: Theirs, read: dict[str, str] | None = None) -> int:
    """Every joint move of a game of one move."""
    start = theirs.new_initial_state()
    state = shelf_game(name).initial_state()
    roles = state.game.roles
    actions = []
    for player, role in enumerate(roles):
        texts = {action: start.action_to_string(player, action) for action in start.legal_actions(player)}
        named = {
            action: read[text] if read else f"(send {text[1:-1].replace(',', ' ')})" for action, text in texts.items()
        }
        assert set(named.values()) == set(state.legal_moves(role))
        actions.append(named)
    for chosen in product(*actions):
        after = start.clone()
        after.apply_actions(list(chosen))
        ours = state.play({role: actions[player][chosen[player]] for player, role in enumerate(roles)})
        assert dict(ours.goals) == results(after, roles)
    return int(len(actions[0]) ** len(roles))


@peer("openspiel")
def test_all_battles_of_a_small_blotto_end_as_openspiel_says() -> None:
    assert compare_all_pairs("blotto:5,3", pyspiel.load_game("blotto(coins=5,fields=3)")) == 21**2


@peer("openspiel")
@pytest.mark.slow
@pytest.mark.parametrize(("coins", "fields"), [(10, 3), (6, 4)])
def test_all_battles_of_blotto_end_as_openspiel_says(coins: int, fields: int) -> None:
    assert (
        compare_all_pairs(f"blotto:{coins},{fields}", pyspiel.load_game(f"blotto(coins={coins},fields={fields})"))
        > 4000
    )


@peer("openspiel")
def test_all_outcomes_of_three_pennies_are_openspiels() -> None:
    sides = {"Heads": "heads", "Tails": "tails"}
    assert compare_all_pairs("matching_pennies_3p", pyspiel.load_game("matching_pennies_3p"), sides) == 8


@pytest.mark.parametrize(
    ("left", "right", "goals"),
    [("swerve", "swerve", (60, 60)), ("swerve", "straight", (20, 100)), ("straight", "straight", (0, 0))],
)
def test_constant_drivers_get_what_chicken_pays(left: str, right: str, goals: tuple[int, int]) -> None:
    state: ReferenceState = shelf_game("chicken").initial_state()
    for _ in range(10):
        assert not state.is_terminal
        state = state.play({"left": left, "right": right})
    assert state.is_terminal
    assert state.goals == {"left": goals[0], "right": goals[1]}


LINES = [
    *([(x, y) for y in (1, 2, 3)] for x in (1, 2, 3)),
    *([(x, y) for x in (1, 2, 3)] for y in (1, 2, 3)),
    [(1, 1), (2, 2), (3, 3)],
    [(1, 3), (2, 2), (3, 1)],
]


def test_bidding_tic_tac_toe_is_paid_and_marked_as_a_second_referee_says() -> None:
    game = shelf_game("bidding_tic_tac_toe:4")
    for seed in range(15):
        rng = Random(seed)
        state: ReferenceState = game.initial_state()
        chips, token = {"xplayer": 4, "oplayer": 4}, "xplayer"
        board = dict.fromkeys(product((1, 2, 3), repeat=2), "b")
        while True:
            lines = {mark for line in LINES for mark in "xo" if all(board[cell] == mark for cell in line)}
            assert state.is_terminal == (bool(lines) or "b" not in board.values())
            if state.is_terminal:
                value = {"x": 100, "o": 0}.get("".join(lines), 50)
                assert state.goals == {"xplayer": value, "oplayer": 100 - value}
                break
            bid = {role: rng.randint(0, coins) for role, coins in chips.items()}
            assert {role: len(state.legal_moves(role)) - 1 for role in chips} == chips
            winner = max(chips, key=lambda role: (bid[role], role == token))
            other = "oplayer" if winner == "xplayer" else "xplayer"
            if bid[winner] == bid[other]:
                token = other
            chips[winner] -= bid[winner]
            chips[other] += bid[winner]
            state = state.play({role: f"(bid {bid[role]})" for role in chips})
            cell = rng.choice([cell for cell, mark in board.items() if mark == "b"])
            board[cell] = winner[0]
            assert state.legal_moves(other) == ("noop",)
            state = state.play({winner: f"(mark {cell[0]} {cell[1]})", other: "noop"})
            assert board_of(state) == board
            assert ("token", token) in state.facts


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("goofspiel:14", "descending"),
        ("goofspiel:random,5", "number of cards"),
        ("oshi_zumo:0", "number of coins"),
        ("blotto:10,5", "number of battlefields"),
        ("chicken:0", "number of rounds"),
        ("bidding_tic_tac_toe:21", "number of chips"),
    ],
)
def test_bad_parameters_are_refused(name: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        find(name).rule_sheet()


@pytest.mark.parametrize(
    "name", ["goofspiel:5,descending", "oshi_zumo", "blotto", "chicken", "bidding_tic_tac_toe", "matching_pennies_3p"]
)
def test_random_playouts_are_well_formed(name: str) -> None:
    check_random_playouts(shelf_game(name), 5)
