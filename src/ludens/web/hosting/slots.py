"""Slots for searches: as many at once as there are processors, people's matches first.

Fifty searches on two processors would each get a twenty-fifth of their time, and the holder of the interpreter lock
would wait for a processor while all others wait for the lock. So a player is asked only when there is a slot for it;
its clock starts then, and its search gets its full time. Turns without a search have a separate queue, one
at a time: matches between quick players would otherwise draw all at once, and delay all others.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

_LOOK = 0.2
"""Seconds between checks whether a waiting request is still wanted."""


class Slot:
    """The right to compute for a while."""

    def __init__(self, until: float, freed: threading.Condition) -> None:
        self.until = until
        """When it expires: a joint move may wait for a person long after its players have answered."""
        self._freed = freed

    def release(self) -> None:
        """Release the slot; may be called repeatedly."""
        with self._freed:
            self.until = 0.0
            self._freed.notify_all()


class Slots:
    """A number of slots, and the queue for them."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._changed = threading.Condition()
        self._taken: list[Slot] = []
        self._waiting: list[tuple[bool, int]] = []
        self._order = itertools.count()

    def take(self, seconds: float, *, urgent: bool, gone: Callable[[], bool]) -> Slot:
        """Wait for a slot up to a timeout; urgent requests come first, and waiting ends when ``gone`` is true."""
        ticket = (not urgent, next(self._order))
        with self._changed:
            self._waiting.append(ticket)
            while not gone() and not (self._is_free() and ticket == min(self._waiting)):
                self._changed.wait(_LOOK)
            self._waiting.remove(ticket)
            slot = Slot(time.monotonic() + seconds, self._changed)
            self._taken.append(slot)
            self._changed.notify_all()
        return slot

    def _is_free(self) -> bool:
        now = time.monotonic()
        self._taken = [slot for slot in self._taken if slot.until > now]
        return len(self._taken) < self._number


@dataclass(frozen=True, slots=True)
class Queues:
    """All slots of a process."""

    searches: Slots
    """For turns with a search."""
    quick: Slots = field(default_factory=lambda: Slots(1))
    """For turns that cost no more than showing them."""
