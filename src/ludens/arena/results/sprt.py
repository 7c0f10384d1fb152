"""The sequential probability ratio test: play until one of two hypotheses about two players is likely enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ludens.core import LudensError

_PRIOR, _WIDEST = 4, 0.25
"""The number of virtual results of maximal variance (a prior), so that a few equal ones prove nothing."""


class Verdict(StrEnum):
    """The state of the test."""

    STRONGER = "stronger"
    """The first player is stronger by the larger difference."""
    NOT_STRONGER = "not stronger"
    """The first player is stronger by at most the smaller difference."""
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Sprt:
    """Tests whether the first player is better than the second by ``high`` Elo points rather than by ``low``."""

    first: str
    second: str
    low: float = 0.0
    high: float = 30.0
    alpha: float = 0.05
    """The probability of wrongly reporting *stronger*."""
    beta: float = 0.05
    """The probability of wrongly reporting *not stronger*."""

    def __post_init__(self) -> None:
        if not (self.low < self.high and 0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise LudensError("sprt needs low < high in points of Elo, and alpha and beta between 0 and 0.5")
        if self.first == self.second:
            raise LudensError(f"sprt compares two players, not {self.first!r} with itself")

    def ratio(self, scores: Sequence[float]) -> float:
        """The log-likelihood ratio after duels with these scores of the first (1, 0.5 or 0 each).

        Scores are assumed to be normally distributed around Elo's expectation, with their empirical variance.
        """
        count = len(scores)
        if count < 2:
            return 0.0
        mean = sum(scores) / count
        variance = (sum((score - mean) ** 2 for score in scores) + _PRIOR * _WIDEST) / (count + _PRIOR)
        low, high = expected_score(self.low), expected_score(self.high)
        return count * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, scores: Sequence[float]) -> Verdict:
        """The verdict after these duels."""
        ratio = self.ratio(scores)
        if ratio >= math.log((1 - self.beta) / self.alpha):
            return Verdict.STRONGER
        if ratio <= math.log(self.beta / (1 - self.alpha)):
            return Verdict.NOT_STRONGER
        return Verdict.UNDECIDED


def expected_score(elo: float) -> float:
    """The expected score of a player who is ``elo`` points stronger."""
    return 1 / (1 + 10 ** (-elo / 400))
