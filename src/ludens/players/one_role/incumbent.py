"""The best way to play that the searches have found together, and what is proved about it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from ludens.core import Move


@dataclass(slots=True)
class Incumbent:
    """The best line from a position to an end of the match."""

    best_goal: int
    """No line is worth more."""
    goal: int = -1
    """What the line is worth; -1 as long as there is none."""
    line: tuple[Move, ...] = ()
    """All moves to the end of the match."""
    source: str = ""
    """The search that found it."""
    seconds: float = 0.0
    """When the goal was found, from the beginning of the search."""
    goal_proved: bool = False
    """No line is worth more than this one."""
    length_proved: bool = False
    """No line that is worth as much takes fewer moves."""
    began: float = field(default_factory=time.monotonic)

    def offer(self, goal: int, line: Sequence[Move], source: str) -> None:
        """Take a line if it is worth more than what there is, or as much in fewer moves."""
        if goal < self.goal or (goal == self.goal and len(line) >= len(self.line)):
            return
        if goal > self.goal:
            self.seconds = time.monotonic() - self.began
        self.goal, self.line, self.source = goal, tuple(line), source
        self.goal_proved = self.goal_proved or goal >= self.best_goal
