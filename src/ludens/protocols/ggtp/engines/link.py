"""The Rules' end of the connection to an engine, which is not trusted."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from ludens.core import LudensError
from ludens.protocols.ggtp.language.commands import FROM_ENGINE
from ludens.protocols.ggtp.language.grammar import CommandError, first_word, shown
from ludens.protocols.ggtp.network.sockets import LineReader, NetworkError, hang_up, send_within

MAX_LINE = 1_000_000
"""Bytes of a line of an engine."""
MOST_UNASKED = 10
"""Unsolicited moves that an engine may select: some may be in transit when the play changes."""
MOST_SAID = 100
"""Messages that an engine may send between two commands that it gets, and blank lines."""
SENDING_TIME = 1.0
"""Seconds that the Rules wait for an engine to read, if its buffers are full."""
FAREWELL = 2.0
"""Seconds that an engine has to acknowledge the end."""
ANSWER_TIME = 30.0
"""The timeout of a query in seconds; the paper requires an immediate answer."""
LONG_TIMES = {"connect_engine": 120.0, "set_rule": 300.0, "set_rule_option": 300.0, "start": 300.0}
"""The timeout in seconds for commands that start a process or compile rules."""
LONGEST_REASON = 500
"""The maximum length of an engine's last output."""


Reply: TypeAlias = tuple[str, str]
"""An engine's answer: the command, and the data with it."""
Answer: TypeAlias = Callable[[Reply | None], None]
"""Receives an answer, None if the engine fails; called from any thread."""
RULES, POSSIBLE_MOVES = "rules", "possible_moves"
"""Capabilities of engines: they understand GDL, or need a list of moves to choose from."""
_ANSWER, _NEWS, _NOTICE = range(3)
"""What a command to an engine is: a question, a turn that it has to take in, or something that changes nothing."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """A command that the engine has not answered."""

    kind: int
    until: float
    """Until when it may take, if it is slow."""
    answered: Answer | None = None


class EngineError(LudensError):
    """An engine cannot be started, or has failed."""


@dataclass(frozen=True, slots=True)
class Selected:
    """An engine selects a move."""

    link: EngineLink
    """The connection that it came by."""
    move: str


@dataclass(frozen=True, slots=True)
class Said:
    """An engine says something to other players."""

    link: EngineLink
    to: str
    """The players that it is for, as the engine wrote them."""
    text: str


@dataclass(frozen=True, slots=True)
class Warned:
    """An engine reports a problem to the Supervisor."""

    link: EngineLink
    text: str


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """An engine has acknowledged everything it was sent."""

    link: EngineLink


@dataclass(frozen=True, slots=True)
class Lost:
    """An engine has gone, or was disconnected for violating the protocol."""

    link: EngineLink
    reason: str


EngineEvent: TypeAlias = Selected | Said | Warned | CaughtUp | Lost


class EventQueue(Protocol):
    """Where the events of an engine go."""

    def put(self, item: EngineEvent) -> None:
        """Add an event; from any thread."""


class EngineLink:
    """A connection to an engine. One thread sends, by `ask`, `announce` and `tell`; another one reads.

    An engine acknowledges every turn that it is sent. The Rules do not wait for that, since they serve others, too:
    `CaughtUp` reports it, and moves that it selected before do not count.
    """

    def __init__(
        self,
        name: str,
        connection: socket.socket,
        inbox: EventQueue,
        reader: LineReader | None = None,
        *,
        is_guest: bool = False,
    ) -> None:
        self.name = name
        """Its name for the Supervisor."""
        self.is_guest = is_guest
        """True if it came by itself, and stays when it loses its seat."""
        self.capabilities: frozenset[str] = frozenset()
        """What the engine wants to be sent, beyond the paper: `RULES`, `POSSIBLE_MOVES`."""
        self.failure = ""
        """How the engine failed; empty as long as it has not."""
        self._socket = connection
        self.inbox = inbox
        """The receiver of the engine's events; another one while a competition lends it to a match."""
        self._lock = threading.Lock()
        self._unanswered: deque[_Sent] = deque()
        self._news = 0
        self._unasked = 0
        self._said = 0
        self._blank = 0
        self._closed = False
        threading.Thread(
            target=self._read, args=(reader or LineReader(connection, MAX_LINE),), name=f"engine {name}", daemon=True
        ).start()

    def ask(self, line: str, answered: Answer) -> None:
        """Send a command; its answer, None if the engine fails, is passed on when it comes."""
        if not self._expect(_ANSWER, line, answered):
            answered(None)
            return
        with contextlib.suppress(EngineError):  # then it was answered by None
            self._send(line, SENDING_TIME)

    def announce(self, line: str, answered: Answer | None = None) -> None:
        """Send what happens in the play, which the engine acknowledges. Raises `EngineError` if it does not take it."""
        self._expect(_NEWS, line, answered)
        self._send(line, SENDING_TIME)

    def notify(self, line: str) -> None:
        """The same for what changes nothing in the play, so that a move on the way counts all the same."""
        self._expect(_NOTICE, line)
        self._send(line, SENDING_TIME)

    def _expect(self, kind: int, line: str, answered: Answer | None = None) -> bool:
        """Note that an answer is to come; False if the engine has failed."""
        slow = LONG_TIMES.get(first_word(line)[0], 0.0)
        with self._lock:
            if self.failure or self._closed:
                return False
            self._unanswered.append(_Sent(kind, time.monotonic() + slow, answered))
            self._news += kind == _NEWS
            self._said = self._blank = 0
        return True

    @property
    def patience(self) -> float:
        """Seconds from now that it may take for what is slow, such as a start, of all that it has not acknowledged."""
        with self._lock:
            return max((sent.until - time.monotonic() for sent in self._unanswered), default=0.0)

    @property
    def is_behind(self) -> bool:
        """True if it has not acknowledged everything it was sent."""
        return self._news > 0

    def tell(self, line: str) -> None:
        """Send a command that has no immediate answer. Raises `EngineError` if the engine does not take it."""
        with self._lock:
            self._unasked = 0
            self._said = self._blank = 0
        self._send(line, ANSWER_TIME)

    def close(self) -> None:
        """End the connection, and the engine with it."""
        with self._lock:
            self._closed = True
        hang_up(self._socket)
        if not self.failure:
            self._answer_nothing()

    def leave(self) -> None:
        """End the connection."""
        self.close()

    def part(self) -> None:
        """Say goodbye and end the connection, without waiting for the engine here."""
        gone = threading.Event()

        def part() -> None:
            gone.wait(FAREWELL)
            self.close()

        self.ask("disconnect_engine", lambda _: gone.set())
        threading.Thread(target=part, name=f"goodbye {self.name}").start()

    def _send(self, line: str, seconds: float) -> None:
        data = (line.replace("\n", " ").replace("\r", " ") + "\n").encode("utf-8", "backslashreplace")
        try:
            is_sent = send_within(self._socket, data, seconds)
        except OSError:
            self.fail("it has gone")
            is_sent = False
        if not is_sent:
            self.fail(f"it does not read what it is sent for {seconds:g} s")
            raise EngineError(f"engine {self.name}: {self.failure}")

    def _read(self, reader: LineReader) -> None:
        reader.longest = MAX_LINE
        try:
            while not self.failure and (line := reader.line()) is not None:
                self._take(line.decode("utf-8", "replace"))
        except NetworkError as error:
            self.fail(str(error))
        if not self._closed:
            self.fail("it has gone")

    def _take(self, line: str) -> None:
        """Process a line of the engine; anything that violates the protocol ends the connection."""
        name, rest = first_word(line)
        command = FROM_ENGINE.get(name)
        if self.failure:
            return
        if not name:
            self._take_silence()
            return
        try:
            if command is None:
                raise CommandError(f"{shown(line)!r} is not a command of an engine")
            arguments = command.arguments(rest)
        except CommandError as error:
            self.fail(str(error))
            return
        if name == "failed":
            self.fail(shown(arguments[0], LONGEST_REASON))
            return
        if name == "capabilities":
            self.capabilities = frozenset(arguments[0].replace(",", " ").split())
            return
        if name == "select_move":
            self._take_move(arguments[0])
            return
        if name == "send_message":
            self._take_said(Said(self, *arguments))
            return
        if name == "warn":
            self._take_said(Warned(self, shown(arguments[0], LONGEST_REASON)))
            return
        with self._lock:
            sent = self._unanswered.popleft() if self._unanswered else None
            self._news -= sent is not None and sent.kind == _NEWS
        if sent is None:
            self.fail(f"it says {shown(line)!r} without being asked")
            return
        if sent.answered is not None:
            sent.answered((name, arguments[0] if arguments else ""))
        if sent.kind == _NEWS and not self.is_behind:
            self.inbox.put(CaughtUp(self))

    def _take_silence(self) -> None:
        self._blank += 1
        if self._blank > MOST_SAID:
            self.fail("it sends blank lines without end")

    def _take_move(self, move: str) -> None:
        self._unasked += 1
        if self._unasked > MOST_UNASKED:
            self.fail("it selects moves without being asked")
            return
        with self._lock:  # nothing can be announced between the look and the entry
            if not self.is_behind:
                self.inbox.put(Selected(self, move))

    def _take_said(self, event: Said | Warned) -> None:
        self._said += 1
        if self._said > MOST_SAID:
            self.fail("it talks without end")
        else:
            self.inbox.put(event)

    def fail(self, reason: str) -> None:
        """Mark the engine as failed, with a reason, and end the connection."""
        with self._lock:
            if self.failure or self._closed:
                return
            self.failure = reason
        self.close()
        self.failure += self._last_words()
        self._answer_nothing()
        self.inbox.put(Lost(self, self.failure))

    def _answer_nothing(self) -> None:
        """Tell everybody who waits for an answer that there will be none."""
        with self._lock:
            unanswered, self._unanswered = self._unanswered, deque()
        for sent in unanswered:
            if sent.answered is not None:
                sent.answered(None)

    def _last_words(self) -> str:
        """The last output of a failed engine, after a comma."""
        return ""


def answer_time(line: str) -> float:
    """The timeout for the answer to a command, in seconds."""
    return LONG_TIMES.get(first_word(line)[0], ANSWER_TIME)
