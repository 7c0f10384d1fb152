"""A small HTTP server for untrusted clients: one thread and one request for each connection, everything bounded."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from types import TracebackType

from ludens.core import Deadline, LudensError
from ludens.protocols.ggp.messages import MAX_MESSAGE
from ludens.protocols.ggp.wire import MAX_HEAD, GarbledError, Incoming, round_trip

READ_SECONDS = 10.0
"""How long a client may take to send its request."""
WRITE_SECONDS = 10.0
"""How long a client may take to accept a reply, or the next part of one."""
_POLL = 0.5
_LINGER = 1.0
"""Seconds to wait for the client to close."""

_log = logging.getLogger("ludens")


@dataclass(frozen=True, slots=True)
class Request:
    """A request of a client."""

    method: str
    target: str
    """The target, such as ``/events``."""
    headers: Mapping[str, str]
    """By lower-case name."""
    body: str
    arrived: float
    """When the connection was accepted, by ``time.monotonic``."""
    latency: float
    """Network latency of this client's messages and our replies in seconds, as measured on this connection."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a client."""

    body: str = ""
    status: HTTPStatus = HTTPStatus.OK
    content_type: str = "text/plain; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()
    stream: Iterator[str] | None = None
    """Parts to send one after the other instead of a body, for as long as the client listens."""


class Server:
    """Answers each request in its own thread, at most ``most_connections`` at once."""

    def __init__(
        self,
        answer: Callable[[Request], Reply],
        host: str,
        port: int,
        *,
        most_connections: int = 100,
        read_seconds: float = READ_SECONDS,
    ) -> None:
        self._answer = answer
        self._read_seconds = read_seconds
        self._slots = threading.Semaphore(most_connections)
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._closed = False
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            self._listener = socket.create_server((host, port), family=family, backlog=128)
        except OSError as error:
            reason = error.strerror or error
            raise LudensError(f"cannot listen on {host}:{port}: {reason}; choose another host or port") from None
        self._listener.settimeout(_POLL)
        self.host = host
        self.port: int = self._listener.getsockname()[1]
        """The actual port, also if 0 was requested."""
        self._thread = threading.Thread(target=self._accept, name=f"server {self.port}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening, and close all connections."""
        self._closed = True
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()
        with self._lock:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _accept(self) -> None:
        while not self._closed:
            if not self._slots.acquire(timeout=_POLL):
                continue
            try:
                connection, _ = self._listener.accept()
            except OSError as error:
                self._slots.release()
                if not isinstance(error, TimeoutError) and not self._closed:
                    time.sleep(_POLL)  # out of file descriptors, which lasts a while
                continue
            self._begin(connection)

    def _begin(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.add(connection)
        thread = threading.Thread(target=self._converse, args=(connection, time.monotonic()), daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the system is out of threads: this client must retry
            self._end(connection)

    def _converse(self, connection: socket.socket, arrived: float) -> None:
        try:
            with contextlib.suppress(OSError):
                self._reply(connection, arrived)
        finally:
            self._end(connection)

    def _end(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.discard(connection)
        connection.close()
        self._slots.release()

    def _reply(self, connection: socket.socket, arrived: float) -> None:
        try:
            reply = self._answer(_read_request(connection, arrived, self._read_seconds))
        except GarbledError as error:
            reply = Reply(f"{error}\n", HTTPStatus.BAD_REQUEST)
        except TimeoutError as error:
            reply = Reply(f"{error}\n", HTTPStatus.REQUEST_TIMEOUT)
        except OSError:
            raise
        except Exception:  # an error in one request must not stop the others
            _log.exception("a request could not be answered")
            reply = Reply("this is a fault in ludens\n", HTTPStatus.INTERNAL_SERVER_ERROR)
        connection.settimeout(WRITE_SECONDS)
        _send(connection, reply)
        connection.shutdown(socket.SHUT_WR)
        _linger(connection)


def _read_request(connection: socket.socket, arrived: float, seconds: float) -> Request:
    incoming = Incoming(connection, Deadline(seconds))
    head = incoming.head(MAX_HEAD)
    method, _, rest = head.line.partition(" ")
    target = rest.rpartition(" ")[0] if " " in rest else rest
    if not (method.isalpha() and target):
        raise GarbledError("expected a request in HTTP, such as POST / HTTP/1.0")
    if "transfer-encoding" in head.headers:
        raise GarbledError("transfer encodings are not understood; send a Content-Length")
    body = incoming.body(head.length, MAX_MESSAGE) if method.upper() == "POST" else ""
    # connecting, sending the request and reading the reply are two round trips for the client
    latency = time.monotonic() - arrived + 2 * round_trip(connection)
    return Request(method.upper(), target, head.headers, body, arrived, latency)


def _linger(connection: socket.socket) -> None:
    """Wait for the client to close: closing while it still sends would discard the reply."""
    deadline = Deadline(_LINGER)
    while (left := deadline.remaining()) > 0:
        connection.settimeout(left)
        if not connection.recv(MAX_HEAD):
            return


def _send(connection: socket.socket, reply: Reply) -> None:
    body = reply.body.encode()
    lines = [f"HTTP/1.0 {reply.status.value} {reply.status.phrase}", f"Content-type: {reply.content_type}"]
    if reply.stream is None:
        lines.append(f"Content-length: {len(body)}")
    lines += [f"{name}: {value}" for name, value in reply.headers]
    connection.sendall("\r\n".join((*lines, "", "")).encode() + body)
    for part in reply.stream or ():
        connection.sendall(part.encode())
