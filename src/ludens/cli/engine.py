"""``ludens engine``: any player as a GGTP engine on standard input and output."""

from __future__ import annotations

from typing import Annotated

import typer

from ludens.cli.console import Backend, BackendOption, SeedOption, new_seed
from ludens.protocols.ggtp.engine import serve


def engine(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A player of 'ludens players', or Minimax.")],
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
) -> None:
    """Be a GGTP engine: answer the Rules on standard output until they hang up (docs/ggtp.md)."""
    raise typer.Exit(serve(name, backend, new_seed(seed)))
