"""From a click on a card of the library to a board that can be clicked, in Chromium, on a server that was just started.

``python -m benchmarks.click [GAME …]`` starts ``ludens web`` anew for every game, with empty caches, opens the library
and clicks **Play**, at once or after ``--wait`` seconds. It prints a table: wall seconds from the click to the first
place or move that can be clicked, and the CPU seconds that server, workers and browser used meanwhile, which do not
depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.page import machine

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GAMES = (
    "chess", "shogi", "go", "bridge", "connect_four", "checkers", "backgammon", "othello", "hex", "tic_tac_toe",
    "hearts", "holdem", "stratego", "skat", "uno", "nine_mens_morris", "sokoban", "sudoku", "pig", "kriegspiel",
)  # fmt: skip
"""Games that people know, small and large, open and hidden."""
CLICKABLE = ".status.yours ~ .board .is-legal, .status.yours ~ #moves-panel #moves button"
_PATIENCE = 600_000
"""Milliseconds that a board may take."""
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Measured:
    """One click."""

    game: str
    wall: float
    """Seconds from the click to the board."""
    cpu: float
    """CPU seconds that all processes of server and browser used meanwhile."""


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES), help="names of the library")
    parser.add_argument("--wait", type=float, default=0.0, help="seconds before the click, in which people look")
    given = parser.parse_args()
    games: Sequence[str] = given.games
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - an extra

    print(f"{machine()}\n\n| game | click to board, s | CPU s |\n|---|--:|--:|", flush=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for game in games:
            found = measure(browser, game, given.wait)
            print(f"| {found.game} | {found.wall:.2f} | {found.cpu:.2f} |", flush=True)
        browser.close()


def measure(browser: Browser, game: str, wait: float) -> Measured:
    """One click on the card of a game, on a new server, some seconds after its page is there."""
    with cold_server() as address:
        page = browser.new_context().new_page()
        page.set_default_timeout(_PATIENCE)
        page.goto(f"{address}/library?q={game}")
        button = page.locator(f'[data-play="{game}"]').first
        button.wait_for()
        time.sleep(wait)
        before, start = cpu_seconds(os.getpid()), time.perf_counter()
        button.click()
        page.wait_for_selector(CLICKABLE)
        wall, cpu = time.perf_counter() - start, cpu_seconds(os.getpid()) - before
        page.context.close()
    return Measured(game, wall, cpu)


@contextmanager
def cold_server() -> Iterator[str]:
    """The address of a server that was just started, with empty folders."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as home:
        command = [
            sys.executable,
            "-c",
            "from ludens.cli.main import run; run()",
            "web",
            "--no-open",
            "--port",
            str(port),
        ]
        environment = os.environ | {"LUDENS_HOME": home}
        server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address)
            yield address
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()


def wait_for(address: str) -> None:
    """Wait until a server answers."""
    until = time.monotonic() + _PATIENCE / 1000
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(f"{address}/static/icon.svg").close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(address)


def cpu_seconds(root: int) -> float:
    """The CPU seconds so far of a process and all that it started, those that have ended included."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        process = int(path.parent.name)
        parents[process] = int(fields[1])
        ticks[process] = sum(map(int, fields[11:15]))
    family = {root}
    while more := {process for process, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(ticks.get(process, 0) for process in family) / _TICKS


if __name__ == "__main__":
    main()
