"""Time in a match: time limits of players, and the deadline of a move."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass

from ludens.core.errors import PlayerError


@dataclass(frozen=True, slots=True)
class Clock:
    """How long a player may think."""

    play: float = 1.0
    """Seconds for each move; infinite for a player without a clock."""
    start: float = 10.0
    """Seconds before the first move; infinite for a player without a clock."""

    def __post_init__(self) -> None:
        if not (self.play > 0 and self.start >= 0):
            raise PlayerError(
                f"a clock needs more than 0 seconds a move, not {self.play:g} ({self.start:g} at the start)"
            )


NO_CLOCK = Clock(math.inf, math.inf)
"""For people: no time limit."""


class Deadline:
    """The deadline of an answer, and the signal to stop at once.

    ``remaining`` keeps a margin in hand, so a player that returns as soon as nothing remains is in time.
    """

    def __init__(self, seconds: float, margin: float = 0.0) -> None:
        self._target = time.monotonic() + seconds - margin
        self._cancelled = threading.Event()

    def remaining(self) -> float:
        """Seconds left to think, never positive once cancelled; negative once it is too late."""
        left = self._target - time.monotonic()
        return min(left, 0.0) if self._cancelled.is_set() else left

    def cancel(self) -> None:
        """Signal the player to stop now: its answer is no longer needed, or needed at once."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """True once `cancel` was called."""
        return self._cancelled.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep for some seconds, or until cancelled or due; returns True if there is still time to think."""
        self._cancelled.wait(max(0.0, min(seconds, self.remaining(), threading.TIMEOUT_MAX)))
        return self.remaining() > 0
