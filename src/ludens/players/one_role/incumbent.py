"""The best line found by all searches, and what is proved about it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from ludens.core import Move


@dataclass(slots=True)
class Incumbent:
    """The best line from a position to an end of the match."""

    best_goal: int
    """The highest possible goal."""
    goal: int = -1
    """The goal of the line; -1 while there is none."""
    line: tuple[Move, ...] = ()
    """All moves to the end of the match."""
    source: str = ""
    """The search that found it."""
    seconds: float = 0.0
    """Seconds from the beginning of the search until the goal was found."""
    goal_proved: bool = False
    """True if no line has a higher goal."""
    length_proved: bool = False
    """True if no line with this goal has fewer moves."""
    began: float = field(default_factory=time.monotonic)

    def offer(self, goal: int, line: Sequence[Move], source: str) -> None:
        """Accept a line if its goal is higher, or equal with fewer moves."""
        if goal < self.goal or (goal == self.goal and len(line) >= len(self.line)):
            return
        if goal > self.goal:
            self.seconds = time.monotonic() - self.began
        self.goal, self.line, self.source = goal, tuple(line), source
        self.goal_proved = self.goal_proved or goal >= self.best_goal
