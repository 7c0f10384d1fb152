"""Executes a Supervisor's lines in order of arrival, typed, piped or from a file."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ludens.core import LudensError
from ludens.protocols.ggtp.guests.lobby import Guest
from ludens.protocols.ggtp.guests.rights import check_rights
from ludens.protocols.ggtp.handlers import COMMANDS
from ludens.protocols.ggtp.handlers.kinds import DONE
from ludens.protocols.ggtp.inbox import Line
from ludens.protocols.ggtp.language import options
from ludens.protocols.ggtp.language.commands import ALIASES, POSITIONING, RESTORING, SUPERVISOR
from ludens.protocols.ggtp.language.grammar import CommandError, first_word, shown
from ludens.protocols.ggtp.language.output import answer
from ludens.protocols.ggtp.plays.playfile import read_lines
from ludens.protocols.ggtp.session import Session
from ludens.protocols.ggtp.steps import Steps

_Item = TypeVar("_Item")
MOST_FILES = 8
"""How deep files may load files."""


class Supervisor:
    """Reads and executes the lines of a Supervisor."""

    def __init__(self, session: Session, *, waits: bool, stays: bool = False) -> None:
        self.session = session
        session.serve = self.serve
        self._stays = stays
        """Whether guests may come after the end of the input."""
        self._waits = waits
        """Whether commands about the position wait for engines; for people at a terminal they do not."""
        self._depth = 0
        self._is_asking = False
        """True while a line of this process's Supervisor is not answered: then its next one waits."""
        self.failed = False
        """True if a file could not be read to its end."""

    def run(self) -> None:
        """Process lines and events of engines and guests in order of arrival, until the Supervisor leaves."""
        session = self.session
        while not session.finished:
            try:
                item = session.inbox.get(session.timeout(people=True), local=not self._is_asking)
            except KeyboardInterrupt:
                if not session.interrupt():
                    raise
                continue
            if item is None:
                self._handle_event(session.late, time.monotonic())
            elif not isinstance(item, Line):
                self._handle_event(session.handle, item)
            elif item.text is not None:
                self.serve(item)
            elif not self._stays:
                break
        if not session.finished:
            self.finish()

    def serve(self, line: Line) -> None:
        """Execute a line of the Supervisor or a guest, whose next line waits for the answer."""
        self._handle_event(self.session.late, line.arrived)
        self.do(line.text or "", line.guest, line.answered.set)

    def _handle_event(self, step: Callable[[_Item], None], item: _Item) -> None:
        """Process an event; failures are reported to the Supervisors."""
        try:
            step(item)
        except LudensError as error:
            self.session.output.inform(f"error: {error}")

    def finish(self) -> None:
        """At the end of the input, with genmove on, let the engines finish the play; then disconnect them."""
        if self.session.options[options.GENMOVE]:
            try:
                self.session.paused = False
                self.session.go_on()
                self.session.wait(guests=True)
            except LudensError as error:
                self.session.output.inform(f"error: {error}")
        self.session.close()

    def do(self, line: str, guest: Guest | None = None, answered: Callable[[], None] = lambda: None) -> None:
        """Execute a line, of a guest if given, and answer it, at once or when an engine that it is about has answered.

        No effect for blank lines and comments.
        """
        if not first_word(line)[0]:
            answered()
            return
        write = self.session.output.local if guest is None else guest.write

        def done(found: str) -> None:
            end("=", found)
            if guest is not None and first_word(line)[0] == "quit":
                guest.leave()

        def failed(error: LudensError) -> None:
            end("?", str(error))

        def end(symbol: str, text: str) -> None:
            if guest is None:
                self._is_asking = False
            answer(write, symbol, text)
            answered()

        if guest is None:
            self._is_asking = True
        self.session.begin(self._execute(line, waits=self._waits and guest is None, guest=guest), done, failed)

    def _execute(self, line: str, *, waits: bool, goes_on: bool = True, guest: Guest | None = None) -> Steps[str]:
        """The answer to a line."""
        name, rest = first_word(line)
        command = SUPERVISOR.get(ALIASES.get(name, name))
        if command is None:
            raise CommandError(f"Unknown command {shown(name)}. Use list_commands to see commands.")
        arguments = command.arguments(rest)
        session = self.session
        if guest is not None:
            arguments = check_rights(session, guest, command.name, arguments)
            if command.name == "quit":
                return DONE
        if session.options[options.SHOW_COMMAND]:
            session.output.inform(shown(" ".join((command.name, rest)).strip()))
        if waits and command.name in POSITIONING:
            session.wait()
        handler = self._file if command.name == "load_file" else COMMANDS[command.name]
        found = handler(session, *arguments)
        if not isinstance(found, str):
            found = yield from found
        if command.recorded:
            session.record()
        if goes_on:
            session.go_on()
        return found

    def _file(self, session: Session, filename: str) -> Steps[str]:
        yield from self._read(Path(filename))
        return DONE

    def read(self, path: Path) -> None:
        """Execute a file. Raises `CommandError` with the line at which it stopped."""
        self.session.complete(self._read(path))

    def _read(self, path: Path) -> Steps[None]:
        """The play does not advance between the commands of a file that restore it."""
        if self._depth >= MOST_FILES:
            raise CommandError(f"{path}: files load files more than {MOST_FILES} deep.")
        session = self.session
        self._depth += 1
        try:
            for number, line in enumerate(read_lines(path), start=1):
                name = first_word(line)[0]
                if not name or session.finished:
                    continue
                try:
                    if name not in RESTORING:
                        session.go_on()
                    found = yield from self._execute(line, waits=name not in RESTORING, goes_on=False)
                except LudensError as error:
                    raise CommandError(f"{path}, line {number}: {error}") from None
                if found != DONE:
                    answer(session.output.local, "=", found)
        finally:
            self._depth -= 1
