"""Rules with a Supervisor in the test, and engines that are real but for their processes: threads on a real socket."""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Callable

from ludens.core import LudensError
from ludens.protocols.ggtp.engines.engine import Engine
from ludens.protocols.ggtp.engines.link import EngineLink
from ludens.protocols.ggtp.engines.registry import engine_class, find_engine
from ludens.protocols.ggtp.inbox import Inbox, Line
from ludens.protocols.ggtp.seats import Connect
from ludens.protocols.ggtp.session import Session
from ludens.protocols.ggtp.supervisor import Supervisor

SYMBOLS = ("=", "?", "->", "  ")
Behaviour = Callable[[socket.socket], None]
"""What an engine of a test does with its end of the socket."""


def _behave_well(name: str) -> Behaviour:
    def behave(end: socket.socket) -> None:
        def write(line: str) -> None:
            end.sendall((line + "\n").encode())

        engine = Engine(engine_class(name), write, backend="reference")
        with end, end.makefile("r", encoding="utf-8", newline="\n") as lines:
            try:
                for line in lines:
                    engine.do(line)
                    if engine.disconnected:
                        break
            except (LudensError, OSError):
                pass
            engine.close()

    return behave


def linked(name: str, behaviour: Behaviour, inbox: Inbox) -> EngineLink:
    """A link to an engine in a thread."""
    ours, theirs = socket.socketpair()
    threading.Thread(target=behaviour, args=(theirs,), daemon=True).start()
    return EngineLink(name, ours, inbox)


def query(link: EngineLink, line: str) -> tuple[str, str] | None:
    """The answer of an engine; None if it fails."""
    found: queue.SimpleQueue[tuple[str, str] | None] = queue.SimpleQueue()
    link.ask(line, found.put)
    return found.get(timeout=60)


def connect_in_process(text: str, inbox: Inbox) -> EngineLink:
    """An engine of ludens in a thread."""
    name = find_engine(text)
    return linked(name, _behave_well(name), inbox)


class Rules:
    """A session, and what it has written."""

    def __init__(self, connect: Connect = connect_in_process, seed: int = 1) -> None:
        self.lines: list[str] = []
        self.session = Session(self.lines.append, Inbox(), connect, backend="reference", seed=seed)
        self.supervisor = Supervisor(self.session, waits=True)

    def say(self, *commands: str) -> list[str]:
        """What is written after some commands, the engines' moves included."""
        before = len(self.lines)
        for command in commands:
            self.give(command)
            self.session.wait()
        return self.lines[before:]

    def give(self, *commands: str) -> None:
        """Give some commands, each when the one before is answered; moves are not waited for."""
        for command in commands:
            answered: list[bool] = []
            self.supervisor.do(command, None, lambda: answered.append(True))  # noqa: B023 - called in this round
            while not answered:
                self.session._attend(self.session.timeout(people=False), people=False)

    def ask(self, role: str, line: str) -> tuple[str, str]:
        """What an engine answers."""
        return self.session.complete(self.session.seats.ask(role, line))

    def settle(self) -> list[str]:
        """All that was written, once everything that engines did is taken in."""
        while (item := self.session.inbox.get(0, local=False)) is not None:
            if not isinstance(item, Line):
                self.session.handle(item)
        return self.lines

    def waits_for(self, *words: str) -> bool:
        """True as soon as a line with these words is written; False if nothing more happens for a minute."""
        while not any(all(word in line for word in words) for line in self.lines):
            item = self.session.inbox.get(60, local=False)
            if item is None:
                return False
            if not isinstance(item, Line):
                self.session.handle(item)
        return True

    def answer(self, command: str) -> str:
        """The last line after a command."""
        return self.say(command)[-1]


def check_transcript(text: str, rules: Rules | None = None) -> None:
    """Give the commands of a transcript, and compare what is written with what it says."""
    rules = rules or Rules()
    found: list[str] = []
    try:
        for line in text.strip("\n").split("\n"):
            if not line.startswith(SYMBOLS):
                found += [line, *rules.say(line)]
    finally:
        rules.session.close()
    assert "\n".join(found) == text.strip("\n")
