"""``ludens uci``: any player as a UCI program for chess, for interfaces and tournament tools."""

from __future__ import annotations

import queue
import threading

from ludens.cli.terminal.answers import answers_only, put
from ludens.cli.terminal.console import (
    Backend,
    BackendOption,
    ClockOption,
    PlayerOption,
    SeedOption,
    StartClockOption,
    errors,
    load_game,
    new_seed,
    printable,
    typed_lines,
)
from ludens.protocols.lent_player import LentPlayer
from ludens.protocols.uci.server import UciServer


def uci(
    player: PlayerOption = "mcts",
    clock: ClockOption = 1.0,
    start_clock: StartClockOption = 10.0,
    seed: SeedOption = None,
    backend: BackendOption = Backend.AUTO,
) -> None:
    """Run a player as a UCI chess program on standard input and output (docs/gtp-uci.md).

    The clock is for interfaces that say 'go' without a limit. 'isready' waits the start clock for the compiled rules.
    """
    with answers_only():
        lent = LentPlayer(
            player, seed=new_seed(seed), start_clock=start_clock, log=lambda text: errors.print(printable(text))
        )
        server = UciServer(lambda: load_game("chess", backend), player, lent, put, seconds=clock, compiling=start_clock)
        lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(lines, server), name="reader", daemon=True).start()
        while not server.finished and (line := lines.get()) is not None:
            server.do(line)
        server.close()


def _read(lines: queue.SimpleQueue[str | None], server: UciServer) -> None:
    """Read lines in a thread of their own: 'quit' holds at once, even if a line before it waits for the player.

    At the end of the input, what was asked before is answered first, as for a script.
    """
    for line in typed_lines():
        lines.put(line)
        if line.split()[:1] == ["quit"]:
            server.leave()
            break
    lines.put(None)
