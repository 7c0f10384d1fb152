"""Scoring of Bridge contracts: duplicate scores, and international match points for differences."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

STRAINS = ("C", "D", "H", "S", "NT")
"""Trump suits from the lowest, and no trumps."""
IMPS = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000,
    3500, 4000,
)  # fmt: skip
"""Differences from which one more match point is scored."""
MOST_IMPS = len(IMPS)


@dataclass(frozen=True, slots=True)
class Contract:
    """Declarer's contract."""

    level: int
    """Tricks above six."""
    strain: str
    """One of `STRAINS`."""
    doubled: int = 1
    """1, 2 if it is doubled, 4 if it is redoubled."""

    def score(self, tricks: int, vulnerable: bool) -> int:
        """The score of declarer's side for a number of tricks taken."""
        over = tricks - 6 - self.level
        if over < 0:
            return -self._penalty(-over, vulnerable)
        each = 20 if self.strain in "CD" else 30
        bid = (each * self.level + (10 if self.strain == "NT" else 0)) * self.doubled
        score = bid + (50 if bid < 100 else 500 if vulnerable else 300)
        if self.level >= 6:
            slam = 500 if self.level == 6 else 1000
            score += slam * 3 // 2 if vulnerable else slam
        if self.doubled > 1:
            score += 25 * self.doubled
            each = 50 * self.doubled * (2 if vulnerable else 1)
        return score + each * over

    def _penalty(self, under: int, vulnerable: bool) -> int:
        if self.doubled == 1:
            return under * (100 if vulnerable else 50)
        doubled = 300 * under - 100 if vulnerable else 200 * under - 100 + 100 * max(under - 3, 0)
        return doubled * self.doubled // 2


def match_points(difference: int) -> int:
    """International match points for a difference of points, of the same sign."""
    points = bisect_right(IMPS, abs(difference))
    return points if difference > 0 else -points
