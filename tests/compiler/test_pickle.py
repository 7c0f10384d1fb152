"""Games and states travel to other processes, whatever computes them."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from random import Random

import pytest

from ludens.compiler.backends import make_game
from ludens.core import random_joint_move
from ludens.games.library import find
from ludens.gdl.game import GdlGame, GdlMove, GdlState
from ludens.gdl.read import read_rules
from ludens.gdl.rules import RuleSheet

both_backends = pytest.mark.parametrize("backend", ["circuit", "reference"])


def game_of(name: str, backend: str) -> GdlGame:
    return make_game(find(name).rule_sheet(), name, backend)


def walk(state: GdlState, steps: int, seed: int) -> GdlState:
    rng = Random(seed)
    for _ in range(steps):
        state = state.play(random_joint_move(state, rng))
    return state


@both_backends
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "nim"])
def test_a_state_comes_back_as_the_same_position_of_the_same_game(name: str, backend: str) -> None:
    state = walk(game_of(name, backend).initial_state(), 3, seed=2)

    for back in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
        assert back == state
        assert back.game is state.game
        assert [back.legal_moves(role) for role in back.game.roles] == [
            state.legal_moves(role) for role in state.game.roles
        ]


@both_backends
def test_a_game_is_made_again_where_it_is_not_known(backend: str) -> None:
    game = game_of("tic_tac_toe", backend)
    pickled = pickle.dumps(game)
    facts = game.initial_state().facts
    del game

    back = pickle.loads(pickled)

    assert (back.name, back.backend, back.roles) == ("tic_tac_toe", backend, ("xplayer", "oplayer"))
    assert back.initial_state().facts == facts


@both_backends
def test_games_without_a_text_travel_as_their_rules(backend: str) -> None:
    rules = read_rules("(role r) (init a) (legal r (go Left)) (next b) (<= terminal (true b)) (goal r 100)").rules
    state = make_game(RuleSheet(rules), "bare", backend).initial_state()

    assert pickle.loads(pickle.dumps(state)).legal_moves("r") == ("(go Left)",)


def test_moves_remember_their_terms() -> None:
    move = GdlMove(("mark", "1", ("f", "X")))

    for back in (pickle.loads(pickle.dumps(move)), copy.deepcopy(move)):
        assert (type(back), back, back.term) == (GdlMove, move, move.term)


def test_another_process_plays_on() -> None:
    state = walk(game_of("connect_four", "circuit").initial_state(), 4, seed=5)

    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        back = pool.submit(walk, state, 3, 6).result(timeout=60)

    assert back == walk(state, 3, seed=6)
