"""Results of several matches: scores and goals of each player, with 95 % confidence intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ludens.core import BEST_GOAL, Role
from ludens.core.interval import Interval, Z, wilson

_HIGHEST = float(BEST_GOAL)
_T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""The 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom."""


def mean_goal(goals: Sequence[float]) -> Interval:
    """The mean of goals with Student's interval; the interval is 0 to 100 for fewer than two."""
    if len(goals) < 2:
        return Interval(goals[0] if goals else 0.0, 0.0, _HIGHEST)
    freedom = len(goals) - 1
    quantile = _T[freedom - 1] if freedom <= len(_T) else Z + 2.4 / freedom
    mean = statistics.fmean(goals)
    half = quantile * statistics.stdev(goals) / math.sqrt(len(goals))
    return Interval(mean, max(0.0, mean - half), min(_HIGHEST, mean + half))


@dataclass(slots=True)
class Tally:
    """The results of one player."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    errors: int = 0
    goals: list[int] = field(default_factory=list)

    @property
    def games(self) -> int:
        """Matches played."""
        return len(self.goals)

    @property
    def win_rate(self) -> Interval:
        """The share of matches won."""
        return wilson(self.wins, self.games)

    @property
    def score(self) -> Interval:
        """The share of matches won, a draw counting half."""
        return wilson(self.wins + self.draws / 2, self.games)

    @property
    def goal(self) -> Interval:
        """The mean goal."""
        return mean_goal(self.goals)

    def add(self, goal: int, others: Iterable[int], errors: int) -> None:
        """Add a match: won with the highest goal of all, or, alone, with a goal of 100."""
        best = max(others, default=99.5)
        self.wins += goal > best
        self.draws += goal == best
        self.losses += goal < best
        self.errors += errors
        self.goals.append(goal)

    def as_json(self) -> dict[str, object]:
        """Counts and intervals."""
        return {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "win_rate": self.win_rate.as_json(),
            "score": self.score.as_json(),
            "goal": self.goal.as_json(),
            "errors": self.errors,
        }


class Summary:
    """Matches between the same players, who may change roles from match to match."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._tallies = {label: Tally() for label in labels}
        self._by_role: dict[str, dict[Role, Tally]] = {label: {} for label in labels}
        self.games = 0
        """Matches added."""

    def add(self, seats: Mapping[Role, str], goals: Mapping[Role, int], errors: Mapping[Role, int]) -> None:
        """Add a match; ``seats`` are the labels of the players by role."""
        self.games += 1
        for role, label in seats.items():
            others = [goal for other, goal in goals.items() if other != role]
            for tally in (self._tallies[label], self._by_role[label].setdefault(role, Tally())):
                tally.add(goals[role], others, errors[role])

    def tallies(self) -> Mapping[str, Tally]:
        """Each player's results, by label."""
        return self._tallies

    def as_json(self) -> list[dict[str, object]]:
        """Each player's results, over all and by role."""
        return [
            {"player": label, **tally.as_json(), "by_role": {r: t.as_json() for r, t in self._by_role[label].items()}}
            for label, tally in self._tallies.items()
        ]


def seats_of(roles: Sequence[Role], labels: Sequence[str], match: int, swap: bool) -> dict[Role, str]:
    """Who plays which role in the match with this number, from 0; with ``swap``, all move on by one role each time."""
    turn = match if swap else 0
    return {roles[(seat + turn) % len(roles)]: label for seat, label in enumerate(labels)}


def labels_of(names: Sequence[str]) -> list[str]:
    """Unique labels: ``flat #1`` and ``flat #2`` for equal names."""
    return [name if names.count(name) == 1 else f"{name} #{number}" for number, name in enumerate(names, start=1)]
