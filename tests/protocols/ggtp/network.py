"""Rules that listen, in a thread, and guests of all kinds on real sockets of this machine."""

from __future__ import annotations

import contextlib
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ludens.core import LudensError
from ludens.protocols.ggtp.engines.registry import engine_class
from ludens.protocols.ggtp.inbox import Line
from ludens.protocols.ggtp.network.client import Connection, be_engine
from ludens.protocols.ggtp.network.hello import Hello, Tokens
from ludens.protocols.ggtp.network.listener import Listener
from tests.protocols.ggtp.harness import Rules

TOKENS = Tokens.new()


class Host:
    """Rules that listen. What the Supervisor at their machine says is answered as on a pipe."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.rules = Rules()
        self.rules.supervisor._stays = True
        session = self.rules.session
        self.listener = Listener(("127.0.0.1", 0), TOKENS, session.lobby, session.inbox, context)
        self._connections: list[Connection] = []
        self._thread = threading.Thread(target=self.rules.supervisor.run, daemon=True)
        self._thread.start()

    def say(self, *commands: str) -> list[str]:
        """What is written until some commands are answered."""
        before = len(self.rules.lines)
        for command in commands:
            line = Line(command)
            self.rules.session.inbox.put(line)
            assert line.answered.wait(60), command
        return self.rules.lines[before:]

    def answer(self, *commands: str) -> str:
        """The answer to the last of some commands."""
        return [line for line in self.say(*commands) if line.startswith(("=", "?"))][-1]

    def close(self) -> None:
        """End the Rules."""
        self.listener.close()
        self.rules.session.inbox.put(Line("shut_down"))
        self._thread.join(60)
        assert not self._thread.is_alive()
        self.rules.session.close()
        for connection in self._connections:
            connection.close()

    def connect(self, kind: str, name: str, token: str | None = None, context: ssl.SSLContext | None = None) -> Guest:
        """A guest; with the right token if none is named."""
        right = TOKENS.by_kind["player" if kind == "engine" else kind]
        connection = Connection(self.listener.address, Hello(kind, name, token or right), context)
        self._connections.append(connection)
        return Guest(connection)

    def engine(self, name: str, player: str = "legal") -> None:
        """An engine of ludens that connects, in a thread."""
        connection = self.connect("engine", name).connection

        def play() -> None:
            with contextlib.suppress(LudensError):
                be_engine(connection, engine_class(player), "reference", 1, {})

        threading.Thread(target=play, daemon=True).start()
        self.say(f"wait_for {name}")


class Guest:
    """Somebody who is connected, and what it reads."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def say(self, command: str) -> str:
        """The first line of the answer to a command; informations that come before are left out."""
        self.connection.send(command)
        return self.until(("=", "?"))[-1]

    def until(self, beginnings: tuple[str, ...] | str) -> list[str]:
        """The lines up to one that begins so."""
        found: list[str] = []
        while not found or not found[-1].startswith(beginnings):
            line = self.connection.receive()
            assert line is not None, found
            found.append(line)
        return found


@contextmanager
def hosting(context: ssl.SSLContext | None = None) -> Iterator[Host]:
    """Rules that listen as long as a block takes."""
    host = Host(context)
    try:
        yield host
    finally:
        host.close()
