"""``ludens mcp``: serve games to agents by the Model Context Protocol."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

from ludens.cli.terminal.console import errors
from ludens.cli.terminal.extras import needs
from ludens.core import LudensError
from ludens.web.settings import Limits

HOST = "127.0.0.1"
"""Where the server listens: only programs of this machine can reach it."""
_SHORTEST_TOKEN = 16


def mcp(
    port: Annotated[
        int | None,
        typer.Option("--http", min=0, max=65_535, metavar="PORT", help="Serve HTTP on loopback; 0 for a free port."),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", metavar="FILE", help="The token for HTTP, instead of a new one that is printed."),
    ] = None,
) -> None:
    """Serve games to language models and other agents by the Model Context Protocol: on standard input and output, or
    on loopback by HTTP, where several agents can sit at one table.

    Agents list, explain and play games, write rule sheets and analyse them. They cannot run Python.
    """
    with needs("mcp"):
        from ludens.web.agents.server import create_server, guarded_app  # noqa: PLC0415 - needs the extra
    if port is None:
        if token_file is not None:
            raise LudensError("--token-file is for --http: standard input needs no token")
        create_server().run("stdio")
        return
    import uvicorn  # noqa: PLC0415 - as above

    from ludens.cli.servers.web import listen  # noqa: PLC0415 - as above

    token = secrets.token_urlsafe(16) if token_file is None else _read_token(token_file)
    listener = listen(HOST, port)
    errors.print(f"MCP server: http://{HOST}:{listener.getsockname()[1]}/mcp", markup=False)
    if token_file is None:
        errors.print(f"Authorization: Bearer {token}", markup=False)
    app = guarded_app(create_server(), token, HOST, Limits())
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=3)
    uvicorn.Server(config).run(sockets=[listener])


def _read_token(path: Path) -> str:
    try:
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise LudensError(f"cannot read the token in {path}: {error}") from None
    if len(token) < _SHORTEST_TOKEN:
        raise LudensError(f"the token in {path} has {len(token)} characters; {_SHORTEST_TOKEN} are the least")
    return token
