"""The figures of a report, each with its interval and sample size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludens.core import Role
from ludens.core.interval import Interval, corrected, mean_interval, wilson
from ludens.design.drama import Drama, scores_of, winner_of
from ludens.design.random_play import RandomPlay
from ludens.design.strong_play import StrongMatch

_DRAWN_FROM = 20_000
"""Matches from which the intervals of means are computed at most; more do not make them wider."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure."""

    key: str
    title: str
    interval: Interval
    sample: int
    """How many matches, choices or states it comes from."""
    of: str
    """What these are."""
    is_share: bool = False
    """Shown in per cent."""
    aim: float | None = None
    """The best value; None if no value is better than another."""

    @property
    def text(self) -> str:
        """Estimate and interval in words."""
        low, high = self.interval.low, self.interval.high
        if self.is_share:
            return f"{self.interval.mean:.1%} ({low:.1%} to {high:.1%})"
        if not math.isfinite(low):
            return f"{self.interval.mean:,.4g}"
        return f"{self.interval.mean:,.4g} ({low:,.4g} to {high:,.4g})"

    def as_json(self) -> dict[str, Any]:
        """The measure as JSON values."""
        bounds = {key: value if math.isfinite(value) else None for key, value in self.interval.as_json().items()}
        return {"key": self.key, "title": self.title, **bounds, "sample": self.sample, "of": self.of, "aim": self.aim}


def _mean(key: str, title: str, values: Sequence[float], of: str, aim: float | None = None) -> list[Measure]:
    values = values[:_DRAWN_FROM]
    if not values:
        return []
    return [Measure(key, title, mean_interval(values), len(values), of, aim=aim)]


def _share(key: str, title: str, count: float, total: int, of: str, aim: float | None = None) -> list[Measure]:
    if not total:
        return []
    return [Measure(key, title, wilson(count, total), total, of, is_share=True, aim=aim)]


def random_measures(play: RandomPlay) -> list[Measure]:
    """What random play shows."""
    of = "random matches"
    found = _mean("length", "turns of a random match", play.lengths, of)
    found += _branching(play)
    found += _share("endless", "random matches without an end", play.endless, play.matches, of, 0.0)
    found += _share("stuck", "random matches that get stuck", play.stuck, play.matches, of, 0.0)
    if len(play.roles) > 1:
        draws = sum(winner_of(goals) is None for goals in play.goals)
        found += _share("random_draws", "draws in random play", draws, len(play.goals), of)
        found += _seats("random_seat", "points of {} in random play", play.roles, play.goals, of)
    else:
        found += _mean("random_goal", "goal of random play", [goals[0] for goals in play.goals], of)
    return found


def _branching(play: RandomPlay) -> list[Measure]:
    total = sum(play.choices.values())
    if not total:
        return []
    numbers, times = np.array(list(play.choices)), np.array(list(play.choices.values()))
    mean = float((numbers * times).sum() / total)
    spread = math.sqrt(float((times * (numbers - mean) ** 2).sum() / total) / max(1, play.matches))
    interval = Interval(mean, mean - 1.96 * spread, mean + 1.96 * spread)
    # turns of one match resemble each other, so the number of matches counts, not that of choices
    return [Measure("branching", "moves to choose from", interval, total, "choices in random play")]


def _seats(key: str, title: str, roles: Sequence[Role], goals: Sequence[Sequence[int]], of: str) -> list[Measure]:
    """The points of each seat; the intervals hold together."""
    sums = np.sum([scores_of(row) for row in goals], axis=0) if goals else np.zeros(len(roles))
    z = corrected(len(roles))
    return [
        Measure(
            f"{key}:{role}",
            title.format(role),
            wilson(float(points), len(goals), z),
            len(goals),
            of,
            is_share=True,
            aim=1 / len(roles),
        )
        for role, points in zip(roles, sums, strict=True)
        if goals
    ]


def strong_measures(matches: Sequence[StrongMatch], stories: Sequence[Drama]) -> list[Measure]:
    """What strong play shows."""
    of = "matches of strong play"
    ended = [match for match in matches if match.goals is not None]
    goals = [match.goals for match in ended if match.goals is not None]
    if not matches:
        return []
    roles = matches[0].roles
    found = _mean("strong_length", "turns of a match in strong play", [match.length for match in ended], of)
    unended = sum(match.goals is None and not match.stuck for match in matches)
    found += _share("strong_endless", "matches of strong play without an end", unended, len(matches), of, 0.0)
    if len(roles) == 1:
        return found + _mean("strong_goal", "goal of strong play", [row[0] for row in goals], of, 100.0)
    draws = sum(winner_of(row) is None for row in goals)
    found += _share("draws", "draws in strong play", draws, len(goals), of, 0.0)
    found += _seats("seat", "points of {} in strong play", roles, goals, of)
    found += _mean("lead_changes", "changes of the lead", [story.lead_changes for story in stories], of)
    decided = [story for story in stories if story.decided_at is not None]
    found += _share("comebacks", "comebacks", sum(s.is_comeback for s in decided), len(decided), "decided matches")
    found += _mean("drama", "points the winner was behind, on average", [s.deficit for s in decided], "decided matches")
    early = [story.decided_at for story in decided if story.decided_at is not None]
    found += _mean("decided_at", "part of the match before it is decided", early, "decided matches")
    return found


@dataclass(frozen=True, slots=True)
class Size:
    """How large a game is, as far as play shows."""

    seen: int
    """Different positions in the sample."""
    estimate: float
    """A lower estimate of all positions that random play reaches (Chao's)."""
    tree_log: float
    """The logarithm (base 10) of the number of lines of play (Knuth's estimate); a mean of few large values."""
    is_complete: bool
    """True if every position in the sample occurred more than once: nearly all were seen."""


def size_of(play: RandomPlay) -> Size | None:
    """The size of the game; None without a sample."""
    if not play.hashes:
        return None
    seen = len(play.hashes)
    counts = np.fromiter(play.hashes.values(), np.int64, seen)
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    estimate = seen + (once * once / (2 * twice) if twice else once * (once - 1) / 2)
    logs = np.array(play.tree_logs or [0.0])
    top = float(logs.max())
    tree = top + math.log10(float(np.mean(10.0 ** (logs - top))))
    return Size(seen, estimate, tree, once == 0)
