"""Python's garbage collector, kept from full collections while somebody is asked for a move.

A full collection looks at all objects of the process. Where a search keeps thousands of states of a game in Python it
took up to 0.8 s, in the middle of a move. Young objects are collected all the time, which takes less than a
millisecond, and what has no cycle needs no collector. So a full collection can wait until nobody thinks.
"""

from __future__ import annotations

import gc
import math
import threading
import time

_NEVER = 1 << 30
"""Collections of the middle generation before a full one."""
_GRACE = 1.0
"""Seconds after which a player that does not answer no longer counts."""
_LONGEST = 60.0
"""Seconds after which cycles are collected although somebody always thinks, as on a busy server."""


class FullCollections:
    """Defers full collections as long as there are holds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holds: dict[object, float] = {}
        """When each hold expires."""
        self._since = 0.0
        """When the first of the present holds began, or cycles were collected during them."""
        self._usual: tuple[int, int, int] | None = None
        """The thresholds of the collector without holds."""

    @property
    def are_deferred(self) -> bool:
        """Whether full collections wait."""
        return self._usual is not None

    def defer(self, key: object, seconds: float) -> None:
        """Defer full collections until `allow` is called with this key, or a moment after so many seconds."""
        with self._lock:
            now = time.monotonic()
            self._holds[key] = now + (seconds + _GRACE if math.isfinite(seconds) else _LONGEST)
            if self._usual is None:
                self._since = now
                self._usual = gc.get_threshold()
                gc.set_threshold(self._usual[0], self._usual[1], _NEVER)

    def allow(self, key: object) -> None:
        """End a hold."""
        with self._lock:
            now = time.monotonic()
            self._holds.pop(key, None)
            self._holds = {other: end for other, end in self._holds.items() if end > now}
            is_overdue = bool(self._holds) and now - self._since > _LONGEST
            if is_overdue:
                self._since = now
            if not self._holds and self._usual is not None:
                gc.set_threshold(*self._usual)
                self._usual = None
        if is_overdue:
            gc.collect()


full_collections = FullCollections()
"""Those of this process."""
