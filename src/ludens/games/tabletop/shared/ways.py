"""Distances on a board where not every step is possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludens.tabletop import Position


def distances(goal: Position, steps: Mapping[Position, Sequence[Position]]) -> dict[Position, int]:
    """The number of steps to a position from each that can reach it; steps are reversible."""
    far = {goal: 0}
    for here in (pending := [goal]):
        for other in steps[here]:
            if other not in far:
                far[other] = far[here] + 1
                pending.append(other)
    return far
