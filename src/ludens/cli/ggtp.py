"""``ludens ggtp``: the Rules of GGTP for a Supervisor at the terminal, on a pipe or in a file."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from ludens.cli.console import Backend, BackendOption, SeedOption, console, printable
from ludens.core import LudensError
from ludens.protocols.ggtp.commands import ALIASES, SUPERVISOR
from ludens.protocols.ggtp.engines import engine_starter
from ludens.protocols.ggtp.inbox import Inbox, Line
from ludens.protocols.ggtp.session import Session
from ludens.protocols.ggtp.supervisor import Supervisor

_COLOURS = {"=": "green", "?": "red", "->": "cyan"}
_PROMPT = "ggtp> "


def ggtp(
    playfile: Annotated[
        Path | None, typer.Argument(metavar="[PLAYFILE]", help="A file of commands that is read first.")
    ] = None,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
) -> None:
    """Play any game by GGTP, the text protocol for general gaming (docs/ggtp.md); 'list_commands' tells the commands.

    On a pipe, what is read and written is plain text. At the end of the input with genmove on, engines finish the play.
    """
    at_terminal = sys.stdin.isatty()
    inbox = Inbox()
    session = Session(_writer(), inbox, engine_starter(backend, seed or 0), backend=backend, seed=seed or 0)
    supervisor = Supervisor(session, waits=not at_terminal)
    try:
        if playfile is not None:
            _read(supervisor, playfile)
        reading = threading.Thread(target=_type if at_terminal else _pipe, args=(session,), daemon=True)
        if not session.finished:
            reading.start()
        supervisor.run()
    except KeyboardInterrupt:
        pass
    finally:
        session.close()
    if supervisor.failed:
        raise typer.Exit(1)


def _read(supervisor: Supervisor, playfile: Path) -> None:
    try:
        supervisor.read(playfile)
        supervisor.session.go_on()
    except LudensError as error:
        supervisor.failed = True
        supervisor.session.output.write("?", str(error))


def _writer() -> Callable[[str], None]:
    """What shows a line: in colour at a terminal, otherwise as it is and at once."""
    if not sys.stdout.isatty():
        return lambda line: print(line, flush=True)

    def show(line: str) -> None:
        style = _COLOURS.get(line.split(" ", 1)[0])
        console.print(printable(line), style=style)

    return show


def _pipe(session: Session) -> None:
    """Lines of a pipe, of any length."""
    for line in sys.stdin:
        session.inbox.put(Line(line))
    session.inbox.put(Line(None))


def _type(session: Session) -> None:
    """Lines that a person types, with history and completion; no prompt is left behind at the end."""
    _prepare_readline()
    while not session.finished:
        try:
            line = Line(input(_PROMPT))
        except (EOFError, OSError):
            break
        session.inbox.put(line)
        line.answered.wait()
    session.inbox.put(Line(None))


def _prepare_readline() -> None:
    try:
        import readline  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    names = sorted((*SUPERVISOR, *ALIASES))

    def complete(text: str, number: int) -> str | None:
        found = [name for name in names if name.startswith(text)]
        return f"{found[number]} " if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" \t")
    readline.parse_and_bind("tab: complete")
