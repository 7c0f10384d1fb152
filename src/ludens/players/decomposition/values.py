"""The value of a position that was solved by its subgames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludens.core import Move


@dataclass(frozen=True, slots=True)
class Values:
    """The value of a position, or bounds on it."""

    bounds: tuple[tuple[float, float], ...]
    """The lower and the upper bound on each role's goal."""
    exact: bool
    best: Mapping[int, tuple[Move, ...]]
    """The moves that keep the value, for the role that chooses."""
    note: str
    nodes: int
    positions: int
    sharp: tuple[Move, ...] = ()
    """The best moves that also minimise the others' goals, where that is known."""
