"""Memory of searches follows the clock and the machine."""

from __future__ import annotations

import pytest

from ludens.core import Clock
from ludens.players.tree_memory import LEAST_MEGABYTES, automatic_megabytes, megabytes_for

GIGABYTE = 1 << 30


@pytest.mark.parametrize(
    ("seconds", "machine", "expected"),
    [
        (0.1, 24 * GIGABYTE, LEAST_MEGABYTES),
        (1.0, 24 * GIGABYTE, 512),
        (2.0, 24 * GIGABYTE, 1024),
        (60.0, 24 * GIGABYTE, 3072),
        (60.0, 1 * GIGABYTE, LEAST_MEGABYTES),
        (60.0, 0, LEAST_MEGABYTES),
        (float("inf"), 24 * GIGABYTE, 3072),
    ],
)
def test_longer_clocks_get_more_memory_up_to_an_eighth_of_the_machine(
    seconds: float, machine: int, expected: int
) -> None:
    assert automatic_megabytes(Clock(seconds), machine) == expected


def test_a_given_size_is_kept() -> None:
    assert megabytes_for(17, Clock(60.0)) == 17
