"""The client side: engines and people that connect to remote Rules."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping

from ludens.core import LudensError, Player
from ludens.protocols.ggtp.engines.engine import Engine
from ludens.protocols.ggtp.network.hello import OBSERVER, Hello
from ludens.protocols.ggtp.network.sockets import LineReader, NetworkError, hang_up
from ludens.protocols.ggtp.network.tls import wrap_tls

CONNECT_TIME = 10.0
"""Seconds to get a connection."""
ANSWER_TIME = 30.0
"""Seconds within which a guest is admitted or not."""
LONGEST_LINE = 100_000_000
"""Bytes of a line of the Rules; GGTP sets no limit, memory does."""


class Connection:
    """An admitted connection to remote Rules. Raises `NetworkError` if they refuse it."""

    def __init__(self, address: tuple[str, int], hello: Hello, context: ssl.SSLContext | None) -> None:
        self.kind = hello.kind
        """Our kind of guest."""
        host, port = address
        try:
            self._socket = socket.create_connection(address, CONNECT_TIME)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            raise NetworkError(f"no connection to {host}:{port}: {error.strerror or error}") from None
        if context is not None:
            self._socket = wrap_tls(self._socket, context, host=host)
        self._reader = LineReader(self._socket, LONGEST_LINE)
        self.send(hello.line)
        reply = self._reader.line(ANSWER_TIME)
        if reply is None or not reply.startswith(b"="):
            self.close()
            reason = "connection closed" if reply is None else reply.decode("utf-8", "replace").removeprefix("? ")
            raise NetworkError(f"the Rules at {host}:{port} refused the connection: {reason}")
        self._socket.settimeout(None)

    def send(self, line: str) -> None:
        """Send a line. Raises `NetworkError` if that fails."""
        try:
            self._socket.sendall((line.rstrip("\r\n") + "\n").encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise NetworkError(f"the connection is broken: {error.strerror or error}") from None

    def receive(self) -> str | None:
        """The next line; None if there are no more."""
        line = self._reader.line()
        return None if line is None else line.decode("utf-8", "replace")

    def close(self) -> None:
        """Close the connection."""
        hang_up(self._socket)


def be_engine(connection: Connection, kind: type[Player], backend: str, seed: int, options: Mapping[str, str]) -> None:
    """Play for remote Rules until they disconnect. Raises `LudensError` if they violate the protocol.

    Only rules of the library are allowed: remote Rules cannot make this machine run programs or read files.
    """

    def make_engine() -> Engine:
        made = Engine(kind, connection.send, backend=backend, seed=seed, is_remote=True)
        for option, value in options.items():
            made.set(option, value)
        return made

    engine = make_engine()
    try:
        while (line := connection.receive()) is not None:
            if engine.disconnected:
                engine = make_engine()
            engine.do(line)
    except NetworkError:
        return  # they hung up while we answered
    except LudensError as error:
        with contextlib.suppress(NetworkError):
            connection.send(f"failed {' '.join(str(error).split())}")
        raise
    finally:
        engine.close()
        connection.close()


def be_guest(connection: Connection, lines: Iterable[str], write: Callable[[str], None]) -> None:
    """Send lines to remote Rules, and write their lines, until either side ends.

    An observer stays after the end of its input.
    """
    speaking = threading.Thread(target=_speak, args=(connection, lines), name="speaking", daemon=True)
    speaking.start()
    while (line := connection.receive()) is not None:
        write(line)
    connection.close()


def _speak(connection: Connection, lines: Iterable[str]) -> None:
    try:
        for line in lines:
            connection.send(line)
        if connection.kind != OBSERVER:
            connection.send("quit")
    except NetworkError:
        return  # the receiving thread reports it
