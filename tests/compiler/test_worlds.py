"""Beliefs of roles of compiled games, followed as lanes."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import ludens
from ludens.compiler.batch.game import CircuitGame, CircuitState
from ludens.compiler.batch.worlds import LaneWorlds
from ludens.core import PerceptView, Role, random_joint_move


def compiled(name: str) -> CircuitGame:
    game = ludens.load(name, backend="circuit")
    assert isinstance(game, CircuitGame)
    return game


def worlds_of(game: CircuitGame, role: Role, seed: int = 1) -> LaneWorlds:
    worlds = game.worlds(role, Random(seed))
    assert isinstance(worlds, LaneWorlds)
    return worlds


GAMES = (
    "kuhn_poker",
    "leduc_poker",
    "monty_hall",
    "kriegspiel_tic_tac_toe",
    "phantom_connect_four",
    "sealed_bid_auction",
)


@pytest.mark.parametrize("name", GAMES)
def test_every_state_gives_the_role_the_moves_it_has_and_the_same_knowledge(name: str) -> None:
    game = compiled(name)
    rng = Random(4)
    beliefs = {role: worlds_of(game, role) for role in game.roles}
    state = game.initial_state()
    while not state.is_terminal:
        for number, (role, worlds) in enumerate(beliefs.items()):
            worlds.observe(state.view(role))
            lanes = worlds.particles(64)
            assert len(np.unique(lanes.keys[:, number])) == 1
            drawn = worlds.draw()
            assert isinstance(drawn, CircuitState)
            assert drawn.legal_moves(role) == state.legal_moves(role)
        after = state.sample(random_joint_move(state, rng), rng)
        assert isinstance(after, CircuitState)
        state = after


def test_knowledge_is_the_same_however_a_state_was_found() -> None:
    """Numbers from following lanes are those from a state's own history."""
    game = compiled("kuhn_poker")
    state = game.initial_state().play({"random": "(deal queen jack)", "first": "noop", "second": "noop"})
    state = state.play({"first": "check", "second": "noop"})
    followed, found = worlds_of(game, "second"), worlds_of(game, "second", seed=9)

    followed.observe(state.view("second"))
    view = state.view("second")
    assert isinstance(view, PerceptView)
    direct = found._particles_of_view(view)

    assert set(map(tuple, followed.particles(1000).keys.tolist())) == set(map(tuple, direct.keys.tolist()))


def test_doors_of_monty_hall_are_believed_in_as_probability_has_it() -> None:
    game = compiled("monty_hall")
    state = game.initial_state()
    for joint_move in ({"random": "(hide 1)", "candidate": "noop"}, {"candidate": "(choose 2)"}):
        state = state.play(joint_move)
    state = state.play({"random": "(open 3)", "candidate": "noop"})
    worlds = worlds_of(game, "candidate")

    worlds.observe(state.view("candidate"))
    packed = worlds.particles(900).states
    bits = np.unpackbits(packed, axis=1, count=len(game.circuit.fluents), bitorder="little")
    hidden = {door: int(bits[:, game.fluent_numbers["car", door]].sum()) for door in ("1", "2", "3")}

    assert hidden["3"] == 0
    assert sum(hidden.values()) == 900
    # A sample of some hundred states: three standard deviations of a third.
    assert abs(hidden["2"] / 900 - 1 / 3) < 0.07


def test_worlds_follow_a_match_that_was_taken_back() -> None:
    game = compiled("phantom_connect_four")
    worlds = worlds_of(game, "yellow")
    first = game.initial_state().play({"red": "(drop 3)", "yellow": "noop"})
    second = first.play({"red": "noop", "yellow": "(drop 3)"})
    worlds.observe(second.view("yellow"))

    worlds.observe(first.view("yellow"))

    assert worlds.draw().legal_moves("yellow") == first.legal_moves("yellow")
    assert len({worlds.draw() for _ in range(200)}) == 7


def test_worlds_are_found_from_further_back_where_all_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludens.compiler.batch.worlds.SIZE", 4)
    monkeypatch.setattr("ludens.compiler.batch.worlds.ROUNDS", 1)
    game = compiled("phantom_connect_four")
    worlds = worlds_of(game, "yellow")
    state = game.initial_state()
    for column in (1, 2, 3):
        state = state.play({"red": f"(drop {column})", "yellow": "noop"})
        state = state.play({"red": "noop", "yellow": f"(drop {column})"})
        worlds.observe(state.view("yellow"))

        # Yellow's pieces landed in row 2 each time, so red's are below them.
        assert state.position in {worlds.draw().position for _ in range(20)}
