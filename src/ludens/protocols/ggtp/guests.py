"""Guests: people at other machines who supervise, play or watch; and the lobby, where engines from outside wait too."""

from __future__ import annotations

import queue
import socket
import threading
import time

from ludens.protocols.ggtp.grammar import CommandError, shown
from ludens.protocols.ggtp.link import EngineLink
from ludens.protocols.ggtp.network.sockets import hang_up, send_within

MOST_UNREAD = 1_000_000
"""Characters that may wait to be sent to a guest; one that reads so slowly is let go."""
SEND_TIME = 30.0
"""Seconds that a guest may take nothing of what is sent."""


class Guest:
    """Somebody at the other end of a connection who reads lines. A thread of its own sends, so that nobody waits."""

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
        """Send a line, some time; from any thread."""
        with self._lock:
            self._waiting += len(line) + 1
            is_too_much = self._waiting > MOST_UNREAD
        if is_too_much:
            self.close()
        else:
            self._unsent.put(line)

    def leave(self) -> None:
        """Close the connection after what was written so far is sent."""
        self._unsent.put(None)

    def wait_until_gone(self, seconds: float) -> None:
        """Wait until what was written before leaving is sent, at most some seconds."""
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
    """Everybody who is connected, by name; threads of connections come in, the Rules look around."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._names: dict[str, Guest | EngineLink | None] = {}

    def reserve(self, name: str) -> bool:
        """Keep a name for somebody who is about to come in; False if it is taken."""
        with self._lock:
            is_free = name.lower() not in {other.lower() for other in self._names}
            if is_free:
                self._names[name] = None
            return is_free

    def enter(self, guest: Guest | EngineLink) -> None:
        """Come in, under a name that was reserved."""
        with self._lock:
            self._names[guest.name] = guest

    def remove(self, name: str) -> None:
        """Forget a name."""
        with self._lock:
            self._names.pop(name, None)

    def everybody(self) -> list[Guest | EngineLink]:
        """All who are here, in the order in which they came."""
        with self._lock:
            return [guest for guest in self._names.values() if guest is not None]

    def close(self, seconds: float) -> None:
        """Let everybody go; those who read slowly have some seconds together for what they were told last."""
        until = time.monotonic() + seconds
        for guest in self.everybody():
            guest.leave()
        for guest in self.everybody():
            if isinstance(guest, Guest):
                guest.wait_until_gone(max(0.0, until - time.monotonic()))

    def find(self, name: str) -> Guest | EngineLink | None:
        """Who is here by a name."""
        return next((guest for guest in self.everybody() if guest.name.lower() == name.lower()), None)

    def need(self, name: str) -> Guest | EngineLink:
        """Who is here by a name. Raises `CommandError` if nobody is."""
        found = self.find(name)
        if found is None:
            raise CommandError(f"There is no guest {shown(name)}. Use list_guests to see who is here.")
        return found
