"""Who may compute when: as many searches at once as there are processors, people's matches first.

Fifty searches on two processors would each get a twenty-fifth of its time, and whoever holds the interpreter lock
would wait for a processor while everybody waits for the lock. So a player is asked when there is a slot for it; its
clock begins then, and its search gets all of its time. Turns for which nobody searches have a queue of their own, one
at a time: matches between quick players would otherwise draw all at once, and everybody would see everything late.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

_LOOK = 0.2
"""Seconds after which whoever waits looks whether it is still wanted."""


class Slot:
    """The right to compute for a while."""

    def __init__(self, until: float, freed: threading.Condition) -> None:
        self.until = until
        """When it is over by itself: a joint move may wait for a person long after its players have answered."""
        self._freed = freed

    def release(self) -> None:
        """Let the next one compute; may be called again."""
        with self._freed:
            self.until = 0.0
            self._freed.notify_all()


class Slots:
    """So many slots, and who waits for one."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._changed = threading.Condition()
        self._taken: list[Slot] = []
        self._waiting: list[tuple[bool, int]] = []
        self._order = itertools.count()

    def take(self, seconds: float, *, urgent: bool, gone: Callable[[], bool]) -> Slot:
        """Wait for a slot for so many seconds; who is urgent comes first, and who is ``gone`` waits no longer."""
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
    """For turns in which somebody computes."""
    quick: Slots = field(default_factory=lambda: Slots(1))
    """For turns that cost no more than showing them."""
