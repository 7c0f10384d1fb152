"""Layouts of rings and graphs in the plane."""

from __future__ import annotations

import math
from collections.abc import Sequence

_ROUNDS = 150


def ring_at(number: int, count: int) -> tuple[float, float]:
    """The coordinates of a place of a ring that goes round a square, clockwise from the lower left corner."""
    side = max(1, math.ceil(count / 4))
    edge, along = divmod(number, side)
    return (
        [(0.0, float(along)), (float(along), float(side)), (float(side), side - float(along))][edge]
        if (edge < 3)
        else (side - float(along), 0.0)
    )


def graph_at(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, tuple[float, float]]:
    """Coordinates of the nodes of a graph, by a force-directed layout.

    Always the same for the same graph, at a distance of about 1.5 squares.
    """
    count = len(nodes)
    where = [
        [math.cos(2 * math.pi * n / count) * count / 4, math.sin(2 * math.pi * n / count) * count / 4]
        for n in range(count)
    ]
    index = {node: n for n, node in enumerate(nodes)}
    pairs = sorted({(index[a], index[b]) for a, b in edges if a in index and b in index and a != b})
    ideal = 1.5
    for step in range(_ROUNDS):
        force = [[0.0, 0.0] for _ in nodes]
        for a in range(count):
            for b in range(a + 1, count):
                _push(where, force, a, b, ideal * ideal, -2)
        for a, b in pairs:
            _push(where, force, a, b, -1 / ideal, 1)
        heat = 0.5 * (1 - step / _ROUNDS)
        for n in range(count):
            size = math.hypot(*force[n]) or 1.0
            for axis in (0, 1):
                where[n][axis] += force[n][axis] / size * min(size, heat)
    return {node: (round(where[n][0], 3), round(where[n][1], 3)) for node, n in index.items()}


def _push(where: list[list[float]], force: list[list[float]], a: int, b: int, strength: float, power: int) -> None:
    """Push two nodes apart (or together) by their distance to some power."""
    dx, dy = where[a][0] - where[b][0], where[a][1] - where[b][1]
    distance = math.hypot(dx, dy) or 0.01
    factor = strength * distance ** (power - 1)
    force[a][0] += dx * factor
    force[a][1] += dy * factor
    force[b][0] -= dx * factor
    force[b][1] -= dy * factor
