"""The inbox of the Rules: one queue of lines, engine events, arrivals and departures."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from ludens.protocols.ggtp.engines.link import EngineEvent, EngineLink, Selected
from ludens.protocols.ggtp.guests.lobby import Guest

if TYPE_CHECKING:
    from ludens.arena.specification import ScheduledMatch

LONGEST_WAIT = 0.5
"""Seconds between looks at signals: one just before a thread begins to wait does not wake it up."""


@dataclass(frozen=True, slots=True)
class MatchOver:
    """A match of a competition has ended."""

    match: ScheduledMatch
    goals: tuple[int, ...]
    """The goal of each seat."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An engine has answered a question, or failed."""

    take: Callable[[], None]
    """Goes on with the command that waits for it."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """A guest or engine has entered the lobby."""

    guest: Guest | EngineLink


@dataclass(frozen=True, slots=True)
class Left:
    """A guest has disconnected."""

    guest: Guest


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the Supervisor, None when there will be no more; or of a guest."""

    text: str | None
    guest: Guest | None = None
    """The sender; None for the Supervisor of this process."""
    answered: threading.Event = field(default_factory=threading.Event, compare=False)
    """Set when it is answered, for prompts."""
    arrived: float = field(default_factory=time.monotonic, compare=False)
    """When it arrived: no player is late because the Rules were busy."""


Event: TypeAlias = EngineEvent | Answered | MatchOver | Arrived | Left
Item: TypeAlias = Event | Line


class Inbox:
    """A queue that threads fill and the Rules empty; engines go first.

    Ctrl-C comes this way, too. As an exception anywhere in the Rules, it would lose the line that is being taken or
    answered, and whoever typed it would wait for ever.
    """

    def __init__(self) -> None:
        self._events: deque[Event] = deque()
        self._lines: deque[Line] = deque()
        self._guest_lines: deque[Line] = deque()
        self._changed = threading.Condition()  # its lock is re-entrant: a signal may arrive while the Rules hold it
        self._is_interrupted = False
        self._is_interruptible = False

    def put(self, item: Item) -> None:
        """Add an item; from any thread."""
        with self._changed:
            if not isinstance(item, Line):
                self._events.append(item)
            elif item.guest is None:
                self._lines.append(item)
            else:
                self._guest_lines.append(item)
            self._changed.notify()

    def interrupt(self) -> bool:
        """Ctrl-C, from a signal handler. False if the one before has not been noticed yet, as the Rules are busy.

        Raises `KeyboardInterrupt` if a command computes (`interruptible`); otherwise `get` will raise it.
        """
        if self._is_interruptible:
            self._is_interruptible = self._is_interrupted = False
            raise KeyboardInterrupt
        is_first = not self._is_interrupted
        with self._changed:
            self._is_interrupted = True
            self._changed.notify()
        return is_first

    @contextmanager
    def interruptible(self, allowed: bool = True) -> Iterator[None]:
        """Let Ctrl-C raise `KeyboardInterrupt` at any point of a block, or not."""
        before, self._is_interruptible = self._is_interruptible, allowed
        try:
            yield
        finally:
            self._is_interruptible = before

    def get(self, timeout: float | None, *, local: bool = True) -> Item | None:
        """The next item, with lines of this process's Supervisor only if requested; None after the timeout.

        Raises `KeyboardInterrupt` after Ctrl-C; then no item is lost.
        """
        until = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            while True:
                if self._is_interrupted:
                    self._is_interrupted = False
                    raise KeyboardInterrupt
                item = self._next(local)
                if item is not None:
                    return item
                left = None if until is None else until - time.monotonic()
                if left is not None and left <= 0:
                    return None
                self._changed.wait(LONGEST_WAIT if left is None else min(left, LONGEST_WAIT))

    def _next(self, local: bool) -> Item | None:
        if self._events:
            return self._events.popleft()
        waiting = [lines for lines in (self._lines if local else None, self._guest_lines) if lines]
        return min(waiting, key=lambda lines: lines[0].arrived).popleft() if waiting else None

    def forget(self, link: EngineLink) -> None:
        """Drop an engine's selected moves, as the question was withdrawn."""
        with self._changed:
            self._events = deque(
                event for event in self._events if not isinstance(event, Selected) or event.link is not link
            )
