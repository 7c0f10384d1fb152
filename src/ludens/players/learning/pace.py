"""The schedule of learning: steps until time is up, and now and then a gate, where the new plays the old."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple


class Spent(NamedTuple):
    """Time that something took."""

    minutes: float
    cpu_seconds: float


class Pace:
    """Decides whether there is time for another step and when a gate is due, so that gates get their share of time."""

    def __init__(self, seconds: float, steps: int | None, gate_share: float) -> None:
        """Learn for ``seconds``, or ``steps`` if that is earlier; ends with a gate."""
        self._seconds, self._steps = seconds, steps
        self._pause = 1 / gate_share - 1
        """The time for steps between two gates, as a multiple of a gate's time."""
        self._began = self._gated = time.monotonic()
        self._gate_seconds = 0.0
        self._made = 0
        self.is_over = False
        """True once the last step is done."""
        self._mark()

    @property
    def share(self) -> float:
        """The share of the time that has passed, 0 to 1."""
        return min(1.0, (time.monotonic() - self._began) / self._seconds)

    def begins_step(self) -> bool:
        """True if there is time for another step, which begins now."""
        self._mark()
        return not self.is_over

    def wants_gate(self) -> bool:
        """Call after each step: True if it was the last, or gates have had less than their share of time."""
        self._made += 1
        now = time.monotonic()
        self.is_over = now - self._began + self._gate_seconds >= self._seconds or self._made == self._steps
        return self.is_over or now - self._gated > self._gate_seconds * self._pause

    @contextmanager
    def gate(self) -> Iterator[None]:
        """Context manager that times a gate."""
        began = time.monotonic()
        yield
        self._gated = time.monotonic()
        self._gate_seconds = self._gated - began

    def spent(self) -> Spent:
        """The time since the last call, or since the step began."""
        wall, cpu = self._wall, self._cpu
        self._mark()
        return Spent((self._wall - wall) / 60, self._cpu - cpu)

    def _mark(self) -> None:
        self._wall, self._cpu = time.monotonic(), time.process_time()
