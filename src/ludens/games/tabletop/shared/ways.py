"""How far it is on a board where not every step is free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludens.tabletop import Position


def distances(goal: Position, steps: Mapping[Position, Sequence[Position]]) -> dict[Position, int]:
    """How many steps it is to a position from each from which there is a way; steps go both ways."""
    found = {goal: 0}
    for here in (pending := [goal]):
        for other in steps[here]:
            if other not in found:
                found[other] = found[here] + 1
                pending.append(other)
    return found
