"""The plan of a gauntlet: the candidate, its opponents, games, clocks and the number of matches."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from ludens.arena.plan import GameEntry, PlanError, PlanReader, parse_mapping, read_text
from ludens.arena.results.sprt import Sprt
from ludens.core import LudensError

_MOST_MATCHES = 10_000
_LONGEST_OPENING = 100


class Time(StrEnum):
    """What clocks count."""

    WALL = "wall"
    """Seconds; both sides have the same."""
    CPU = "cpu"
    """CPU seconds of a side's process, so that other programs do not matter. Of programs of others UCI programs have
    the same number of seconds, and GTP programs no clock."""


@dataclass(frozen=True, slots=True)
class GauntletPlan:
    """A whole gauntlet."""

    candidate: str
    """The player that is measured."""
    opponents: tuple[str, ...]
    games: tuple[GameEntry, ...]
    matches: int = 10
    """Matches for each opponent and game, an even number: each opening is played from both seats."""
    time: Time = Time.WALL
    odds: float = 1.0
    """How much more time for a move the candidate has than its opponents."""
    opening: int = 0
    """Random joint moves at the beginning of each match, so that matches differ."""
    seed: int = 0
    low: float = 0.0
    high: float | None = None
    """With the sequential test: it stops the matches against an opponent once ``high`` Elo points rather than ``low``
    are likely, or the reverse. None: all matches are played."""
    repository: str = "."
    """The repository that checkouts are taken from."""

    def as_data(self) -> dict[str, Any]:
        """The plan as plain values, for the results file."""
        data: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return data

    def test(self, opponent: str) -> Sprt | None:
        """The sequential test against an opponent, if there is one."""
        return None if self.high is None else Sprt(self.candidate, opponent, self.low, self.high)


def read_gauntlet(path: Path) -> GauntletPlan:
    """The gauntlet that a file of YAML describes. Raises `PlanError` with what is wrong and where."""
    return parse_gauntlet(read_text(path))


def parse_gauntlet(text: str) -> GauntletPlan:
    """The gauntlet that a text describes. Raises `PlanError`."""
    return _Reader(parse_mapping(text, "'candidate', 'opponents' and 'games'")).gauntlet()


class _Reader(PlanReader):
    """Reads the mapping of a gauntlet."""

    def __init__(self, data: Mapping[Any, Any]) -> None:
        super().__init__(data)
        self._all = data

    def gauntlet(self) -> GauntletPlan:
        own = {field.name for field in fields(GauntletPlan)} - {"low", "high"}
        self.check_keys(self._all, own | {"clock", "start_clock", "sprt"}, "the gauntlet")
        matches = self.count("matches", 10, 2)
        if matches % 2 or matches > _MOST_MATCHES:
            raise PlanError(f"'matches' must be an even number up to {_MOST_MATCHES:,}, not {matches}")
        opening = self.count("opening", 0, 0)
        if opening > _LONGEST_OPENING:
            raise PlanError(f"'opening' may be {_LONGEST_OPENING} joint moves at most, not {opening}")
        low, high = self._limits()
        return GauntletPlan(
            candidate=self.text(self._all, "candidate", ""),
            opponents=self._opponents(),
            games=self.games(
                self.number(self._all, "clock", 1.0, 0.01), self.number(self._all, "start_clock", 10.0, 0.0)
            ),
            matches=matches,
            time=self._time(),
            odds=self.number(self._all, "odds", 1.0, 0.01),
            opening=opening,
            seed=self.count("seed", 0, 0),
            low=low,
            high=high,
            repository=self.text(self._all, "repository", "."),
        )

    def _opponents(self) -> tuple[str, ...]:
        found = tuple(self.items("opponents"))
        for item in found:
            if not isinstance(item, str):
                raise PlanError("an opponent is a text: a player, checkout:REVISION, a URL, gtp:COMMAND or uci:COMMAND")
        if len(set(found)) < len(found):
            raise PlanError("an opponent is named twice")
        return found

    def _time(self) -> Time:
        text = self.text(self._all, "time", Time.WALL)
        if text not in list(Time):
            raise PlanError(f"'time' is {' or '.join(Time)}, not {text!r}")
        return Time(text)

    def _limits(self) -> tuple[float, float | None]:
        data = self._all.get("sprt")
        if data is None:
            return 0.0, None
        if not isinstance(data, dict):
            raise PlanError("'sprt' is a mapping with 'low' and 'high' in points of Elo")
        self.check_keys(data, {"low", "high"}, "'sprt'")
        low, high = (self.number(data, key, default, -10_000.0) for key, default in (("low", 0.0), ("high", 30.0)))
        try:
            Sprt("a", "b", low, high)
        except LudensError as error:
            raise PlanError(f"'sprt' is invalid: {error}") from None
        return low, high
