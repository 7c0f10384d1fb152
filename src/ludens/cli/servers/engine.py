"""``ludens engine``: any player as a GGTP engine, on standard input and output or over the network."""

from __future__ import annotations

from typing import Annotated

import typer

from ludens.cli.terminal.console import Backend, BackendOption, SeedOption, new_seed
from ludens.cli.terminal.network import (
    AuthorityOption,
    ConnectOption,
    NameOption,
    TlsOption,
    TokenOption,
    connection_to,
)
from ludens.core import Player, PlayerError
from ludens.players.registry import is_code, options_in, own_class
from ludens.protocols.ggtp.engines.engine import serve
from ludens.protocols.ggtp.engines.registry import engine_class
from ludens.protocols.ggtp.network.client import be_engine
from ludens.protocols.ggtp.network.hello import ENGINE


def engine(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A player of 'ludens players' (neural:best.pt with its file), Minimax, one of yours (mine.py), or gtp "
            "and uci for programs.",
        ),
    ],
    options: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="Set an option: command='gnugo --mode gtp'; repeatable."),
    ] = None,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
    connect: ConnectOption = None,
    called: NameOption = None,
    token_file: TokenOption = None,
    tls: TlsOption = False,
    tls_ca: AuthorityOption = None,
) -> None:
    """Run a player as a GGTP engine on standard input and output, or for the Rules at HOST:PORT (docs/ggtp.md)."""
    kind, rest = _kind(name)
    settings = options_in(kind, rest) | dict(map(_setting, options or []))
    if connect is None:
        raise typer.Exit(serve(kind, backend, new_seed(seed), settings))
    connection = connection_to(connect, ENGINE, called, token_file, tls=tls, authority=tls_ca)
    be_engine(connection, kind, backend, new_seed(seed), settings)


def _kind(text: str) -> tuple[type[Player], str]:
    """The class of the player, and the text of its options."""
    if is_code(text):
        return own_class(text)
    name, _, options = text.partition(":")
    return engine_class(name), options


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise PlayerError(f"--option {text!r} is not NAME=VALUE")
    return name, value
