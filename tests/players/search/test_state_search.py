"""Tree search on the State contract: what it keeps and releases."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

import ludens
from ludens.players.search import state_search
from ludens.players.search.settings import SearchSettings
from ludens.players.search.state_search import StateSearch

SETTINGS = SearchSettings(0.2, 0.0, 0, mast=False, cutoff=100, lanes=0, leaves=0, memory=1)


def kept(search: StateSearch) -> int:
    """Dropped states and positions that are not released yet."""
    return sum(map(len, search._dropped))


def test_dropped_states_are_released_a_few_with_each_leaf() -> None:
    game = ludens.load("tic_tac_toe", backend="reference")
    search = StateSearch(game, "xplayer", SETTINGS, seed=1)
    search.set_root(game.initial_state())
    search.run(math.inf, 300)
    states = len(search._states)

    search._plant(game.initial_state())
    before = kept(search)
    search.run(math.inf, 1)
    after = kept(search)
    search.run(math.inf, before)

    assert before >= 2 * states > 500
    assert 0 < before - after < 50
    assert kept(search) == 0


def test_making_room_takes_as_long_as_dropping_states_does(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ludens.load("tic_tac_toe", backend="reference")
    search = StateSearch(game, "xplayer", SETTINGS, seed=1)
    search.set_root(game.initial_state())
    now = [5.0]
    monkeypatch.setattr(state_search, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(search, "_forget", lambda: now.append(now.pop() + 3.0))

    search._make_room()

    assert search._tidying == 3.0
