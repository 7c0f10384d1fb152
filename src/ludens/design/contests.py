"""Contests between unequal sides: more search against less, and play without one kind of move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludens.core import CpuDeadline, Deadline, Role
from ludens.core.interval import Interval, mean_interval, wilson
from ludens.design.drama import scores_of
from ludens.design.strong_play import StrongMatch, Table, play_series


@dataclass(frozen=True, slots=True)
class Contest:
    """What one side scored against the others."""

    title: str
    score: Interval
    """The share of the points, 0 to 1."""
    matches: int
    fair: float
    """What equal sides would score."""


def doubling(table: Table, leaves: int, steps: int, count: int, deadline: Deadline) -> list[Contest]:
    """Searches with twice the leaves against searches with half, in all seats in turn."""
    roles, found = table.game.roles, []
    for step in range(steps):
        low, high = leaves << step, leaves << (step + 1)
        share = deadline.remaining() / (steps - step)
        limit = CpuDeadline(share)

        def strengths(number: int, low: int = low, high: int = high) -> dict[Role, int]:
            return {role: high if place == number % len(roles) else low for place, role in enumerate(roles)}

        matches = play_series(table, strengths, count, limit)
        found.append(_contest(f"{high} against {low} leaves", matches, len(roles)))
    return found


def alone(table: Table, leaves: int, steps: int, count: int, deadline: Deadline) -> list[Contest]:
    """One role's results with doubled numbers of leaves."""
    role = table.game.roles[0]
    found = []
    for step in range(steps + 1):
        many = leaves << step
        limit = CpuDeadline(deadline.remaining() / (steps + 1 - step))

        def strength(_: int, many: int = many) -> dict[Role, int]:
            return {role: many}

        matches = play_series(table, strength, count, limit)
        found.append(_contest(f"{many} leaves", matches, 1))
    return found


def without(table: Table, kind: str, leaves: int, count: int, deadline: Deadline) -> Contest:
    """One seat in turn plays without a kind of move against others that may use it."""
    roles = table.game.roles
    matches = play_series(
        table,
        lambda _: dict.fromkeys(roles, leaves),
        count,
        deadline,
        lambda number: {roles[number % len(roles)]: kind},
    )
    return _contest(f"without {kind}", matches, len(roles))


def _contest(title: str, matches: Sequence[StrongMatch], seats: int) -> Contest:
    """The score of the seat that is special in each match: they take turns."""
    scores = [scores_of(match.goals)[number % seats] for number, match in enumerate(matches) if match.goals is not None]
    interval = mean_interval(scores) if seats == 1 else wilson(sum(scores), len(scores))
    return Contest(title, interval, len(scores), 1 / seats)
