"""Sockets to untrusted peers: addresses, lines of bounded length, and sending with a timeout."""

from __future__ import annotations

import contextlib
import selectors
import socket
import time
from collections import deque

from ludens.core import LudensError

LOOPBACK = "127.0.0.1"
"""The default address of servers."""
Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)
"""Waits for sockets; Windows has no poll."""
_DO_NOT_WAIT = getattr(socket, "MSG_DONTWAIT", 0)
"""Windows has no such flag: there, sending waits for enough buffer space."""


class NetworkError(LudensError):
    """A connection cannot be made, or has broken."""


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of ``HOST:PORT``, ``:PORT`` or ``PORT``; the loopback address if no host is named."""
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not (port.isdecimal() and int(port) < 65_536):
        raise NetworkError(f"{text!r} is not an address; write HOST:PORT, such as {LOOPBACK}:7777")
    return host or LOOPBACK, int(port)


def send_within(connection: socket.socket, data: bytes, seconds: float) -> bool:
    """Send some bytes; False after the timeout. Raises `OSError` if the peer has gone."""
    until = time.monotonic() + seconds
    with Selector() as selector:
        try:
            selector.register(connection, selectors.EVENT_WRITE)
        except ValueError:
            raise OSError("the connection is closed") from None
        while data:
            if not selector.select(max(0.0, until - time.monotonic())):
                return False
            with contextlib.suppress(BlockingIOError):
                data = data[connection.send(data, _DO_NOT_WAIT) :]
    return True


class LineReader:
    """Lines of a socket, as bytes without their ends."""

    def __init__(self, connection: socket.socket, longest: int) -> None:
        self._socket = connection
        self.longest = longest
        """Bytes of a line."""
        self._lines: deque[bytes] = deque()
        self._rest: list[bytes] = []
        self._length = 0

    def line(self, seconds: float | None = None) -> bytes | None:
        """The next line, within some seconds; None if there are no more.

        Raises `NetworkError` if it is too long, or not there in time.
        """
        until = None if seconds is None else time.monotonic() + seconds
        while not self._lines:
            data = self._receive(until)
            if not data:
                return None
            self._take(data)
        line = self._lines.popleft().removesuffix(b"\r")
        if len(line) > self.longest:
            raise NetworkError(f"a line of more than {self.longest:,} bytes")
        return line

    def _take(self, data: bytes) -> None:
        """Each byte is scanned once, so that work is proportional to what a peer sends."""
        first, *more = data.split(b"\n")
        self._rest.append(first)
        self._length += len(first)
        if more:
            self._lines.append(b"".join(self._rest))
            self._lines.extend(more[:-1])
            self._rest, self._length = [more[-1]], len(more[-1])
        if self._length > self.longest:
            raise NetworkError(f"a line of more than {self.longest:,} bytes")

    def _receive(self, until: float | None) -> bytes:
        try:
            self._socket.settimeout(None if until is None else max(0.001, until - time.monotonic()))
            return self._socket.recv(65_536)
        except TimeoutError:
            raise NetworkError("no line in time") from None
        except OSError:
            return b""


def hang_up(connection: socket.socket) -> None:
    """Close a socket, even if other threads wait on it."""
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
