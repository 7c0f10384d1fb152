"""The margin that players keep before their deadline: measured on this machine, in this process, and while it plays."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from functools import cache

_WAITS = 40
_WAIT = 0.001
"""Seconds of each wait whose overrun is measured."""
_MEMORY = 0.99
"""What is left of a lesson after each move: half of it after about 70."""


@dataclass(frozen=True, slots=True)
class Latency:
    """How late threads of this process wake up, at worst, in seconds."""

    alone: float
    """While no other thread computes."""
    contended: float
    """While another thread runs Python code and holds the interpreter lock as often as it can."""


@cache
def measured_latency() -> Latency:
    """The latency of this process; the first call takes a few tenths of a second to measure it."""
    alone = _worst_overrun()
    done = threading.Event()
    threading.Thread(target=_compute, args=(done,), daemon=True).start()
    try:
        return Latency(alone, max(alone, _worst_overrun()))
    finally:
        done.set()


def _worst_overrun() -> float:
    never = threading.Event()
    worst = 0.0
    for _ in range(_WAITS):
        began = time.monotonic()
        never.wait(_WAIT)
        worst = max(worst, time.monotonic() - began - _WAIT)
    return worst


def _compute(done: threading.Event) -> None:
    while not done.is_set():
        sum(range(100))


class Margin:
    """The margin of one player: the process's latency, and more once the player has overrun its deadline."""

    def __init__(self, clock_seconds: float) -> None:
        self._limit = clock_seconds / 2
        self._lesson = 0.0

    def seconds(self, contended: bool) -> float:
        """Seconds to keep in hand now; never more than half of the clock."""
        latency = measured_latency()
        return min(self._limit, (latency.contended if contended else latency.alone) + self._lesson)

    def learn(self, overrun: float) -> None:
        """Take note of how long after nothing remained the player answered; negative if it was earlier."""
        self._lesson = max(overrun, self._lesson * _MEMORY, 0.0)
