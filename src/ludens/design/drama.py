"""How a match felt: who led when, by the searches' own values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ludens.core import BEST_GOAL
from ludens.design.strong_play import StrongMatch

_LEAD = 5.0
"""Points by which a role must be ahead to lead."""
_BEHIND = 15.0
"""Points by which a winner must have been behind for a comeback."""
_SURE = 75.0
"""The value from which on a winner's victory counts as decided."""


@dataclass(frozen=True, slots=True)
class Drama:
    """One match as a story."""

    values: tuple[tuple[float, ...], ...]
    """After each choice, what each role could expect, 0 to 100."""
    turns: tuple[int, ...]
    """The turn of each."""
    lead_changes: int
    deficit: float
    """How many points the winner was behind on average; 0 without a winner."""
    is_comeback: bool
    """Whether the winner was clearly behind once."""
    decided_at: float | None
    """The part of the match, 0 to 1, after which the winner's victory was never in doubt; None without a winner."""


def winner_of(goals: Sequence[int]) -> int | None:
    """The number of the only role with the best result, if there are several roles."""
    best = max(goals)
    return goals.index(best) if len(goals) > 1 and list(goals).count(best) == 1 else None


def scores_of(goals: Sequence[int]) -> list[float]:
    """Each role's share of a point: the whole for the best result, shared if several have it; alone, the goal."""
    if len(goals) == 1:
        return [goals[0] / BEST_GOAL]
    best = max(goals)
    winners = list(goals).count(best)
    return [1 / winners if goal == best else 0.0 for goal in goals]


def drama_of(match: StrongMatch) -> Drama | None:
    """The story of a match that ended; None if no search had a value."""
    if match.goals is None:
        return None
    count = len(match.roles)
    known = [BEST_GOAL / count if count > 1 else 0.0] * count
    values: list[tuple[float, ...]] = []
    turns: list[int] = []
    for choice in match.choices:
        if choice.value is None:
            continue
        number = match.roles.index(choice.role)
        known[number] = choice.value
        if count == 2:
            known[1 - number] = BEST_GOAL - choice.value
        values.append(tuple(known))
        turns.append(choice.turn)
    if not values:
        return None
    winner = winner_of(match.goals)
    leaders = [leader for row in values if (leader := _leader(row)) is not None]
    changes = sum(one != other for one, other in pairwise(leaders))
    deficits = [] if winner is None else [max(0.0, max(row) - row[winner]) for row in values]
    return Drama(
        tuple(values),
        tuple(turns),
        changes if count > 1 else 0,
        sum(deficits) / len(deficits) if deficits else 0.0,
        any(deficit >= _BEHIND for deficit in deficits),
        None if winner is None else _decided_at([row[winner] for row in values]),
    )


def _leader(values: Sequence[float]) -> int | None:
    if len(values) < 2:
        return None
    first, second = sorted(values, reverse=True)[:2]
    return values.index(first) if first - second >= _LEAD else None


def _decided_at(values: Sequence[float]) -> float:
    last = next((n for n in range(len(values), 0, -1) if values[n - 1] < _SURE), 0)
    return last / len(values)
