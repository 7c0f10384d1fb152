"""Results of a gauntlet: matches, scores with intervals by game and overall, comparison with earlier results."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from ludens.arena.gauntlet.plan import GauntletPlan
from ludens.arena.ratings import ELO
from ludens.core import LudensError
from ludens.core.files import write_file

_Z = statistics.NormalDist().inv_cdf(0.975)
_PRIOR = 2.0
"""Wins and losses each that count as seen beforehand, so that a few equal results prove nothing (Agresti and Coull)."""
_FORM = "ludens gauntlet 1"


@dataclass(frozen=True, slots=True)
class GauntletMatch:
    """One match of the candidate."""

    opponent: str
    game: str
    number: int
    """Its number among those with this opponent and game; even ones have the candidate in the first seat."""
    score: float
    """The candidate's: 1, 0.5 or 0."""
    goals: tuple[int, int]
    """The candidate's, then the opponent's."""
    errors: tuple[int, int]
    """How often each was late, crashed or made an illegal move."""
    cpu_seconds: tuple[float, float]
    """What each used; 0 for programs of others."""
    longest: tuple[float, float]
    """CPU seconds of each side's longest move."""
    turns: int
    seconds: float

    @property
    def key(self) -> tuple[str, str, int]:
        """What identifies the match in its gauntlet."""
        return self.opponent, self.game, self.number


@dataclass(frozen=True, slots=True)
class Score:
    """The candidate's score in some matches, with its 95 % interval."""

    matches: int
    points: float
    wins: int
    draws: int
    low: float
    """The lower end of the interval of the share of points."""
    high: float

    @property
    def share(self) -> float:
        """The share of the points; a half without matches."""
        return self.points / self.matches if self.matches else 0.5

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference in Elo points and its interval, from shares with the prior."""
        middle = (self.points + _PRIOR) / (self.matches + 2 * _PRIOR)
        return _elo(middle), _elo(self.low), _elo(self.high)

    @property
    def verdict(self) -> str:
        """Whether the candidate is stronger than its opponents."""
        return "stronger" if self.low > 0.5 else "weaker" if self.high < 0.5 else "unclear"


class Change(StrEnum):
    """How results differ from earlier ones."""

    BETTER = "better"
    WORSE = "worse"
    UNCLEAR = "unclear"


def score_of(matches: Iterable[GauntletMatch]) -> Score:
    """The candidate's score in some matches."""
    scores = [match.score for match in matches]
    middle, deviation = _estimate(scores)
    low, high = max(0.001, middle - _Z * deviation), min(0.999, middle + _Z * deviation)
    return Score(len(scores), sum(scores), scores.count(1.0), scores.count(0.5), low, high)


def by_game(matches: Iterable[GauntletMatch]) -> dict[str, list[GauntletMatch]]:
    """The matches of each game, in the order in which games appear."""
    found: dict[str, list[GauntletMatch]] = {}
    for match in matches:
        found.setdefault(match.game, []).append(match)
    return found


def compare(new: Sequence[GauntletMatch], old: Sequence[GauntletMatch]) -> Change:
    """Whether the candidate scores better, worse, or it is unclear (95 %)."""
    (first, error), (second, other) = (_estimate([match.score for match in part]) for part in (new, old))
    difference, width = first - second, _Z * math.hypot(error, other)
    return Change.BETTER if difference > width else Change.WORSE if -difference > width else Change.UNCLEAR


def _estimate(scores: Sequence[float]) -> tuple[float, float]:
    """The mean with the prior, and its standard error."""
    count = len(scores) + 2 * _PRIOR
    mean = (sum(scores) + _PRIOR) / count
    squares = sum((score - mean) ** 2 for score in scores) + _PRIOR * ((1 - mean) ** 2 + mean**2)
    return mean, math.sqrt(squares / count / count)


def _elo(share: float) -> float:
    return ELO * math.log(share / (1 - share))


class ResultsFile:
    """The results on disk, as one JSON document; written after each match."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, plan: GauntletPlan, machine: Mapping[str, Any], matches: Sequence[GauntletMatch]) -> None:
        """Replace the file."""
        data = {"form": _FORM, "plan": plan.as_data(), "machine": machine, "matches": [asdict(m) for m in matches]}
        write_file(self.path, json.dumps(data, indent=1) + "\n")

    def read(self) -> tuple[dict[str, Any], list[GauntletMatch]]:
        """The plan as plain values, and the matches. Raises `LudensError`."""
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            if data["form"] != _FORM:
                raise ValueError(f"its form is {data['form']!r}")
            pairs = ("goals", "errors", "cpu_seconds", "longest")
            matches = [GauntletMatch(**item | {key: tuple(item[key]) for key in pairs}) for item in data["matches"]]
            return data["plan"], matches
        except OSError as error:
            raise LudensError(f"cannot read {self.path}: {error.strerror or error}") from None
        except (ValueError, TypeError, KeyError) as error:
            raise LudensError(f"{self.path} has no results of a gauntlet: {error}") from None

    def resume(self, plan: GauntletPlan) -> list[GauntletMatch]:
        """The matches that were played by the same plan; none without a file. Raises `LudensError` for another plan."""
        if not self.path.exists():
            return []
        earlier, matches = self.read()
        if earlier != plan.as_data():
            raise LudensError(f"{self.path} has results of another plan; name another file with --output")
        return matches
