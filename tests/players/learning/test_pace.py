"""The course of learning, on a clock that only moves when it is told to."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ludens.core import PlayerError
from ludens.players.learning.files import check_new
from ludens.players.learning.pace import Pace, Spent


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Lets seconds pass, in half of which this process computes."""
    now = [1_000.0]

    def pass_by(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(time, "process_time", lambda: now[0] / 2)
    return pass_by


def course(pace: Pace, wait: Callable[[float], None], step: float, gate: float) -> str:
    """A letter for each step, and one for each gate."""
    made = ""
    while pace.begins_step():
        wait(step)
        made += "s"
        if pace.wants_gate():
            with pace.gate():
                wait(gate)
            made += "G"
    return made


def test_gates_take_their_share_and_the_last_step_has_one(wait: Callable[[float], None]) -> None:
    assert course(Pace(100.0, None, 0.2), wait, step=2.0, gate=1.0) == "sG" + "sssG" * 14


def test_it_ends_after_so_many_steps_with_a_gate(wait: Callable[[float], None]) -> None:
    assert course(Pace(100.0, 3, 0.01), wait, step=2.0, gate=1.0) == "sGssG"


def test_room_is_left_for_the_gate_at_the_end(wait: Callable[[float], None]) -> None:
    """Steps of 10 s and gates of 30 s within 100 s: the last step is the one after which a gate just fits."""
    assert course(Pace(100.0, None, 0.01), wait, step=10.0, gate=30.0) == "sGsssG"


def test_time_is_counted_once_and_what_others_do_between_steps_is_not(wait: Callable[[float], None]) -> None:
    pace = Pace(1_000.0, None, 0.5)
    wait(60)
    assert pace.begins_step()
    wait(120)
    assert pace.spent() == Spent(2.0, 60.0)
    wait(60)
    assert pace.spent() == Spent(1.0, 30.0)
    assert pace.share == pytest.approx(0.24)


@pytest.mark.parametrize("name", ["best.csv", "best.svg"])
def test_what_is_learnt_is_not_written_where_its_log_or_curve_goes(name: str) -> None:
    with pytest.raises(PlayerError, match="the log and the curve"):
        check_new(Path(name))
