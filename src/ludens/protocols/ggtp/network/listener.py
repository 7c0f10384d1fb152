"""The listener of the Rules: admits connections by their first line, one thread each, up to a limit."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading

from ludens.protocols.ggtp.engines.link import EngineLink
from ludens.protocols.ggtp.engines.registry import engine_names
from ludens.protocols.ggtp.guests.lobby import Guest, Lobby
from ludens.protocols.ggtp.inbox import Arrived, Inbox, Left, Line
from ludens.protocols.ggtp.language.grammar import CommandError, match_name
from ludens.protocols.ggtp.network.hello import ENGINE, TOKEN_OF, Hello, Tokens
from ludens.protocols.ggtp.network.sockets import LineReader, NetworkError, hang_up, send_within
from ludens.protocols.ggtp.network.tls import wrap_tls
from ludens.protocols.ggtp.seats import HUMAN

HELLO_TIME = 10.0
"""Seconds within which a guest must have introduced itself."""
LONGEST_HELLO = 1_000
"""The maximum length of that line in bytes."""
LONGEST_LINE = 100_000
"""Bytes of a line of a guest."""
MOST_GUESTS = 250
"""The maximum number of guests; more are refused."""
MOST_STRANGERS = 50
"""Connections at once that have not introduced themselves."""


class Listener:
    """Accepts guests into the lobby."""

    def __init__(
        self,
        address: tuple[str, int],
        tokens: Tokens,
        lobby: Lobby,
        inbox: Inbox,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._tokens = tokens
        self._lobby = lobby
        self._inbox = inbox
        self._context = context
        self._strangers = threading.Semaphore(MOST_STRANGERS)
        host, port = address
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            self._server = socket.create_server(address, family=family, backlog=128)
        except OSError as error:
            raise NetworkError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
        self.address: tuple[str, int] = self._server.getsockname()[:2]
        """Its address."""
        threading.Thread(target=self._accept, name="listener", daemon=True).start()

    def close(self) -> None:
        """Stop listening."""
        hang_up(self._server)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # the listener is closed
            while True:
                connection, _ = self._server.accept()
                if self._strangers.acquire(blocking=False):
                    threading.Thread(target=self._meet, args=(connection,), name="stranger", daemon=True).start()
                else:
                    connection.close()

    def _meet(self, connection: socket.socket) -> None:
        """Read the first line of a connection, and serve it if it is admitted."""
        try:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            if connection.family in (socket.AF_INET, socket.AF_INET6):
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._context is not None:
                connection = wrap_tls(connection, self._context)
            reader = LineReader(connection, LONGEST_HELLO)
            hello = self._read_hello(connection, reader)
        except (NetworkError, OSError):
            hello = None
        finally:
            self._strangers.release()
        if hello is None:
            hang_up(connection)
        elif hello.kind == ENGINE:
            self._receive_engine(hello, connection, reader)
        else:
            self._receive_guest(hello, connection, reader)

    def _read_hello(self, connection: socket.socket, reader: LineReader) -> Hello | None:
        line = reader.line(HELLO_TIME)
        if line is None:
            return None
        try:
            hello = self._tokens.admit(line.decode("utf-8", "replace"))
            self._reserve(hello.name)
        except CommandError as error:
            send_within(connection, f"? {error}\n".encode(), HELLO_TIME)
            return None
        if not send_within(connection, b"= Done\n", HELLO_TIME):
            self._lobby.remove(hello.name)
            return None
        return hello

    def _reserve(self, name: str) -> None:
        if len(self._lobby.members()) >= MOST_GUESTS:
            raise CommandError(f"There are {MOST_GUESTS} guests already.")
        reserved = (*engine_names(), *TOKEN_OF, HUMAN)
        if match_name(name, reserved) is not None or not self._lobby.reserve(name):
            raise CommandError(f"The name {name} is taken.")

    def _receive_engine(self, hello: Hello, connection: socket.socket, reader: LineReader) -> None:
        link = EngineLink(hello.name, connection, self._inbox, reader, is_guest=True)
        self._lobby.enter(link)
        self._inbox.put(Arrived(link))

    def _receive_guest(self, hello: Hello, connection: socket.socket, reader: LineReader) -> None:
        """Read the lines of a guest, each after the last is answered, so that it cannot flood the Rules."""
        guest = Guest(hello.name, hello.kind, connection)
        self._lobby.enter(guest)
        self._inbox.put(Arrived(guest))
        reader.longest = LONGEST_LINE
        try:
            while (line := reader.line()) is not None:
                item = Line(line.decode("utf-8", "replace"), guest)
                self._inbox.put(item)
                item.answered.wait()
        except NetworkError as error:
            guest.write(f"? {error}.")
            guest.leave()
        else:
            guest.close()
        self._inbox.put(Left(guest))
