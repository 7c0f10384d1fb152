"""Estimates with confidence intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

Z = statistics.NormalDist().inv_cdf(0.975)
"""So many standard deviations to each side are 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate, and where the truth lies with 95 % confidence."""

    mean: float
    low: float
    high: float

    def as_json(self) -> dict[str, float]:
        """The three numbers, rounded."""
        return {"mean": round(self.mean, 4), "low": round(self.low, 4), "high": round(self.high, 4)}


def corrected(comparisons: int) -> float:
    """The standard deviations to each side for 95 % confidence in that many comparisons together (Bonferroni)."""
    return statistics.NormalDist().inv_cdf(1 - 0.025 / max(1, comparisons))


def wilson(successes: float, trials: int, z: float = Z) -> Interval:
    """A share of trials with Wilson's score interval; everything is possible if there were none."""
    if trials == 0:
        return Interval(0.0, 0.0, 1.0)
    share = successes / trials
    centre = (share + z**2 / (2 * trials)) / (1 + z**2 / trials)
    half = z / (1 + z**2 / trials) * math.sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2))
    return Interval(share, min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half)))


def mean_interval(values: Sequence[float]) -> Interval:
    """The mean of several measurements, with a normal interval; everything is possible if there were fewer than two."""
    if len(values) < 2:
        return Interval(values[0] if values else 0.0, -math.inf, math.inf)
    mean = statistics.fmean(values)
    half = Z * statistics.stdev(values) / math.sqrt(len(values))
    return Interval(mean, mean - half, mean + half)
