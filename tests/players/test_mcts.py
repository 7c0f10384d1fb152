from __future__ import annotations

import pytest

import ludens
import ludens.players.search.native  # before tests get a cache of their own, in which nothing is compiled yet
from ludens.core import Clock, Deadline, Decision, Game, Player, Role, State
from ludens.players import make_player

CLOCK = Clock(play=600.0, start=600.0)
BOTH = pytest.mark.parametrize("native", ["on", "off"])


def ready(options: str, game: Game, role: Role, seed: int = 1) -> Player:
    player = make_player(f"mcts:{options}")
    player.start(game, role, seed, CLOCK)
    return player


def decision(options: str, state: State, role: Role, seed: int = 1) -> Decision:
    return ready(options, state.game, role, seed).choose(state.view(role), Deadline(600))


def after(name: str, *moves: tuple[Role, str]) -> State:
    """The position after moves of one role each, the others waiting."""
    state = ludens.load(name).initial_state()
    for role, move in moves:
        state = state.play({each: state.legal_moves(each)[0] for each in state.game.roles} | {role: move})
    return state


def one_from_winning() -> State:
    x, o = "xplayer", "oplayer"
    return after("tic_tac_toe", (x, "(mark 1 1)"), (o, "(mark 3 3)"), (x, "(mark 1 2)"), (o, "(mark 3 2)"))


@BOTH
def test_a_win_in_one_move_is_found_and_proven(native: str) -> None:
    found = decision(f"native={native},iterations=500", one_from_winning(), "xplayer")

    assert found.move == "(mark 1 3)"
    assert found.thinking.moves[0].proven
    assert found.thinking.value == 100


@BOTH
def test_tic_tac_toe_is_proven_to_be_a_draw(native: str) -> None:
    found = decision(f"native={native},iterations=40000", ludens.load("tic_tac_toe").initial_state(), "xplayer")

    assert found.thinking.value == 50
    assert found.thinking.moves[0].proven
    assert found.thinking.extra["native"] == (native == "on")


@BOTH
@pytest.mark.parametrize("game", ["connect_four", "connect_four_3p", "rock_paper_scissors", "eight_puzzle"])
def test_a_seed_means_the_same_search(game: str, native: str) -> None:
    state = ludens.load(game).initial_state()
    role = state.game.roles[0]

    def search(seed: int) -> tuple[object, ...]:
        found = decision(f"native={native},iterations=300", state, role, seed)
        return found.move, found.thinking.value, found.thinking.moves

    assert search(5) == search(5)
    assert search(5) != search(6)


def test_beats_flat_in_a_position_that_needs_two_moves_of_foresight() -> None:
    """Whoever completes a row of three with open ends in connect four wins two moves later."""
    red, black = "red", "black"
    state = after("connect_four", *[(red, "(drop 4)"), (black, "(drop 4)"), (red, "(drop 3)"), (black, "(drop 3)")])

    found = decision("iterations=20000", state, red)

    assert found.thinking.value == 100
    assert found.move in {"(drop 2)", "(drop 5)"}
