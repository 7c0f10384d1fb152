"""Worlds for players at a clock: nobody waits for them longer than that, and partial ones are reported."""

from __future__ import annotations

import math
from random import Random
from typing import NoReturn

import pytest

import ludens
from ludens.core import Clock, Deadline, OutOfTimeError, State, random_joint_move
from ludens.players import make_player
from ludens.tabletop import TabletopState
from ludens.tabletop.hidden import particles
from ludens.tabletop.hidden.observed import observed_in
from ludens.tabletop.hidden.view import TableView
from tests.tabletop.test_hidden import dealt, view_of
from tests.tabletop.test_worlds import ORDER, Guess


def late_position(name: str = "kriegspiel:30", role: str = "White", turns: int = 9) -> TabletopState:
    """A position in which a role has a choice and does not know much."""
    rng = Random(4)
    state: State = ludens.load(name).initial_state()
    number = 0
    while number < turns or len(state.legal_moves(role)) < 2:
        state = state.sample(random_joint_move(state, rng), rng)
        number += 1
    assert isinstance(state, TabletopState)
    return state


def never(*_: object) -> NoReturn:
    """A search that time ends."""
    raise OutOfTimeError


def test_without_time_worlds_agree_with_what_is_seen_and_have_no_history() -> None:
    state = late_position()
    view = view_of(state, "White")

    with Deadline(0).enforced():
        worlds = [view.sample(Random(seed)) for seed in range(5)]

    for world in worlds:
        assert isinstance(world, TabletopState)
        assert not world.has_history
        seen = world.view("White")
        assert isinstance(seen, TableView)
        assert seen.observation == view.observation
        assert set(world.legal_moves("White")) == set(state.legal_moves("White"))
        assert world.view("White").information == view.information


def test_hidden_pieces_of_partial_worlds_are_not_those_of_the_real_table() -> None:
    state = late_position()
    with Deadline(0).enforced():
        world = view_of(state, "White").sample(Random(0))

    # No time at all: particles are those of the beginning, so Black has not moved.
    assert isinstance(world, TabletopState)
    first = state.history[1].table
    for name in ("a7", "b8", "d7", "e8"):
        lying = first.contents[first.position(name).index]
        assert world.table.contents[first.position(name).index] == lying


def test_with_time_again_worlds_have_histories() -> None:
    view = view_of(late_position(), "White")
    with Deadline(0).enforced():
        view.sample(Random(0))

    world = view.sample(Random(0))

    assert isinstance(world, TabletopState)
    assert world.has_history


@pytest.mark.parametrize("is_drawn", [False, True])
def test_when_the_time_of_a_turn_is_over_the_particles_found_are_enough(is_drawn: bool) -> None:
    state = late_position("phantom_go:3", "Black", 4)
    chain = [observed_in(one, "Black") for one in state.history]
    layers = [particles.particles(one, "Black", Random(0)) for one in state.history[:-1]]

    hurried = particles._Step(chain, layers, Random(0), {}, Deadline(0)).follow(is_drawn)
    whole = particles._Step(chain, layers, Random(0), {}, Deadline(math.inf)).follow(is_drawn)

    assert hurried is not None
    assert whole is not None
    assert (len(hurried.particles), hurried.is_whole) == (1, False)
    assert len(whole.particles) > 1
    assert chain[-1].fits(hurried.states[0])


@pytest.mark.parametrize("name", ["ismcts:iterations=4", "pimc:worlds=2,world=4"])
def test_a_player_does_not_wait_for_a_rescue_and_reports_partial_worlds(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = late_position("phantom_go:3", "Black", 5)
    player = make_player(name)
    player.start(state.game, "Black", 1, Clock(play=5, start=5))
    monkeypatch.setattr(particles._Step, "follow", never)

    decision = player.choose(state.view("Black"), Deadline(60))

    assert decision.move in state.legal_moves("Black")
    assert decision.thinking.extra["partial worlds"] > 0


def test_a_player_with_time_reports_no_partial_worlds() -> None:
    state = late_position("phantom_go:3", "Black", 5)
    player = make_player("ismcts:iterations=4")
    player.start(state.game, "Black", 1, Clock(play=5, start=5))

    decision = player.choose(state.view("Black"), Deadline(60))

    assert "partial worlds" not in decision.thinking.extra


def test_samples_that_contradict_are_counted_if_there_was_no_time_for_others() -> None:
    rng = Random(0)
    state = dealt(Guess(), ORDER).play({"Anna": "ask"})
    sampler = view_of(state, "Anna").sampler

    with Deadline(0).enforced():
        contradicting = sum(not sampler.agrees(sampler.draw(rng)) for _ in range(30))

    assert sampler.misses == contradicting
    assert contradicting > 0
    assert all(sampler.agrees(sampler.draw(rng)) for _ in range(30))
