from __future__ import annotations

import pytest

from ludens.referee.latency import Margin, measured_latency


@pytest.fixture
def margin(monkeypatch: pytest.MonkeyPatch) -> Margin:
    monkeypatch.setattr(Margin, "_lessons", {})
    return Margin("thinker", 1_000.0)


def test_the_margin_is_the_measured_latency_until_something_is_learnt(margin: Margin) -> None:
    latency = measured_latency()

    assert 0 < latency.alone <= latency.contended
    assert margin.seconds(contended=False) == latency.alone
    assert margin.seconds(contended=True) == latency.contended


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
    assert Margin("other", 1_000.0).seconds(contended=False) == measured_latency().alone


def test_the_margin_never_takes_more_than_half_of_the_clock(margin: Margin) -> None:
    margin.learn(1_000_000.0)

    assert margin.seconds(contended=False) == 500.0
    assert Margin("thinker", 0.02).seconds(contended=True) == 0.01
