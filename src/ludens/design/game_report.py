"""The report itself: findings, figures, tables and positions, from what an examination has seen."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from ludens.core.interval import Interval
from ludens.design.contests import Contest
from ludens.design.examined import Examined
from ludens.design.findings import Finding, find_all
from ludens.design.measures import Measure, Size, random_measures, size_of, strong_measures
from ludens.design.usage import Usage

_MOST_THINGS = 40


@dataclass(frozen=True, slots=True)
class GameReport:
    """What designers are told about a game."""

    name: str
    seen: Examined
    findings: tuple[Finding, ...]
    """Problems first."""
    measures: tuple[Measure, ...]
    size: Size | None
    seconds: float
    """CPU seconds used."""

    def measure(self, key: str) -> Measure | None:
        """The measure with a key, if there is one."""
        return next((one for one in self.measures if one.key == key), None)

    def as_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        seen = self.seen
        coverage = seen.coverage
        return {
            "game": self.name,
            "roles": list(seen.game.roles),
            "backend": seen.game.backend,
            "cpu_seconds": round(self.seconds, 1),
            "findings": [finding.as_json() for finding in self.findings],
            "measures": [measure.as_json() for measure in self.measures],
            "size": None if self.size is None else _finite(asdict(self.size)),
            "ladder": [_contest_json(contest) for contest in seen.ladder],
            "kinds": [_usage_json(usage) for usage in seen.kinds],
            "things": [_usage_json(usage) for usage in seen.things[:_MOST_THINGS]],
            "restricted": {kind: _contest_json(contest) for kind, contest in seen.restricted.items()},
            "rules": {
                "watched": len(coverage.rules),
                "states": coverage.states,
                "matches": coverage.matches,
                "dead": [rule.text for rule in coverage.dead],
                "lines_never_run": {str(line): text for line, text in coverage.lines.items()},
            },
            "notes": list(seen.notes),
        }


def make_report(seen: Examined, seconds: float) -> GameReport:
    """The report about what was seen so far."""
    measures = [*random_measures(seen.play), *strong_measures(seen.strong, seen.stories)]
    if seen.interaction is not None:
        title = "choices that change another role's options"
        of = "pairs of moves in random play"
        measures.append(Measure("interaction", title, seen.interaction, seen.interaction_sample, of, is_share=True))
    if seen.ladder and len(seen.game.roles) > 1:
        last = max(seen.ladder, key=lambda contest: contest.matches)
        if last.matches:
            title = "points of a search that is twice as long"
            measures.append(Measure("skill", title, last.score, last.matches, "matches", is_share=True, aim=1.0))
    dead = len(seen.coverage.dead)
    if seen.coverage.states:
        exactly = Interval(dead, dead, dead)
        measures.append(
            Measure("dead_rules", "rules that never fired", exactly, seen.coverage.states, "states", aim=0.0)
        )
    return GameReport(seen.game.name, seen, tuple(find_all(seen)), tuple(measures), size_of(seen.play), seconds)


def _contest_json(contest: Contest) -> dict[str, Any]:
    score = _finite(contest.score.as_json())
    return {"title": contest.title, "score": score, "matches": contest.matches, "fair": contest.fair}


def _usage_json(usage: Usage) -> dict[str, Any]:
    share = usage.share.as_json()
    return {"name": usage.name, "available": usage.available, "chosen": usage.chosen, "matches": usage.matches} | {
        "share": share
    }


def _finite(values: dict[str, Any]) -> dict[str, Any]:
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in values.items()
    }
