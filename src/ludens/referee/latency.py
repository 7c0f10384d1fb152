"""The margin that players keep before their deadline: measured on this machine, in this process, and while it plays."""

from __future__ import annotations

import gc
import sys
import threading
import time
from dataclasses import dataclass
from functools import cache
from typing import ClassVar
from weakref import WeakSet

from ludens.core import Game

_WAITS = 40
_WAIT = 0.001
"""Seconds of each wait whose overrun is measured."""
_SWITCH_INTERVAL = 0.001
"""Seconds after which a thread that computes gives way to another that wants to."""
_MEMORY = 0.99
"""What is left of a lesson after each move: half of it after about 70."""
_PAUSE, _PAUSE_SHARE = 0.015, 0.3
"""A pause for which every margin has room, in seconds and as a share of the clock, whichever is less.

The host of a virtual machine takes the processor away now and then, too rarely to be measured in a few tenths of a
second: docs/players.md has how often it did so where ludens was built.
"""


@dataclass(frozen=True, slots=True)
class Latency:
    """How late threads of this process wake up, at worst, in seconds."""

    alone: float
    """While no other thread computes."""
    contended: float
    """While another thread runs Python code and holds the interpreter lock as often as it can."""


_settled: WeakSet[Game] = WeakSet()


def settle(game: Game) -> None:
    """Prepare the process for matches of a game: measure its latency, and spare players the longest pauses."""
    switch_quickly()
    measured_latency()
    set_aside(game)


def switch_quickly() -> None:
    """Let threads keep Python for themselves for a shorter time than usual.

    A player that wakes up while another one ponders waits for that, and an answer passes through several threads: while
    one computed, others woke up 6 to 20 ms late by Python's own interval of 5 ms, and 3 to 5 ms by this one.
    """
    sys.setswitchinterval(_SWITCH_INTERVAL)


def set_aside(game: Game) -> None:
    """Keep Python's garbage collector from looking through a game again and again.

    A full pass of it over a loaded game took 20 to 30 ms, in the middle of somebody's move. So what is there when the
    first match of a game begins is collected and then set aside until the next game comes.
    """
    if game not in _settled:
        _settled.add(game)
        gc.unfreeze()
        gc.collect()
        gc.freeze()


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
    """The margin of one player: the process's latency, room for a pause, and more once its kind has overrun a deadline.

    What was learnt is shared by all matches of the process, since the machine stays the same.
    """

    _lessons: ClassVar[dict[str, float]] = {}

    def __init__(self, kind: str, clock_seconds: float) -> None:
        self._kind = kind
        self._limit = clock_seconds / 2
        self._pause = min(_PAUSE, clock_seconds * _PAUSE_SHARE)

    def seconds(self, contended: bool) -> float:
        """Seconds to keep in hand now; never more than half of the clock."""
        latency = measured_latency()
        lesson = self._lessons.get(self._kind, 0.0)
        return min(self._limit, max(self._pause, latency.contended if contended else latency.alone) + lesson)

    def learn(self, overrun: float) -> None:
        """Take note of how long after nothing remained the player answered; negative if it was earlier."""
        forgotten = self._lessons.get(self._kind, 0.0) * _MEMORY
        self._lessons[self._kind] = max(min(overrun, self._limit), forgotten, 0.0)
