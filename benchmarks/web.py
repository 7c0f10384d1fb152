"""How soon spectators see what happens, and what memory does: ``python -m benchmarks.web [--minutes 10]``.

A server of its own plays matches between players that compute all the time, as many at once as asked for; when one is
over, another begins. Spectators follow them by WebSocket, like browsers. An update's delay is from the moment when the
worker begins to draw it to its arrival at the spectator. Memory is that of the server and of its workers, by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvicorn
import websockets

from ludens.web.app import create_app
from ludens.web.settings import Limits, Settings

GAMES = ("connect_four", "tic_tac_toe", "othello", "breakthrough", "checkers")
"""What is played, in turn."""
_LIMITS = Limits(matches=10_000, matches_of_client=10_000, sockets_of_client=10_000)
_PARTS = 8
"""Parts of the time for which the memory is told."""
_SAMPLE_SECONDS = 5.0


@dataclass
class Findings:
    """What was measured."""

    delays: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Seconds until updates of a kind arrived."""
    memory: list[tuple[float, float, float]] = field(default_factory=list)
    """Seconds since the beginning, megabytes of the server, megabytes of its workers."""
    first_moves: list[float] = field(default_factory=list)
    """Seconds from the wish to play to one's first move, on a server without matches."""
    counted_from: float = 0.0
    """The moment from which delays are counted, once all games are compiled and all players ready."""
    finished: int = 0
    """Matches that ended."""


def serve(port: int, folder: str) -> None:
    """Be the server, until standard input is closed."""
    app = create_app(Settings(data=Path(folder), limits=_LIMITS))
    config = uvicorn.Config(app, port=port, log_level="error", access_log=False, ws_per_message_deflate=False)
    uvicorn.Server(config).run()


