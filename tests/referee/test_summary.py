from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.core.interval import wilson
from ludens.referee.summary import Summary, labels_of, mean_goal, seats_of


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (50, 100, 0.4038, 0.5962)],
)
def test_wilsons_interval_has_the_published_values(wins: int, games: int, low: float, high: float) -> None:
    interval = wilson(wins, games)

    assert interval.low == pytest.approx(low, abs=1e-4)
    assert interval.high == pytest.approx(high, abs=1e-4)


@given(st.integers(0, 500), st.integers(0, 500))
def test_wilsons_interval_contains_the_share_and_stays_a_share(wins: int, losses: int) -> None:
    interval = wilson(wins, wins + losses)

    assert 0 <= interval.low <= interval.mean <= interval.high <= 1


def test_students_interval_of_a_known_sample() -> None:
    interval = mean_goal([40, 50, 60, 70])

    assert interval.mean == 55
    assert interval.high - interval.mean == pytest.approx(3.182 * 12.9099 / 2, abs=0.01)


def test_one_goal_tells_nothing_about_the_mean() -> None:
    assert (mean_goal([70]).low, mean_goal([70]).high) == (0, 100)


def test_the_highest_goal_wins_and_equal_highest_ones_draw() -> None:
    summary = Summary(["a", "b", "c"])
    seats = {"x": "a", "y": "b", "z": "c"}
    none = dict.fromkeys(seats, 0)

    summary.add(seats, {"x": 100, "y": 0, "z": 0}, none)
    summary.add(seats, {"x": 40, "y": 40, "z": 20}, {**none, "z": 3})

    found = {label: (tally.wins, tally.draws, tally.losses, tally.errors) for label, tally in summary.tallies().items()}
    assert found == {"a": (1, 1, 0, 0), "b": (0, 1, 1, 0), "c": (0, 0, 2, 3)}


def test_a_tally_reports_mean_goal_score_and_win_rate() -> None:
    summary = Summary(["a", "b"])
    for goals in ({"x": 100, "y": 0}, {"x": 50, "y": 50}, {"x": 30, "y": 70}):
        summary.add({"x": "a", "y": "b"}, goals, {"x": 0, "y": 0})

    tally = summary.tallies()["a"]

    assert (tally.goal, tally.score, tally.win_rate) == (mean_goal([100, 50, 30]), wilson(1.5, 3), wilson(1, 3))


def test_alone_only_a_goal_of_100_is_a_win() -> None:
    summary = Summary(["a"])

    summary.add({"solo": "a"}, {"solo": 100}, {"solo": 0})
    summary.add({"solo": "a"}, {"solo": 99}, {"solo": 0})

    assert (summary.tallies()["a"].wins, summary.tallies()["a"].losses) == (1, 1)


@given(st.integers(1, 6), st.integers(0, 20))
def test_seats_are_a_permutation_and_come_round(roles: int, match: int) -> None:
    names, labels = [f"r{n}" for n in range(roles)], [f"p{n}" for n in range(roles)]

    seats = seats_of(names, labels, match, swap=True)

    assert sorted(seats.values()) == labels
    assert seats == seats_of(names, labels, match + roles, swap=True)
    assert seats_of(names, labels, match, swap=False) == dict(zip(names, labels, strict=True))


def test_labels_tell_equal_names_apart() -> None:
    assert labels_of(["flat", "random", "flat"]) == ["flat #1", "random", "flat #3"]
