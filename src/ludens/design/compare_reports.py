"""What a change of rules did: the figures of two reports side by side, with intervals of their differences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ludens.core.interval import Interval
from ludens.design.findings import Finding
from ludens.design.game_report import GameReport
from ludens.design.measures import Measure


class Verdict(StrEnum):
    """What a change did to a figure."""

    BETTER = "better"
    WORSE = "worse"
    CHANGED = "changed"
    """It is another, and no value is better than another."""
    UNCLEAR = "unclear"
    """The interval of the difference contains 0."""


@dataclass(frozen=True, slots=True)
class Change:
    """One figure before and after."""

    before: Measure
    after: Measure
    difference: Interval
    verdict: Verdict

    def as_json(self) -> dict[str, Any]:
        """The change as JSON values."""
        bounds = {key: value if math.isfinite(value) else None for key, value in self.difference.as_json().items()}
        return {
            "key": self.before.key,
            "title": self.before.title,
            "before": self.before.as_json(),
            "after": self.after.as_json(),
            "difference": bounds,
            "verdict": str(self.verdict),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two reports."""

    before: GameReport
    after: GameReport
    changes: tuple[Change, ...]
    gone: tuple[Finding, ...]
    """Findings that only the first report has."""
    new: tuple[Finding, ...]
    """Findings that only the second has."""

    def as_json(self) -> dict[str, Any]:
        """The comparison as JSON values."""
        return {
            "games": [self.before.name, self.after.name],
            "changes": [change.as_json() for change in self.changes],
            "gone": [finding.as_json() for finding in self.gone],
            "new": [finding.as_json() for finding in self.new],
        }


def compare_reports(before: GameReport, after: GameReport) -> Comparison:
    """Compare all figures that both reports have."""
    changes = tuple(
        _change(one, other) for one in before.measures if (other := _counterpart(one, before, after)) is not None
    )

    def names(report: GameReport) -> set[tuple[str, str, str]]:
        return {(finding.code, finding.level, finding.subject) for finding in report.findings}

    old, new = names(before), names(after)
    return Comparison(
        before,
        after,
        changes,
        tuple(one for one in before.findings if (one.code, one.level, one.subject) not in new),
        tuple(one for one in after.findings if (one.code, one.level, one.subject) not in old),
    )


def _counterpart(measure: Measure, before: GameReport, after: GameReport) -> Measure | None:
    """The same figure in the other report; seats correspond by their order if their names differ."""
    found = after.measure(measure.key)
    kind, _, role = measure.key.partition(":")
    roles, others = before.seen.game.roles, after.seen.game.roles
    if found is None and role in roles and len(roles) == len(others):
        return after.measure(f"{kind}:{others[roles.index(role)]}")
    return found


def _change(before: Measure, after: Measure) -> Change:
    """The difference, with an interval made of those of both sides (Newcombe's for shares)."""
    one, other = before.interval, after.interval
    mean = other.mean - one.mean
    low = mean - math.hypot(other.mean - other.low, one.high - one.mean)
    high = mean + math.hypot(other.high - other.mean, one.mean - one.low)
    difference = Interval(mean, low, high)
    return Change(before, after, difference, _verdict(before, after, difference))


def _verdict(before: Measure, after: Measure, difference: Interval) -> Verdict:
    if difference.low <= 0 <= difference.high:
        return Verdict.UNCLEAR
    if before.aim is None or after.aim is None:
        return Verdict.CHANGED
    was, now = abs(before.interval.mean - before.aim), abs(after.interval.mean - after.aim)
    if was == now:
        return Verdict.CHANGED
    return Verdict.BETTER if now < was else Verdict.WORSE


def lines_of(comparison: Comparison) -> Iterator[tuple[str, str, str, str, str]]:
    """Title, before, after, difference and verdict of each figure, as text."""
    for change in comparison.changes:
        difference = change.difference
        if change.before.is_share:
            text = f"{difference.mean:+.1%} ({difference.low:+.1%} to {difference.high:+.1%})"
        else:
            text = f"{difference.mean:+,.3g}"
            if math.isfinite(difference.low):
                text += f" ({difference.low:+,.3g} to {difference.high:+,.3g})"
        yield change.before.title, change.before.text, change.after.text, text, str(change.verdict)
