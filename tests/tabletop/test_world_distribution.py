"""Worlds are distributed as brute force says, in small games of all kinds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from benchmarks.world_distribution import CASES, LEAST, Case, agreement, compare, p_value


@pytest.mark.parametrize("case", CASES, ids=lambda case: Path(case.game).name)
def test_worlds_are_distributed_as_by_brute_force(case: Case) -> None:
    found = compare(case, draws=800)

    assert found.positions > 1
    assert not found.impossible
    assert found.p > LEAST


def test_another_distribution_is_noticed() -> None:
    expected = {"a": 0.5, "b": 0.3, "c": 0.2}

    assert agreement(expected, Counter(a=500, b=310, c=190)).p > 0.1
    assert agreement(expected, Counter(a=560, b=240, c=200)).p < LEAST
    assert agreement(expected, Counter(a=500, b=310, c=180, d=10)).impossible == 10


@pytest.mark.parametrize(("degrees", "bound"), [(1, 10.83), (5, 20.52), (30, 59.70)])
def test_p_values_are_those_of_tables(degrees: int, bound: float) -> None:
    assert p_value(bound, degrees) == pytest.approx(0.001, rel=0.2)
