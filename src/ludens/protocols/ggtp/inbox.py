"""What reaches the Rules from outside, in one order: lines of the Supervisor, moves of engines, engines lost."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Selected:
    """An engine selects a move."""

    link: object
    """The connection that it came by."""
    move: str


@dataclass(frozen=True, slots=True)
class Said:
    """An engine says something to other players."""

    link: object
    to: str
    """The players that it is for, as the engine wrote them."""
    text: str


@dataclass(frozen=True, slots=True)
class Lost:
    """An engine has gone, or broke the protocol so that it is not listened to any more."""

    link: object
    reason: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the Supervisor; None when there will be no more."""

    text: str | None
    answered: threading.Event = field(default_factory=threading.Event, compare=False)
    """Set when it is answered, for those who show a prompt only then."""
    arrived: float = field(default_factory=time.monotonic, compare=False)
    """When it came: nobody is late because the Rules were busy."""


EngineEvent: TypeAlias = Selected | Said | Lost
Item: TypeAlias = EngineEvent | Line


class Inbox:
    """A queue that threads fill and the Rules empty; engines go first."""

    def __init__(self) -> None:
        self._events: deque[EngineEvent] = deque()
        self._lines: deque[Line] = deque()
        self._changed = threading.Condition()

    def put(self, item: Item) -> None:
        """Add an item; from any thread."""
        with self._changed:
            if isinstance(item, Line):
                self._lines.append(item)
            else:
                self._events.append(item)
            self._changed.notify()

    def get(self, timeout: float | None, *, lines: bool = True) -> Item | None:
        """The next item, of the engines only if asked so; None if there is none for so many seconds."""
        until = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            while True:
                if self._events:
                    return self._events.popleft()
                if lines and self._lines:
                    return self._lines.popleft()
                left = None if until is None else until - time.monotonic()
                if left is not None and left <= 0:
                    return None
                self._changed.wait(left)

    def forget(self, link: object) -> None:
        """Drop moves that an engine selected: the question is not asked any more."""
        with self._changed:
            kept = [event for event in self._events if not isinstance(event, Selected) or event.link is not link]
            self._events = deque(kept)
