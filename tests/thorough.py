"""How much of an expensive test runs every time: `make test` tries a part, `make test-all` the whole."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import pytest
from hypothesis import settings


def is_thorough() -> bool:
    """True under `make test-all`."""
    return settings().max_examples >= settings.get_profile("thorough").max_examples


def part_of(count: int) -> int:
    """So many under `make test-all`, otherwise a quarter of them."""
    return count if is_thorough() else -(-count // 4)


def examples(count: int, **options: Any) -> settings:
    """So many random examples of a property under `make test-all`, otherwise a quarter."""
    return settings(max_examples=part_of(count), deadline=None, **options)


def slow_among(values: Iterable[Any], slow: Container[Any]) -> list[Any]:
    """Parameters of a test, of which some are tried with the slow tests only."""
    return [pytest.param(value, marks=pytest.mark.slow) if value in slow else value for value in values]
