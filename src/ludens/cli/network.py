"""Options of commands that talk GGTP with other machines: addresses, tokens, TLS."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from ludens.protocols.ggtp.network.client import Connection
from ludens.protocols.ggtp.network.hello import TOKEN_OF, Hello, Tokens, read_token
from ludens.protocols.ggtp.network.sockets import NetworkError, parse_address
from ludens.protocols.ggtp.network.tls import client_context

TOKEN_VARIABLE = "LUDENS_TOKEN"
"""The environment variable with a guest's token."""

ConnectOption = Annotated[
    str | None,
    typer.Option("--connect", metavar="HOST:PORT", help="Connect to Rules elsewhere ('ludens ggtp --listen')."),
]
NameOption = Annotated[str | None, typer.Option("--name", help="What to be called there; made up if left out.")]
TokenOption = Annotated[
    Path | None,
    typer.Option("--token-file", metavar="FILE", help=f"A file with the token; or else ${TOKEN_VARIABLE} has it."),
]
TlsOption = Annotated[bool, typer.Option("--tls", help="Connect by TLS, trusting what this machine trusts.")]
AuthorityOption = Annotated[
    Path | None, typer.Option("--tls-ca", metavar="FILE", help="Connect by TLS, trusting the certificates in FILE.")
]


def connection_to(
    address: str, kind: str, name: str | None, token_file: Path | None, *, tls: bool, authority: Path | None
) -> Connection:
    """A connection to Rules elsewhere. Raises `NetworkError` if there is none."""
    token = os.environ.get(TOKEN_VARIABLE, "") if token_file is None else read_token(token_file)
    if not token:
        raise NetworkError(f"a token is needed: give --token-file FILE, or set {TOKEN_VARIABLE}")
    hello = Hello(kind, name or f"{kind}-{secrets.token_hex(3)}", token)
    return Connection(parse_address(address), hello, client_context(authority) if tls or authority else None)


def tokens_for_guests(path: Path | None) -> Tokens:
    """The tokens in a file; or new ones, which are told on standard error."""
    if path is not None:
        return Tokens.read(path)
    tokens = Tokens.new()
    for kind, token in tokens.by_kind.items():
        kinds = " and ".join(f"{guest}s" for guest, needed in TOKEN_OF.items() if needed == kind)
        print(f"token for {kinds}: {token}", file=sys.stderr)
    return tokens
