"""``ludens web``: serve the web page."""

from __future__ import annotations

import ipaddress
import secrets
import socket
import threading
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from ludens.cli.terminal.console import console
from ludens.cli.terminal.extras import needs
from ludens.core import LudensError
from ludens.core.folders import data_folder
from ludens.core.process import allow_open_files
from ludens.web.lock import lock_folder
from ludens.web.settings import Settings

DEFAULT_PORT = 8123
"""The default port, unless it is in use."""
_MOST_CONNECTIONS = 16_384
"""Each is an open file, of which many systems allow a process only 1,024 unless it asks."""
_LONGEST_MESSAGE = 20_000
"""Bytes that a browser may send at once over a WebSocket; what it sends are moves."""
_MOST_MESSAGES = 8
"""Such messages that wait to be read; who sends more than it may has to wait, and they with it, in memory."""


def web(
    host: Annotated[
        str, typer.Option("--host", metavar="HOST", help="The address to listen on; 0.0.0.0 for all machines.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65_535, metavar="PORT", help=f"Default: {DEFAULT_PORT}, or a free port."),
    ] = None,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="FOLDER", help="Where matches and records are kept.")
    ] = None,
    names: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="NAME", help="Another host name under which browsers may open the page."),
    ] = None,
) -> None:
    """Serve the web page, in which people play, watch and understand games, until Ctrl-C. Matches survive a restart."""
    listener = listen(host, port)
    token = secrets.token_urlsafe(16)
    settings = Settings(data=data or data_folder(), host=host, names=tuple(names or ()), admin_token=token)
    address = f"http://{_browser_host(host)}:{listener.getsockname()[1]}/"
    with lock_folder(settings.data, address):
        _serve(settings, listener, address, open_page)


def _serve(settings: Settings, listener: socket.socket, address: str, open_page: bool) -> None:
    with needs("web"):
        import uvicorn  # noqa: PLC0415 - an extra

        from ludens.web.app import create_app  # noqa: PLC0415 - needs the extra
        from ludens.web.connections import bounded_protocol, bounded_sockets  # noqa: PLC0415 - as above
    console.print(f"ludens is at {address} (Ctrl-C stops it; matches continue at the next start)", markup=False)
    console.print(f"administration token: {settings.admin_token}", markup=False)
    if not _is_loopback(settings.host):
        console.print("Everybody who can reach this machine can play here.", style="yellow")
    if open_page:
        threading.Timer(0.8, webbrowser.open, [address]).start()
    allow_open_files(_MOST_CONNECTIONS)
    config = uvicorn.Config(
        create_app(settings),
        http=bounded_protocol(settings.limits),
        ws=bounded_sockets(settings.limits),
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


def listen(host: str, port: int | None) -> socket.socket:
    """The socket to serve on: the given port; by default the usual one, or any free one."""
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
    raise LudensError(f"cannot listen on {host}, port {candidate}: {reason}; choose another with --host or --port")


def _browser_host(host: str) -> str:
    """The host in the URL for a browser on this machine."""
    if host in {"0.0.0.0", "::"}:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
