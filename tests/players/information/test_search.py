"""One search, whatever states it descends through and however leaves are valued."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import ludens
from ludens.core import Deadline, State
from ludens.core.batch_game import BatchGame
from ludens.core.batch_worlds import BatchWorlds
from ludens.players.information.descents import LaneDescents, StateDescents, make_descents
from ludens.players.information.search import InformationSearch, InformationSettings
from ludens.players.information.sets import Values


def kuhn(first: str, second: str, backend: str) -> State:
    state = ludens.load("kuhn_poker", backend=backend).initial_state()
    return state.play({"random": f"(deal {first} {second})", "first": "noop", "second": "noop"})


def search_view(state: State, role: str, descents_class: type[StateDescents] | None = None) -> InformationSearch:
    game, rng = state.game, Random(1)
    worlds = game.worlds(role, rng)
    view = state.view(role)
    worlds.observe(view)
    make = descents_class or make_descents
    descents = make(game, role, worlds, 1000, rng)
    search = InformationSearch(game.roles.index(role), descents, InformationSettings(1.0, is_single=False), 1)
    search.set_root(view)
    return search


@pytest.mark.parametrize("backend", ["circuit", "reference"])
def test_the_same_search_runs_on_lanes_and_on_states(backend: str) -> None:
    state = kuhn("king", "queen", backend)
    worlds = state.game.worlds("first", Random(1))
    is_native = isinstance(state.game, BatchGame) and isinstance(worlds, BatchWorlds)
    assert is_native == (backend == "circuit")
    made = make_descents(state.game, "first", worlds, 1000, Random(1))
    assert isinstance(made, LaneDescents if is_native else StateDescents)
    search = search_view(state.play({"first": "bet", "second": "noop", "random": "noop"}), "second")
    search.run(60, 2000)
    # the queen faces a bet: calling wins against the jack and loses against the king, folding loses one chip
    call, fold = search.root_statistics["call"], search.root_statistics["fold"]
    assert call[0] + fold[0] == search.iterations >= 2000
    assert fold[1] < call[1]


def test_leaves_are_valued_by_the_descents() -> None:
    class Modest(StateDescents):
        """Believes that folding is best."""

        def results(self, deadline: Deadline) -> Values:
            modest = "fold" in str(self._state.view("second").information)
            return np.array([[0.5, 1.0 if modest else 0.0]])

    state = kuhn("king", "queen", "reference").play({"first": "bet", "second": "noop", "random": "noop"})
    search = search_view(state, "second", Modest)
    search.run(60, 300)
    tries, mean = search.root_statistics["fold"]
    assert tries > 270
    assert mean == 100.0