@contextlib.contextmanager
def server() -> Iterator[tuple[str, int]]:
    """A server of its own: its address and process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([sys.executable, "-m", "benchmarks.web", "--serve", str(port), folder])
        address = f"http://127.0.0.1:{port}"
        try:
            _wait_for(address)
            yield address, process.pid
        finally:
            process.terminate()
            process.wait(30)


def _wait_for(address: str) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with contextlib.suppress(httpx.HTTPError):
            httpx.get(address + "/play/players")
            return
        time.sleep(0.2)
    raise TimeoutError("the server does not start")


async def begin(client: httpx.AsyncClient, game: str, players: list[str], clock: float) -> dict[str, Any]:
    """Begin a match."""
    answer = await client.post("/play/game", json={"game": game}, timeout=120)
    if not answer.is_success:
        raise SystemExit(f"/play/game: {answer.status_code} {answer.text}")
    roles = answer.json()["roles"]
    seats = {
        role: {"player": player, "clock": None if player == "human" else clock}
        for role, player in zip(roles, players, strict=True)
    }
    found: dict[str, Any] = (await client.post("/play", json={"game": game, "seats": seats}, timeout=120)).json()
    return found


async def messages(address: str, match: str, seat: str = "") -> AsyncIterator[dict[str, Any]]:
    """What a page of the match is sent."""
    query = f"?seat={seat}" if seat else ""
    url = f"{address.replace('http', 'ws')}/live/{match}{query}"
    async with websockets.connect(url, compression=None, max_size=None, open_timeout=120) as connection:
        async for text in connection:
            envelope = json.loads(text)
            for message in envelope["messages"]:
                yield message | {"everything": envelope.get("all", False)}


async def first_move(address: str, game: str) -> float:
    """Seconds from the wish to play until a person is asked for its first move."""
    async with httpx.AsyncClient(base_url=address) as client:
        began = time.monotonic()
        match = await begin(client, game, ["human", "auto"], 1.0)
        token = match["seats"][0]["path"].rpartition("/")[2]
        async for message in messages(address, match["match"], token):
            if message["kind"] == "asked":
                break
        seconds = time.monotonic() - began
        await client.post(f"/watch/{match['match']}/stop", headers={"authorization": f"Bearer {match['owner']}"})
    return seconds


async def spectate(address: str, match: str, findings: Findings) -> None:
    """Follow a match to its end."""
    async for message in messages(address, match):
        if "at" in message and not message["everything"] and time.monotonic() > findings.counted_from:
            findings.delays[message["kind"]].append(time.time() - message["at"])
        if message["kind"] == "ended":
            return


async def keep_playing(address: str, number: int, args: argparse.Namespace, findings: Findings, until: float) -> None:
    """One match after the other, each with its share of spectators."""
    spectators = args.spectators // args.matches
    async with httpx.AsyncClient(base_url=address) as client:
        while time.monotonic() < until:
            game = GAMES[number % len(GAMES)]
            match = await begin(client, game, [args.player, args.player], args.clock)
            watching = [asyncio.create_task(spectate(address, match["match"], findings)) for _ in range(spectators)]
            _, pending = await asyncio.wait(watching, timeout=max(1.0, until - time.monotonic()))
            for task in pending:
                task.cancel()
            findings.finished += not pending


async def sample_memory(pid: int, findings: Findings, until: float) -> None:
    """Write down the memory now and then."""
    began = time.monotonic()
    while time.monotonic() < until:
        workers = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        own, theirs = megabytes(pid), sum(megabytes(int(worker)) for worker in workers)
        findings.memory.append((time.monotonic() - began, own, theirs))
        await asyncio.sleep(_SAMPLE_SECONDS)


def megabytes(pid: int) -> float:
    """The memory of a process that is its own."""
    with contextlib.suppress(OSError):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("Private")) / 1024
    return 0.0


async def measure(args: argparse.Namespace) -> Findings:
    """All measurements on one server."""
    findings = Findings()
    with server() as (address, pid):
        await asyncio.sleep(args.warm_up)
        findings.first_moves = [await first_move(address, "tic_tac_toe") for _ in range(5)]
        findings.counted_from = time.monotonic() + args.settle
        until = findings.counted_from + 60 * args.minutes
        playing = [keep_playing(address, number, args, findings, until) for number in range(args.matches)]
        await asyncio.gather(sample_memory(pid, findings, until), *playing)
    return findings


def report(findings: Findings, args: argparse.Namespace) -> str:
    """What was found, in words."""
    lines = [
        f"{args.matches} matches at once of {args.player} with {args.clock:g} s a move, {args.spectators} spectators, "
        f"{args.minutes:g} minutes; {findings.finished} matches ended",
        "first move of tic-tac-toe after s: " + ", ".join(f"{seconds:.2f}" for seconds in findings.first_moves),
    ]
    everything = sorted(delay for delays in findings.delays.values() for delay in delays)
    for kind, delays in [("all", everything), *sorted(findings.delays.items())]:
        lines.append(f"{kind}: {len(delays):,} updates, delay {_quantiles(delays)}")
    samples = findings.memory
    for number in range(_PARTS):
        part = samples[number * len(samples) // _PARTS : (number + 1) * len(samples) // _PARTS] or samples[-1:]
        own, workers = (statistics.mean(sample[index] for sample in part) for index in (1, 2))
        lines.append(f"memory in part {number + 1} of {_PARTS}: server {own:.0f} MB, workers {workers:.0f} MB")
    return "\n".join(lines)


def _quantiles(delays: list[float]) -> str:
    ordered = sorted(delays)
    shown = [(share, ordered[min(len(ordered) - 1, int(len(ordered) * share / 100))]) for share in (50, 95, 99)]
    figures = ", ".join(f"{share} % within {seconds * 1000:.0f} ms" for share, seconds in shown)
    return f"{figures}, longest {ordered[-1] * 1000:.0f} ms"


def main() -> None:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--spectators", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--player", default="mcts")
    parser.add_argument("--clock", type=float, default=1.0)
    parser.add_argument("--warm-up", type=float, default=10.0, help="seconds for the workers to load the search")
    parser.add_argument("--settle", type=float, default=90.0, help="seconds of matches that are not counted")
    parser.add_argument("--serve", nargs=2, metavar=("PORT", "FOLDER"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve(int(args.serve[0]), args.serve[1])
    else:
        print(report(asyncio.run(measure(args)), args))


if __name__ == "__main__":
    main()
