"""``ludens gtp``: any player as a GTP program for Go and Hex, for interfaces and tournament tools."""

from __future__ import annotations

from typing import Annotated

import typer

from ludens.cli.terminal.answers import answers_only, put
from ludens.cli.terminal.console import (
    Backend,
    BackendOption,
    ClockOption,
    GameArgument,
    PlayerOption,
    SeedOption,
    StartClockOption,
    errors,
    new_seed,
    printable,
    typed_lines,
)
from ludens.protocols.ggtp.rules import choose_rule
from ludens.protocols.gtp.server import GtpServer
from ludens.protocols.lent_player import LentPlayer


def gtp(
    game: GameArgument = "go",
    player: PlayerOption = "mcts",
    clock: ClockOption = 1.0,
    start_clock: StartClockOption = 10.0,
    resign: Annotated[
        float,
        typer.Option("--resign", min=0, max=50, metavar="P", help="Resign below P % of a win; 0: never."),
    ] = 0.0,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
) -> None:
    """Run a player as a GTP program (version 2) on standard input and output: go, go:13, hex (docs/gtp-uci.md).

    The clock is for controllers that keep no time themselves.
    """
    with answers_only():
        lent = LentPlayer(
            player, seed=new_seed(seed), start_clock=start_clock, log=lambda text: errors.print(printable(text))
        )
        server = GtpServer(
            choose_rule(game, backend),
            lent,
            name=f"ludens {player}",
            seconds=clock,
            write=lambda text: put(text, end=""),
            resign_below=resign,
        )
        for line in typed_lines():
            answer = server.answer(line)
            if answer is not None:
                put(answer, end="")
            if server.finished:
                break
        server.close()
