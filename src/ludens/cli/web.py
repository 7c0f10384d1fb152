"""``ludens web``: the page in the browser."""

from __future__ import annotations

import ipaddress
import secrets
import socket
import threading
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from ludens.cli.console import console
from ludens.cli.extras import needs
from ludens.core import LudensError
from ludens.core.folders import data_folder
from ludens.core.process import allow_open_files
from ludens.web.lock import locked
from ludens.web.settings import Settings

DEFAULT_PORT = 8123
"""Where the page is, unless somebody else listens there already."""
_MOST_CONNECTIONS = 16_384
"""Each is an open file, of which many systems allow a process only 1,024 unless it asks."""
_LONGEST_MESSAGE = 20_000
"""Bytes that a browser may send at once over a WebSocket; what it sends are moves."""
_MOST_MESSAGES = 8
"""Such messages that wait to be read; who sends more than it may has to wait, and they with it, in memory."""


def web(
    host: Annotated[
        str, typer.Option("--host", metavar="HOST", help="0.0.0.0 to be reached from other machines, too.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65_535, metavar="PORT", help=f"{DEFAULT_PORT}, or a free one, if left out."),
    ] = None,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="FOLDER", help="Where matches and records are kept.")
    ] = None,
    names: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="NAME", help="Another name by which browsers may ask for the page."),
    ] = None,
) -> None:
    """Serve the page in which people play, watch and understand games, until Ctrl-C. Matches go on after a restart."""
    listener = _listen(host, port)
    token = secrets.token_urlsafe(16)
    settings = Settings(data=data or data_folder(), host=host, names=tuple(names or ()), admin_token=token)
    address = f"http://{_shown(host)}:{listener.getsockname()[1]}/"
    with locked(settings.data, address):
        _serve(settings, listener, address, open_page)


def _serve(settings: Settings, listener: socket.socket, address: str, open_page: bool) -> None:
    with needs("web"):
        import uvicorn  # noqa: PLC0415 - an extra

        from ludens.web.app import create_app  # noqa: PLC0415 - needs the extra
    console.print(f"ludens is at {address} (Ctrl-C ends it; matches go on next time)", markup=False)
    console.print(f"administration token: {settings.admin_token}", markup=False)
    if not _is_loopback(settings.host):
        console.print("Everybody who can reach this machine can play here.", style="yellow")
    if open_page:
        threading.Timer(0.8, webbrowser.open, [address]).start()
    allow_open_files(_MOST_CONNECTIONS)
    config = uvicorn.Config(
        create_app(settings),
        log_level="warning",
        access_log=False,  # the addresses of seats have their tokens
        proxy_headers=False,  # limits are for clients, who could write anything into such a header
        server_header=False,
        ws_per_message_deflate=False,
        ws_max_size=_LONGEST_MESSAGE,
        ws_max_queue=_MOST_MESSAGES,
        timeout_graceful_shutdown=3,
    )
    uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int | None) -> socket.socket:
    """The socket to serve on: the port asked for; if none was, the usual one, or any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in (DEFAULT_PORT, 0) if port is None else (port,):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
        except OSError as error:
            listener.close()
            reason = error.strerror or str(error)
        else:
            listener.listen(512)
            return listener
    raise LudensError(f"cannot listen on {host}, port {candidate}: {reason}; choose others with --host and --port")


def _shown(host: str) -> str:
    """The host as a browser on this machine is to call it."""
    if host in {"0.0.0.0", "::"}:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
