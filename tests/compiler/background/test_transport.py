"""A compiled game that went to another process as bytes computes the same."""

from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.compiler.background.transport import freeze, thaw
from ludens.compiler.batch.game import CircuitGame
from ludens.core import random_joint_move
from ludens.core.batch import Batch
from ludens.gdl.read import read_rules

GAMES = ["tic_tac_toe", "pig", "rock_paper_scissors", "hex:3", "kuhn_poker", "sudoku"]
"""With chance, simultaneous moves, loops, hidden information, one role."""


def sent(game: CircuitGame) -> CircuitGame:
    sheet = read_rules(game.rules_text, name=game.name)
    return thaw(freeze(game), sheet, "arrived")


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_was_sent_computes_the_same(name: str) -> None:
    game = ludens.load(f"{name}@gdl", backend="circuit")
    assert isinstance(game, CircuitGame)
    twin = sent(game)
    rng = Random(1)
    state, other = game.initial_state(), twin.initial_state()
    while not state.is_terminal:
        joint_move = state.resolve(random_joint_move(state, rng), rng)
        assert all(state.legal_moves(role) == other.legal_moves(role) for role in game.roles)
        state, other = state.play(joint_move), other.play(joint_move)
        assert state.facts == other.facts
        assert all(state.percepts(role) == other.percepts(role) for role in game.roles)

    assert other.is_terminal
    assert other.goals == state.goals
    assert twin.name == "arrived"


@pytest.mark.parametrize("name", GAMES)
def test_its_batches_make_the_same_playouts(name: str) -> None:
    game = ludens.load(f"{name}@gdl", backend="circuit")
    assert isinstance(game, CircuitGame)
    twin = sent(game)

    here, there = (Batch(each, 64, seed=3).playouts(200) for each in (game, twin))

    assert here.goals.tolist() == there.goals.tolist()
    assert here.ended.tolist() == there.ended.tolist()


def test_what_stays_behind_is_made_again() -> None:
    game = ludens.load("tic_tac_toe", backend="circuit")
    assert isinstance(game, CircuitGame)
    twin = sent(game)

    assert twin.compilation.program.size == game.compilation.program.size
    batch = Batch(twin, 8, seed=1)
    batch.advance(batch.random_moves())
    assert not batch.terminal.any()


@pytest.mark.parametrize("name", ["connect_four", "goofspiel:4", pytest.param("pig", marks=pytest.mark.slow)])
def test_what_is_certain_of_a_game_is_the_same_after_the_way(name: str) -> None:
    game = ludens.load(name, backend="circuit")
    assert isinstance(game, CircuitGame)

    other = thaw(freeze(game), game.sheet, game.name)

    assert other.facts.may_be_simultaneous == game.facts.may_be_simultaneous
    assert str(other.facts.simultaneous) == str(game.facts.simultaneous)
