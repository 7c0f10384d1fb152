from __future__ import annotations

from unittest.mock import patch

import pytest

import ludens
from ludens.core import Clock, Deadline, View
from ludens.core.collector import full_collections
from ludens.referee import Match
from ludens.referee.latency import Latency, Margin, measure_latency
from tests.referee.players import Scripted


@pytest.fixture
def margin(monkeypatch: pytest.MonkeyPatch) -> Margin:
    monkeypatch.setattr(Margin, "_lessons", {})
    return Margin("thinker", 1_000.0)


def test_the_margin_is_the_measured_latency_with_room_for_a_pause_until_something_is_learnt(margin: Margin) -> None:
    latency = measure_latency()

    assert 0 < latency.alone <= latency.contended
    assert margin.seconds(contended=False) == max(latency.alone, 0.015)
    assert margin.seconds(contended=True) == max(latency.contended, 0.015)


def test_room_for_a_pause_is_a_part_of_a_very_short_clock() -> None:
    latency = Latency(alone=0.0001, contended=0.0002)
    with patch("ludens.referee.latency.measure_latency", return_value=latency):
        assert Margin("never seen", 0.02).seconds(contended=False) == pytest.approx(0.006)


def test_an_overrun_is_added_and_slowly_forgotten(margin: Margin) -> None:
    before = margin.seconds(contended=False)

    margin.learn(2.0)
    assert margin.seconds(contended=False) == pytest.approx(before + 2.0)
    for _ in range(70):
        margin.learn(-1.0)
    assert margin.seconds(contended=False) == pytest.approx(before + 1.0, abs=0.05)


def test_what_is_learnt_helps_the_next_match_of_the_same_kind_of_player(margin: Margin) -> None:
    margin.learn(2.0)

    assert Margin("thinker", 1_000.0).seconds(contended=False) == margin.seconds(contended=False)
    assert Margin("other", 1_000.0).seconds(contended=False) == max(measure_latency().alone, 0.015)


def test_the_margin_never_takes_more_than_half_of_the_clock(margin: Margin) -> None:
    margin.learn(1_000_000.0)

    assert margin.seconds(contended=False) == 500.0
    assert Margin("thinker", 0.02).seconds(contended=True) == 0.01


def test_full_collections_wait_while_a_player_is_asked_for_a_move() -> None:
    game = ludens.load("tic_tac_toe", backend="reference")
    found: list[bool] = []

    def note(player: Scripted, view: View, deadline: Deadline) -> str:
        found.append(full_collections.are_deferred)
        return view.legal_moves[0]

    match = Match(game, {role: Scripted(note) for role in game.roles}, Clock(5.0, 5.0), 1, max_turns=2)
    for _ in match.events():
        pass

    assert found
    assert all(found)
    assert not full_collections.are_deferred


def test_full_collections_no_longer_wait_after_a_player_that_crashed() -> None:
    game = ludens.load("tic_tac_toe", backend="reference")

    def crash(player: Scripted, view: View, deadline: Deadline) -> str:
        raise ValueError

    match = Match(game, {role: Scripted(crash) for role in game.roles}, Clock(5.0, 5.0), 1, max_turns=2)
    for _ in match.events():
        pass

    assert not full_collections.are_deferred
