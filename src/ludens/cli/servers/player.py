"""``ludens player``: serve a player over the GGP HTTP protocol, for ``ludens controller`` and other servers."""

from __future__ import annotations

import threading
from typing import Annotated

import typer

from ludens.cli.terminal.console import (
    Backend,
    BackendOption,
    JsonOption,
    PlayerOption,
    SeedOption,
    console,
    errors,
    new_seed,
    print_json,
    printable,
)
from ludens.core.process import allocate_from_one_arena
from ludens.protocols.ggp.host import PlayerHost
from ludens.protocols.ggp.server import Server
from ludens.protocols.ggp.wire import DEFAULT_PORT, Address

_CONNECTIONS = 64
"""Connections beside those that wait for a move."""


def player(
    name: PlayerOption = "mcts",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65_535, metavar="PORT", help="Where to listen; 0 for any free port.")
    ] = DEFAULT_PORT,
    host: Annotated[
        str, typer.Option("--host", metavar="HOST", help="0.0.0.0 to be reached from other machines, too.")
    ] = "127.0.0.1",
    called: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="The name sent to servers; default ludens-PLAYER.")
    ] = None,
    matches: Annotated[
        int, typer.Option("--matches", min=1, max=1_000, metavar="N", help="Matches at once; then it is 'busy'.")
    ] = 4,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not log.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Serve a player over the GGP HTTP protocol until Ctrl-C. There is no authentication."""

    def log(text: str) -> None:
        if not quiet:
            errors.print(printable(text), style="dim", soft_wrap=True)

    shown = called or f"ludens-{name.partition(':')[0]}"
    allocate_from_one_arena()
    hosted = PlayerHost(name, name=shown, most_matches=matches, backend=backend, seed=new_seed(seed), log=log)
    with Server(hosted.answer, host, port, most_connections=2 * matches + _CONNECTIONS) as server:
        try:
            address = Address(host, server.port)
            if as_json:
                print_json({"url": str(address), "player": name, "name": shown})
            else:
                console.print(f"{printable(shown)} listens on {address}; Ctrl-C ends it")
            threading.Event().wait()
        except KeyboardInterrupt:
            errors.print("stopped", style="dim")
        finally:
            hosted.close()
