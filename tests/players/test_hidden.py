"""Players in games with chance and hidden information."""

from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import Clock, Deadline, Game, Player, Role, State
from ludens.gdl.game import GdlGame
from ludens.players.equilibrium.response import measure
from ludens.players.equilibrium.tree import build_tree
from ludens.players.registry import make_player
from ludens.referee import Match, MatchEnded
from tests.referee.games import Dice


def choice(player: str, state: State, role: Role) -> str:
    made = make_player(player)
    made.start(state.game, role, 1, Clock(60, 60))
    return made.choose(state.view(role), Deadline(60)).move


def load(name: str) -> GdlGame:
    game = ludens.load(name, wait=True)
    assert isinstance(game, GdlGame)
    return game


def dealt(first: str, second: str) -> State:
    state = load("kuhn_poker").initial_state()
    return state.play({"random": f"(deal {first} {second})", "first": "noop", "second": "noop"})


PLAYERS = (
    "ismcts:iterations=300,observers=multiple",
    "ismcts:iterations=300,observers=single",
    "pimc:worlds=6,world=40",
)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(("card", "move"), [("king", "call"), ("jack", "fold")])
def test_nobody_folds_the_best_hand_or_calls_with_the_worst(player: str, card: str, move: str) -> None:
    state = dealt("queen", card).play({"first": "bet", "second": "noop"})
    assert choice(player, state, "second") == move


@pytest.mark.parametrize("player", PLAYERS)
def test_switching_doors_is_better(player: str) -> None:
    state = load("monty_hall").initial_state()
    for joint_move in ({"random": "(hide 2)", "candidate": "noop"}, {"candidate": "(choose 2)"}):
        state = state.play(joint_move)
    state = state.sample({"candidate": "noop"}, Random(3))
    assert choice(player, state, "candidate") == "switch"


def test_information_sets_are_one_node_whatever_is_hidden() -> None:
    one, two = dealt("queen", "jack"), dealt("queen", "king")
    assert one.view("first").information == two.view("first").information
    assert one.view("second").information != two.view("second").information


def test_mcts_rolls_with_little_and_holds_with_much_at_pig() -> None:
    game = load("pig:50")

    def collected(pips: int) -> State:
        facts = [("score", "first", "0"), ("score", "second", "0"), ("collected", str(pips)), ("control", "first")]
        return game.state(facts)

    assert choice("mcts:iterations=150", collected(4), "first") == "(roll die)"
    assert choice("mcts:iterations=150", collected(45), "first") == "hold"


def test_alphabeta_looks_through_chance() -> None:
    game = load("pig:8")
    facts = [("score", "first", "4"), ("score", "second", "6"), ("collected", "4"), ("control", "first")]
    assert choice("alphabeta:depth=2", game.state(facts), "first") == "hold"


@pytest.mark.parametrize(
    ("game", "player"),
    [
        ("kriegspiel_tic_tac_toe", "ismcts:iterations=20"),
        ("phantom_connect_four", "pimc:worlds=2,world=3"),
        ("sealed_bid_auction", "ismcts:iterations=50"),
        ("leduc_poker", "ismcts:iterations=30,observers=single"),
        ("twenty_one", "ismcts:iterations=20"),
    ],
)
def test_matches_with_secrets_end_without_a_fault(game: str, player: str) -> None:
    loaded = load(game)
    assert played(loaded, [make_player(player), make_player("random")]).finished


def played(game: Game, players: list[Player]) -> MatchEnded:
    match = Match(game, dict(zip(game.roles, players, strict=True)), Clock(60, 60), seed=5)
    events = list(match.events())
    ended = events[-1]
    assert isinstance(ended, MatchEnded)
    assert not any(ended.failures.values())
    return ended


@pytest.mark.parametrize("player", ["ismcts:iterations=20", "pimc:worlds=2,world=5"])
def test_games_that_are_not_gdl_are_played_through_the_contract(player: str) -> None:
    assert played(Dice(hidden=True), [make_player(player), make_player("random")]).finished


@pytest.mark.slow
def test_regret_matching_approaches_an_equilibrium_of_kuhn_poker() -> None:
    tree = build_tree(load("kuhn_poker"), 1_000)
    gains = [
        measure(tree, f"ismcts:regrets=on,iterations={iterations}", 60.0, 1, 1, lambda _: None).assessment.nash_conv / 2
        for iterations in (4096, 32768)
    ]
    assert gains[1] < min(1.5, gains[0])
