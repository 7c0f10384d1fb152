"""``ludens ggtp``: the Rules of GGTP for a Supervisor at the terminal, on a pipe or in a file."""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from ludens.cli.terminal.answers import answers_only, put
from ludens.cli.terminal.console import Backend, BackendOption, SeedOption, console, printable, typed_lines
from ludens.cli.terminal.network import (
    AuthorityOption,
    ConnectOption,
    NameOption,
    TlsOption,
    TokenOption,
    connection_to,
    tokens_for_guests,
)
from ludens.core import LudensError
from ludens.protocols.ggtp.engines.registry import engine_starter
from ludens.protocols.ggtp.inbox import Inbox, Line
from ludens.protocols.ggtp.language.commands import ALIASES, SUPERVISOR
from ludens.protocols.ggtp.language.output import answer
from ludens.protocols.ggtp.network.client import be_guest
from ludens.protocols.ggtp.network.hello import OBSERVER, PLAYER
from ludens.protocols.ggtp.network.hello import SUPERVISOR as SUPERVISOR_KIND
from ludens.protocols.ggtp.network.listener import Listener
from ludens.protocols.ggtp.network.sockets import parse_address
from ludens.protocols.ggtp.network.tls import server_context
from ludens.protocols.ggtp.session import Session
from ludens.protocols.ggtp.supervisor import Supervisor
from ludens.referee.latency import switch_quickly


class Kind(StrEnum):
    """The kinds of guests."""

    SUPERVISOR = SUPERVISOR_KIND
    PLAYER = PLAYER
    OBSERVER = OBSERVER


_COLOURS = {"=": "green", "?": "red", "->": "cyan"}
_PROMPT = "ggtp> "
_prompting = threading.Event()
"""Set while a line is typed at the prompt."""


def ggtp(
    playfile: Annotated[
        Path | None, typer.Argument(metavar="[PLAYFILE]", help="A file of commands that is read first.")
    ] = None,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
    listen: Annotated[
        str | None,
        typer.Option(
            "--listen",
            metavar="[HOST:]PORT",
            help="Accept engines and people over the network; without HOST, only from this machine.",
        ),
    ] = None,
    tokens: Annotated[
        Path | None,
        typer.Option("--tokens", metavar="FILE", help="Tokens of guests, 'KIND TOKEN' per line; new ones by default."),
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option("--tls-cert", metavar="FILE", help="Listen by TLS with this certificate (PEM).")
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option("--tls-key", metavar="FILE", help="The key of the certificate, if it is not in it.")
    ] = None,
    connect: ConnectOption = None,
    kind: Annotated[
        Kind, typer.Option("--as", metavar="KIND", help="Connect as supervisor, player or observer.")
    ] = Kind.SUPERVISOR,
    name: NameOption = None,
    token_file: TokenOption = None,
    tls: TlsOption = False,
    tls_ca: AuthorityOption = None,
) -> None:
    """Play any game by GGTP, the text protocol for general gaming (docs/ggtp.md); 'list_commands' lists the commands.

    On a pipe, what is read and written is plain text. At the end of the input with genmove on, engines finish the play;
    with --listen the Rules stay until 'quit' or 'shut_down'. With --connect, the Rules are remote.
    """
    if connect is not None:
        connection = connection_to(connect, kind.value, name, token_file, tls=tls, authority=tls_ca)
        with _kept_terminal_mode():
            be_guest(connection, _read_typed_lines() if sys.stdin.isatty() else typed_lines(), _writer())
        return
    session = Session(_writer(), Inbox(), engine_starter(backend, seed or 0), backend=backend, seed=seed or 0)
    if listen is not None:
        context = None if tls_cert is None else server_context(tls_cert, tls_key)
        listener = Listener(parse_address(listen), tokens_for_guests(tokens), session.lobby, session.inbox, context)
        session.output.inform("listening on {}:{}".format(*listener.address))
        switch_quickly()
        gc.freeze()  # a full collection that looks at all imported code takes 80 ms, in which nobody is answered
    plain = contextlib.nullcontext() if sys.stdout.isatty() else answers_only()
    with plain, _kept_terminal_mode(), _ctrl_c_into(session.inbox):
        _supervise(session, playfile, stays=listen is not None)


@contextlib.contextmanager
def _kept_terminal_mode() -> Iterator[None]:
    """Reset the terminal at the end: a thread that still waits for typed characters has switched their echo off."""
    if not sys.stdin.isatty():
        yield
        return
    try:
        import termios  # noqa: PLC0415 - not on every system
    except ImportError:
        yield
        return
    mode = termios.tcgetattr(sys.stdin)
    try:
        yield
    finally:
        with contextlib.suppress(termios.error):  # it has been closed
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, mode)


@contextlib.contextmanager
def _ctrl_c_into(inbox: Inbox) -> Iterator[None]:
    """Pass Ctrl-C on to the Rules; a second one that comes while they are still busy ends the program."""

    def handle(number: int, frame: FrameType | None) -> None:
        if not inbox.interrupt():
            raise SystemExit(128 + number)

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield  # Ctrl-C is ignored, or somebody else's
        return
    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _supervise(session: Session, playfile: Path | None, *, stays: bool) -> None:
    """Run the commands of a file, then those typed or piped; exit with 1 if the file failed."""
    at_terminal = sys.stdin.isatty()
    supervisor = Supervisor(session, waits=not at_terminal, stays=stays)
    try:
        if playfile is not None:
            _read(supervisor, playfile)
        reading = threading.Thread(
            target=_prompt_lines if at_terminal else _read_piped_lines, args=(session,), daemon=True
        )
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
        answer(supervisor.session.output.local, "?", str(error))


def _writer() -> Callable[[str], None]:
    """The function that prints a line: in colour at a terminal, otherwise plain and flushed."""
    if not sys.stdout.isatty():
        return put

    def show(line: str) -> None:
        style = _COLOURS.get(line.split(" ", 1)[0])
        typed = _typed_so_far()
        if typed is not None:
            print("\r\x1b[K", end="", flush=True)
        console.print(printable(line), style=style)
        if typed is not None:
            print(f"{_PROMPT}{typed}", end="", flush=True)

    return show


def _typed_so_far() -> str | None:
    """What stands behind the prompt while somebody types; None if there is no prompt on the screen."""
    if not _prompting.is_set():
        return None
    readline = sys.modules.get("readline")
    return "" if readline is None else str(readline.get_line_buffer())


def _read_piped_lines(session: Session) -> None:
    """Queue the lines of a pipe, of any length."""
    for line in typed_lines():
        session.inbox.put(Line(line))
    session.inbox.put(Line(None))


def _read_typed_lines() -> Iterator[str]:
    """Lines typed for remote Rules; without a prompt, since answers arrive at any time."""
    _prepare_readline()
    with contextlib.suppress(EOFError, OSError):
        while True:
            yield input()


def _prompt_lines(session: Session) -> None:
    """Queue typed lines, with history and completion; no prompt is left on the screen at the end."""
    _prepare_readline()
    while not session.finished:
        _prompting.set()
        try:
            line = Line(input(_PROMPT))
        except (EOFError, OSError):
            break
        finally:
            _prompting.clear()
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
