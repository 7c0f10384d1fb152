"""``ludens engine``: any player as a GGTP engine on standard input and output."""

from __future__ import annotations

from typing import Annotated

import typer

from ludens.cli.console import Backend, BackendOption, SeedOption, new_seed
from ludens.core import PlayerError
from ludens.protocols.ggtp.engine import serve


def engine(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A player of 'ludens players', Minimax, or gtp and uci for programs.")
    ],
    options: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="Set an option: command='gnugo --mode gtp'; repeatable."),
    ] = None,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
) -> None:
    """Be a GGTP engine: answer the Rules on standard output until they hang up (docs/ggtp.md)."""
    raise typer.Exit(serve(name, backend, new_seed(seed), dict(map(_setting, options or []))))


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise PlayerError(f"--option {text!r} is not NAME=VALUE")
    return name, value
