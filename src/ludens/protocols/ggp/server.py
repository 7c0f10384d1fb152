"""A small HTTP server for untrusted clients: one thread and one request for each connection, everything bounded."""

from __future__ import annotations

import contextlib
import logging
import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from types import TracebackType

from ludens.core import Deadline, LudensError
from ludens.protocols.ggp.messages import MAX_MESSAGE
from ludens.protocols.ggp.wire import MAX_HEAD, GarbledError, Incoming, round_trip

HEAD_SECONDS = 5.0
"""How long a client may take to send the head of its request."""
READ_SECONDS = 10.0
"""How long a client may take to send its request."""
MOST_UNREAD = 32
"""Requests of one address that may be on their way at once; of more, those that do not arrive are dropped."""
_MUTE_SECONDS = 0.05
_SLOW_SECONDS = 1.0
"""Seconds after which a connection that has sent nothing, or not all, may be dropped if there are too many."""
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


@dataclass(frozen=True, slots=True)
class _Arrival:
    """Where a connection comes from, and when."""

    host: str
    time: float


class Server:
    """Answers each request in its own thread, at most ``most_connections`` at once.

    Whoever connects and sends nothing takes no place from others: if there are too many connections, of one address or
    in all, those that have sent nothing are dropped.
    """

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
        self._most_connections = most_connections
        self._open: set[socket.socket] = set()
        self._unread: dict[socket.socket, _Arrival] = {}
        """Connections whose request has not been read yet, the oldest first."""
        self._lock = threading.Lock()
        self._freed = threading.Condition(self._lock)
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
            try:
                connection, (host, *_) = self._listener.accept()
            except OSError as error:
                if not isinstance(error, TimeoutError) and not self._closed:
                    time.sleep(_POLL)  # out of file descriptors, which lasts a while
                continue
            arrival = _Arrival(host, time.monotonic())
            self._make_room(host)
            self._begin(connection, arrival)

    def _make_room(self, host: str) -> None:
        """Drop connections that have sent no request, or wait until one is answered, if there are too many."""
        with self._freed:
            own = [connection for connection, other in self._unread.items() if other.host == host]
            if len(own) >= MOST_UNREAD:
                self._drop_mute(own)
            while len(self._open) >= self._most_connections and not self._closed:
                if not self._drop_mute(list(self._unread)):
                    self._freed.wait(_MUTE_SECONDS if self._unread else _POLL)

    def _drop_mute(self, connections: Sequence[socket.socket]) -> bool:
        """Drop those that have not sent anything, or take long to send all; returns whether there were any."""
        now = time.monotonic()
        late = [connection for connection in connections if now - self._unread[connection].time > _MUTE_SECONDS]
        speaking = _with_data(late)
        dropped = [each for each in late if each not in speaking or now - self._unread[each].time > _SLOW_SECONDS]
        for connection in dropped:
            self._unread.pop(connection)
            self._open.discard(connection)
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)  # its thread ends then, and closes it
        return bool(dropped)

    def _begin(self, connection: socket.socket, arrival: _Arrival) -> None:
        with self._lock:
            self._open.add(connection)
            self._unread[connection] = arrival
        thread = threading.Thread(target=self._converse, args=(connection, arrival.time), daemon=True)
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
        with self._freed:
            self._open.discard(connection)
            self._unread.pop(connection, None)
            self._freed.notify()
        connection.close()

    def _reply(self, connection: socket.socket, arrived: float) -> None:
        try:
            request = _read_request(connection, arrived, self._read_seconds)
            with self._lock:
                self._unread.pop(connection, None)
            reply = self._answer(request)
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


def _with_data(connections: Sequence[socket.socket]) -> set[socket.socket]:
    """Those that have sent something which nobody has read yet."""
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            with contextlib.suppress(ValueError, KeyError, OSError):  # closed meanwhile
                selector.register(connection, selectors.EVENT_READ)
        ready = selector.select(0) if selector.get_map() else []
        return {key.fileobj for key, _ in ready if isinstance(key.fileobj, socket.socket)}


def _read_request(connection: socket.socket, arrived: float, seconds: float) -> Request:
    incoming = Incoming(connection, Deadline(min(seconds, HEAD_SECONDS)))
    head = incoming.head(MAX_HEAD)
    incoming.give_until(Deadline(seconds - (time.monotonic() - arrived)))
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
