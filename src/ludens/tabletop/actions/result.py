"""The end of a play, and the goals of each player."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ludens.core import BEST_GOAL
from ludens.tabletop.actions.basic import Action
from ludens.tabletop.actions.wording import value_word, word, words
from ludens.tabletop.errors import RuleError
from ludens.tabletop.table import RESULT, Table


class FinishPlay(Action):
    """The play is over: with winners, losers, a draw, ranks (best first) or points.

    Goals follow from the first of these that is given: winners, draw, ranks, losers, points. The ``reason`` is for
    people: ``Black has five in a row``.
    """

    __slots__ = ("draw", "losers", "points", "ranks", "reason", "winners")

    def __init__(
        self,
        winners: Iterable[str] = (),
        losers: Iterable[str] = (),
        *,
        draw: bool = False,
        ranks: Iterable[str | Iterable[str]] = (),
        points: Mapping[str, float] | None = None,
        reason: str = "",
    ) -> None:
        super().__init__()
        self.reason = reason
        self.winners = (winners,) if isinstance(winners, str) else tuple(winners)
        self.losers = (losers,) if isinstance(losers, str) else tuple(losers)
        self.draw = draw
        self.ranks = tuple((rank,) if isinstance(rank, str) else tuple(rank) for rank in ranks)
        self.points = None if points is None else dict(points)
        if not (self.winners or self.losers or draw or self.ranks or self.points is not None):
            raise RuleError("FinishPlay needs winners, losers, draw=True, ranks or points")

    def do(self, table: Table) -> None:
        """End the play."""
        table.write(table.play_state, RESULT, PlayResult.of(self, table.players))

    def describe(self) -> str:
        """``finish winners Cross``."""
        parts = ["finish"]
        if self.winners:
            parts.append(f"winners {words(self.winners)}")
        if self.losers:
            parts.append(f"losers {words(self.losers)}")
        if self.draw:
            parts.append("draw")
        if self.ranks:
            parts.append("ranks " + " | ".join(words(rank) for rank in self.ranks))
        if self.points is not None:
            parts.append(
                "points " + " ".join(f"{word(name)} {value_word(points)}" for name, points in self.points.items())
            )
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class PlayResult:
    """The end of a play; one entry for each player, in order."""

    goals: tuple[int, ...] | None
    """0 to 100; None if they follow from the points, which the rule maps to goals."""
    points: tuple[float, ...] | None
    """The raw score, if the rule gave one."""
    reason: str = ""
    """Why it is over, for people, if the rule said so."""

    @classmethod
    def of(cls, finish: FinishPlay, players: Sequence[str]) -> PlayResult:
        """The result of an action. Raises `RuleError` if it names somebody who does not play."""
        points = finish.points or {}
        for name in (*finish.winners, *finish.losers, *points, *(name for rank in finish.ranks for name in rank)):
            if name not in players:
                raise RuleError(f"FinishPlay names {name!r}, who is no player ({', '.join(players)})")
        missing = [name for name in players if name not in points]
        if finish.points is not None and missing:
            raise RuleError(f"FinishPlay(points=…) has no points for {missing[0]}")
        goals = _goals(finish, players)
        own = tuple(points[name] for name in players) if finish.points is not None else None
        return cls(goals, own, finish.reason)


def _goals(finish: FinishPlay, players: Sequence[str]) -> tuple[int, ...] | None:
    if finish.winners:
        return tuple(BEST_GOAL if name in finish.winners else 0 for name in players)
    if finish.draw:
        return (BEST_GOAL // len(players) if len(players) > 1 else BEST_GOAL // 2,) * len(players)
    if finish.ranks:
        return goals_by_rank({name: -rank for rank, names in enumerate(finish.ranks) for name in names}, players)
    if finish.losers:
        return tuple(0 if name in finish.losers else BEST_GOAL for name in players)
    return None


def goals_by_rank(points: Mapping[str, float], players: Sequence[str]) -> tuple[int, ...]:
    """Goals from who has more than whom: 100 for more than all others, 0 for less, ties half each."""
    others = len(players) - 1
    if not others:
        return (BEST_GOAL if points.get(players[0], 0) > 0 else 0,)
    found = []
    lowest = min(points.values(), default=0) - 1
    for name in players:
        own = points.get(name, lowest)
        rest = [points.get(other, lowest) for other in players if other != name]
        beaten = sum(1.0 if own > other else 0.5 if own == other else 0.0 for other in rest)
        found.append(round(BEST_GOAL * beaten / others))
    return tuple(found)


def expected_goals(numbers: Sequence[float]) -> tuple[float, ...]:
    """Expected goals from evaluations: their softmax, times 100."""
    most = max(numbers)
    powers = [math.exp(number - most) for number in numbers]
    return tuple(BEST_GOAL * power / sum(powers) for power in powers)


def goals_in_range(points: Sequence[float], low: float, high: float) -> tuple[int, ...]:
    """Goals in proportion to points between a lowest and a highest number."""
    return tuple(round(BEST_GOAL * min(max((own - low) / (high - low), 0.0), 1.0)) for own in points)
