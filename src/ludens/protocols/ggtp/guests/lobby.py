"""Guests: people at other machines who supervise, play or watch; and the lobby, which also holds remote engines."""

from __future__ import annotations

import queue
import socket
import threading
import time

from ludens.protocols.ggtp.engines.link import EngineLink
from ludens.protocols.ggtp.language.grammar import CommandError, shown
from ludens.protocols.ggtp.network.sockets import hang_up, send_within

MOST_UNREAD = 1_000_000
"""The largest queue for a guest, in characters; a slower one is disconnected."""
SEND_TIME = 30.0
"""Seconds that a guest may fail to receive any data."""


class Guest:
    """A remote reader of lines. A separate thread sends, so that the Rules never wait."""

    def __init__(self, name: str, kind: str, connection: socket.socket) -> None:
        self.name = name
        self.kind = kind
        """Supervisor, player or observer."""
        self._socket = connection
        self._unsent: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._waiting = 0
        self._lock = threading.Lock()
        self._is_open = True
        self._sending = threading.Thread(target=self._send, name=f"guest {name}", daemon=True)
        self._sending.start()

    def write(self, line: str) -> None:
        """Queue a line to be sent; from any thread."""
        with self._lock:
            self._waiting += len(line) + 1
            is_too_much = self._waiting > MOST_UNREAD
        if is_too_much:
            self.close()
        else:
            self._unsent.put(line)

    def leave(self) -> None:
        """Close the connection once the queue is sent."""
        self._unsent.put(None)

    def wait_until_gone(self, seconds: float) -> None:
        """Wait until the queue is sent after `leave`, at most some seconds."""
        self._sending.join(seconds)

    def close(self) -> None:
        """Close the connection at once."""
        self._is_open = False
        hang_up(self._socket)
        self._unsent.put(None)

    def _send(self) -> None:
        while self._is_open and (line := self._unsent.get()) is not None:
            try:
                if not send_within(self._socket, f"{line}\n".encode("utf-8", "backslashreplace"), SEND_TIME):
                    break
            except OSError:
                break
            with self._lock:
                self._waiting -= len(line) + 1
        self.close()


class Lobby:
    """All connected guests and engines by name; filled by connection threads, read by the Rules."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._names: dict[str, Guest | EngineLink | None] = {}

    def reserve(self, name: str) -> bool:
        """Reserve a name for a new guest; False if it is taken."""
        with self._lock:
            is_free = name.lower() not in {other.lower() for other in self._names}
            if is_free:
                self._names[name] = None
            return is_free

    def enter(self, guest: Guest | EngineLink) -> None:
        """Add a guest under its reserved name."""
        with self._lock:
            self._names[guest.name] = guest

    def remove(self, name: str) -> None:
        """Remove a name."""
        with self._lock:
            self._names.pop(name, None)

    def members(self) -> list[Guest | EngineLink]:
        """All guests and engines, in order of arrival."""
        with self._lock:
            return [guest for guest in self._names.values() if guest is not None]

    def close(self, seconds: float) -> None:
        """Disconnect all; slow readers share some seconds to receive their last lines."""
        until = time.monotonic() + seconds
        for guest in self.members():
            guest.leave()
        for guest in self.members():
            if isinstance(guest, Guest):
                guest.wait_until_gone(max(0.0, until - time.monotonic()))

    def find(self, name: str) -> Guest | EngineLink | None:
        """The guest or engine with a name."""
        return next((guest for guest in self.members() if guest.name.lower() == name.lower()), None)

    def need(self, name: str) -> Guest | EngineLink:
        """The guest or engine with a name. Raises `CommandError` if there is none."""
        found = self.find(name)
        if found is None:
            raise CommandError(f"There is no guest {shown(name)}. Use list_guests to see who is here.")
        return found
