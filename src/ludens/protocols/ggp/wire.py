"""HTTP as GGP programs use it: one request and one reply per connection, with strict limits.

Both sides are read by the same few lines. A library for HTTP would refuse what is common here (replies without a
length or with odd heads, bodies that end with the stream) and allow what is dangerous (a reply that never ends as
long as a byte arrives from time to time, since their timeouts are per read). It would also send HTTP/1.1 with its own
headers, while requests here are byte for byte those of ggp-base.
"""

from __future__ import annotations

import re
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from ludens.core import Deadline, LudensError, PlayerError

DEFAULT_PORT = 9147
CONNECT_SECONDS = 5.0
"""How long a player may take to accept a connection."""
MAX_ANSWER = 65_536
"""Bytes of a player's answer; a move has at most 10,000 characters."""
MAX_HEAD = 262_144
"""Bytes of request line and headers; a request line may hold a whole message."""

_CHUNK = 65_536
_SLICE = 0.5
"""Seconds between checks whether a deadline was cancelled."""
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_BARE_ADDRESS = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):\d{1,5}", re.ASCII)


class GarbledError(LudensError):
    """The data of a connection is not HTTP, too long or truncated."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a player listens."""

    host: str
    port: int = DEFAULT_PORT

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def place(self) -> tuple[str, int]:
        """The same for two spellings of this machine."""
        return "127.0.0.1" if self.host in {"localhost", "::1"} else self.host, self.port

    @staticmethod
    def looks_like(text: str) -> bool:
        """True for ``http://localhost:9147`` and ``localhost:9147``, but not for a player's name with options."""
        return "://" in text or bool(_BARE_ADDRESS.fullmatch(text))

    @classmethod
    def parse(cls, text: str) -> Address:
        """Parse a URL or ``host:port``. Raises `PlayerError`."""
        parts = urlsplit(text if "://" in text else f"http://{text}")
        try:
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if parts.scheme != "http" or not host:
            raise PlayerError(f"{text!r} is not the address of a player, such as http://localhost:{DEFAULT_PORT}")
        return cls(host, DEFAULT_PORT if port is None else port)


@dataclass(frozen=True, slots=True)
class Head:
    """The first line of a request or reply, and its headers by lower-case name."""

    line: str
    headers: Mapping[str, str]

    @property
    def length(self) -> int | None:
        """The length of the body, if given. Raises `GarbledError` if it is not a number."""
        text = self.headers.get("content-length")
        if text is None:
            return None
        if not (text.isascii() and text.isdecimal() and len(text) < 12):
            raise GarbledError(f"{text[:40]!r} is not a length")
        return int(text)


class Incoming:
    """Reads from a connection within limits of time and size."""

    def __init__(self, connection: socket.socket, deadline: Deadline) -> None:
        self._connection = connection
        self._deadline = deadline
        self._buffer = bytearray()

    def give_until(self, deadline: Deadline) -> None:
        """Read until another deadline from now on."""
        self._deadline = deadline

    def head(self, limit: int) -> Head:
        """Everything up to the first blank line. Raises `GarbledError`, `TimeoutError` or `OSError`."""
        while (end := _BLANK_LINE.search(self._buffer)) is None:
            if len(self._buffer) > limit:
                raise GarbledError(f"the head is longer than {limit:,} bytes")
            if not self._receive():
                raise GarbledError("the connection ended before the head did")
        text = self._buffer[: end.start()].decode("latin-1")
        del self._buffer[: end.end()]
        line, *rest = text.splitlines() or [""]
        fields = (header.partition(":") for header in rest)
        return Head(line, {name.strip().lower(): value.strip() for name, _, value in fields})

    def body(self, length: int | None, limit: int) -> str:
        """The given number of bytes, or all until the stream ends, as text. Raises as `head` does."""
        if length is not None and length > limit:
            raise GarbledError(f"{length:,} bytes, where {limit:,} are allowed")
        while length is None or len(self._buffer) < length:
            if len(self._buffer) > limit:
                raise GarbledError(f"more than the {limit:,} bytes that are allowed")
            if not self._receive():
                if length is None:
                    break
                raise GarbledError(f"the connection ended after {len(self._buffer):,} of {length:,} bytes")
        return bytes(self._buffer[:length]).decode("utf-8", errors="replace")

    def _receive(self) -> bool:
        """Wait for more; False at the end of the stream."""
        while (left := self._deadline.remaining()) > 0:
            self._connection.settimeout(min(left, _SLICE))
            try:
                data = self._connection.recv(_CHUNK)
            except TimeoutError:
                continue
            self._buffer += data
            return bool(data)
        raise TimeoutError("no complete message in time")


def exchange(address: Address, text: str, receiver: str, deadline: Deadline) -> str:
    """Send a message to a player as ggp-base's server does, and return its answer, whatever its HTTP status.

    Raises `TimeoutError` if there is no answer in time, `GarbledError` if it cannot be read, `OSError` if the player
    cannot be reached.
    """
    with _connect(address, deadline) as connection:
        body = text.encode()
        lines = (
            "POST / HTTP/1.0",
            "Accept: text/delim",
            f"Host: {address.host}",
            "Sender: GAMESERVER",
            f"Receiver: {receiver}",
            "Content-Type: text/acl",
            f"Content-Length: {len(body)}",
        )
        connection.settimeout(max(0.001, deadline.remaining()))
        connection.sendall("\r\n".join((*lines, "", "")).encode() + body)
        incoming = Incoming(connection, deadline)
        head = incoming.head(MAX_ANSWER)
        if not head.line.startswith("HTTP/"):
            raise GarbledError(f"{head.line[:40]!r} is not an HTTP reply")
        return incoming.body(head.length, MAX_ANSWER)


def _connect(address: Address, deadline: Deadline) -> socket.socket:
    seconds = min(CONNECT_SECONDS, deadline.remaining())
    if seconds <= 0:
        raise TimeoutError("no time left to connect")
    try:
        return socket.create_connection((address.host, address.port), timeout=seconds)
    except TimeoutError:
        if seconds < CONNECT_SECONDS:
            raise
        raise GarbledError(f"{address} accepted no connection within {seconds:g} s") from None
    except OSError as error:
        raise GarbledError(f"{address} cannot be reached: {error.strerror or error}") from None


def round_trip(connection: socket.socket) -> float:
    """The round-trip time in seconds as measured by the system; 0 if unknown."""
    if not hasattr(socket, "TCP_INFO"):
        return 0.0
    # struct tcp_info of Linux: 8 bytes, then numbers of 4 bytes, of which the 16th is the round trip in microseconds
    offset, size = 8 + 15 * 4, 8 + 16 * 4
    try:
        data = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, size)
    except OSError:
        return 0.0
    return float(struct.unpack_from("=I", data, offset)[0]) / 1e6 if len(data) >= size else 0.0
