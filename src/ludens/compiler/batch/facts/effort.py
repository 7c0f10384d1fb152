"""How much may be spent on a question whose answer may stay open."""

from __future__ import annotations

import time

PATIENCE = 5.0
"""How many times longer than its processor time something may take on a busy machine."""


class Effort:
    """So many seconds of processor time from now on, so that a busy machine finds as much as an idle one.

    All threads of the process count, since the solver has one of its own.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.process_time() + seconds
        self._latest = time.monotonic() + PATIENCE * seconds

    @property
    def is_spent(self) -> bool:
        """True if there is nothing left."""
        return time.process_time() > self._end or time.monotonic() > self._latest
