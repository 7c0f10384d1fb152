"""Engines that the Rules start, each in its own process; the end of its standard error is kept for failures."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from collections.abc import Sequence
from typing import IO

from ludens.core.process import kill_session
from ludens.protocols.ggtp.engines.link import EngineError, EngineLink
from ludens.protocols.ggtp.inbox import Inbox
from ludens.protocols.ggtp.language.grammar import shown

FAREWELL = 2.0
"""Seconds that an engine has to end after it was disconnected."""
TAIL = 2_000
"""The number of bytes kept of an engine's standard error."""
LAST_LINES = 3
"""Lines of it that are shown."""


class ProcessLink(EngineLink):
    """An engine in a process that the Rules start: its standard input and output are one end of the socket."""

    def __init__(self, name: str, command: Sequence[str], inbox: Inbox) -> None:
        if os.name == "nt":
            raise EngineError(f"engine {name} cannot be started: Windows gives no socket to a process; let it connect")
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                end = theirs.fileno()
                self._process = subprocess.Popen(
                    command,
                    stdin=end,
                    stdout=end,
                    stderr=subprocess.PIPE,
                    start_new_session=True,  # Ctrl-C at the terminal is for the Rules
                )
        except OSError as error:
            ours.close()
            raise EngineError(f"engine {name} cannot be started: {error.strerror or error}") from None
        assert self._process.stderr is not None
        self._tail = b""
        self._listening = threading.Thread(target=self._listen, args=(self._process.stderr,), daemon=True)
        self._listening.start()
        super().__init__(name, ours, inbox)

    def _listen(self, stream: IO[bytes]) -> None:
        """Read what the process writes to its standard error, so that it never blocks, and keep the end of it."""
        with stream:
            while data := stream.read1(65_536):  # type: ignore[attr-defined] # a buffered reader of subprocess
                self._tail = (self._tail + data)[-TAIL:]

    def _last_words(self) -> str:
        lines = [line.strip() for line in self._tail.decode("utf-8", "replace").split("\n") if line.strip()]
        said = " / ".join(map(shown, lines[-LAST_LINES:]))
        return f", its last words: {said}" if said else ""

    def close(self) -> None:
        """End the connection; the process gets a moment to exit, unless it has failed."""
        super().close()
        if self.failure:
            kill_session(self._process.pid)
        try:
            self._process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            kill_session(self._process.pid)
            self._process.wait()
        self._listening.join(FAREWELL)
