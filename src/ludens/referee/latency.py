"""The safety margin before a player's deadline: measured in this process, and adjusted while it plays."""

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
from ludens.core.process import return_memory

_WAITS = 40
_WAIT = 0.001
"""Seconds of each wait whose overrun is measured."""
_SWITCH_INTERVAL = 0.001
"""Seconds after which a computing thread yields to a waiting one."""
_MEMORY = 0.99
"""The decay of a learnt overrun per move: half of it is left after about 70."""
_PAUSE, _PAUSE_SHARE = 0.015, 0.3
"""A pause that every margin allows for, in seconds and as a share of the clock, whichever is less.

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


def prepare_process(game: Game) -> None:
    """Prepare the process for matches of a game: measure its latency, and avoid the longest pauses."""
    switch_quickly()
    measure_latency()
    set_aside(game)


def switch_quickly() -> None:
    """Shorten the interval after which Python switches threads.

    A player that wakes up while another one ponders waits for that, and an answer passes through several threads: while
    one computed, others woke up 6 to 20 ms late by Python's own interval of 5 ms, and 3 to 5 ms by this one.
    """
    sys.setswitchinterval(_SWITCH_INTERVAL)


def set_aside(game: Game) -> None:
    """Exclude a game from Python's garbage collection.

    A full collection with a loaded game took 20 to 30 ms, in the middle of a move. So all objects that exist when the
    first match of a game begins are collected and then frozen until the next game.
    """
    if game not in _settled:
        _settled.add(game)
        gc.unfreeze()
        gc.collect()
        gc.freeze()


def release_games() -> None:
    """Undo `set_aside`, when no match is under way, and collect what the last ones have left."""
    _settled.clear()
    gc.unfreeze()
    gc.collect()
    return_memory()


@cache
def measure_latency() -> Latency:
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

    All matches of the process share what was learnt, since the machine stays the same.
    """

    _lessons: ClassVar[dict[str, float]] = {}

    def __init__(self, kind: str, clock_seconds: float) -> None:
        self._kind = kind
        self._limit = clock_seconds / 2
        self._pause = min(_PAUSE, clock_seconds * _PAUSE_SHARE)

    def seconds(self, contended: bool) -> float:
        """The margin in seconds; at most half of the clock."""
        latency = measure_latency()
        lesson = self._lessons.get(self._kind, 0.0)
        return min(self._limit, max(self._pause, latency.contended if contended else latency.alone) + lesson)

    def learn(self, overrun: float) -> None:
        """Record by how many seconds the player overran its deadline; negative if it was early."""
        forgotten = self._lessons.get(self._kind, 0.0) * _MEMORY
        self._lessons[self._kind] = max(min(overrun, self._limit), forgotten, 0.0)
