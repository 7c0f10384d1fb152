"""Time in a match: time limits of players, and the deadline of a move."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ludens.core.errors import OutOfTimeError, PlayerError


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


class _Thread(threading.local):
    deadline: Deadline | None = None


_thread = _Thread()


class Deadline:
    """The deadline of an answer, and the signal to stop at once.

    ``remaining`` keeps a margin in hand, so a player that returns as soon as nothing remains is in time.
    """

    LATENESS = 0.05
    """Seconds after which an enforced deadline interrupts: time for players to see by themselves that it is over."""

    def __init__(self, seconds: float, margin: float = 0.0) -> None:
        self._target = time.monotonic() + seconds - margin
        self._cancelled = threading.Event()

    def remaining(self) -> float:
        """Seconds left to think, never positive once cancelled; negative once it is too late."""
        return self._target - time.monotonic()

    def cancel(self) -> None:
        """Signal the player to stop now: its answer is no longer needed, or needed at once."""
        self._target = min(self._target, time.monotonic())
        self._cancelled.set()

    @property
    def is_overdue(self) -> bool:
        """True if even a long computation has to be given up now."""
        return self.remaining() < -self.LATENESS

    @contextmanager
    def enforced(self) -> Iterator[None]:
        """Meanwhile, a query that takes this thread longer than the deadline allows raises `OutOfTimeError`.

        Interpreted rules may need seconds for one state, and players only look at the clock between two of them.
        """
        outer, _thread.deadline = _thread.deadline, self
        try:
            yield
        finally:
            _thread.deadline = outer

    @staticmethod
    def of_thread() -> Deadline | None:
        """The deadline that is enforced in this thread."""
        return _thread.deadline

    @staticmethod
    def share(part: float) -> Deadline:
        """A deadline after a part of the time that this thread has left; infinite if it has no deadline."""
        deadline = _thread.deadline
        return Deadline(math.inf if deadline is None else part * max(0.0, deadline.remaining()))

    @staticmethod
    def check_thread() -> None:
        """Raise `OutOfTimeError` if the deadline that is enforced in this thread is over."""
        deadline = _thread.deadline
        if deadline is not None and deadline.remaining() <= 0:
            raise OutOfTimeError("the time for this computation is over")

    @property
    def cancelled(self) -> bool:
        """True once `cancel` was called."""
        return self._cancelled.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep for some seconds, or until cancelled or due; returns True if there is still time to think."""
        self._cancelled.wait(max(0.0, min(seconds, self.remaining(), threading.TIMEOUT_MAX)))
        return self.remaining() > 0


class CpuDeadline(Deadline):
    """A deadline in CPU seconds of this process, so that a busy machine does not change what is found."""

    def __init__(self, seconds: float, longest: float = math.inf) -> None:
        """Ends after some CPU seconds; on a machine that has no time for them, after the ``longest`` wait."""
        super().__init__(longest)
        self._due = time.process_time() + seconds

    def remaining(self) -> float:
        """CPU seconds left; negative once it is too late, and once cancelled."""
        return -1.0 if self.cancelled else min(super().remaining(), self._due - time.process_time())
