"""How fast Rules answer a Supervisor while many engines are connected: ``python -m benchmarks.ggtp_engines``.

Rules listen in a process of their own. Engines connect over TCP, each a real engine in a thread of one of a few helper
processes, since a hundred interpreters do not fit into a small machine. Two of them play match after match as fast as
they can, or with ``--parallel N`` all are players of a competition, with so many matches at once. Meanwhile a
Supervisor at another connection asks one question after the other, and each answer is timed.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from ludens.core import LudensError
from ludens.protocols.ggtp.network.client import Connection, be_engine
from ludens.protocols.ggtp.network.hello import ENGINE, SUPERVISOR, Hello, Tokens
from ludens.protocols.ggtp.network.sockets import parse_address

HELPERS = 4
"""Processes for the engines."""
PAUSE = 0.002
"""Seconds between two questions: a Supervisor that asks without a pause leaves no time to play."""
QUESTIONS = ("get_version", "list_guests", "list_players", "list_played_moves", "list_possible_moves", "get_table")
"""What the Supervisor asks, in turn."""


def main() -> None:
    """Measure, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", type=int, default=100, metavar="N", help="engines that are connected")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="how long questions are asked")
    parser.add_argument("--rule", default="connect_four", help="what the engines play")
    parser.add_argument("--parallel", type=int, default=0, metavar="N", help="matches at once of a competition of all")
    given = parser.parse_args()
    tokens = Tokens.new()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tokens"
        path.write_text("".join(f"{kind} {token}\n" for kind, token in tokens.by_kind.items()))
        command = [sys.executable, "-c", "from ludens.cli.main import run; run()", "ggtp", "--listen", "0"]
        command += ["--tokens", str(path), "--backend", "reference"]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as rules:
            assert rules.stdout is not None
            address = parse_address(rules.stdout.readline().split()[-1])
            threading.Thread(target=rules.stdout.read, daemon=True).start()
            measure(address, tokens, given.engines, given.seconds, given.rule, given.parallel)


def measure(address: tuple[str, int], tokens: Tokens, engines: int, seconds: float, rule: str, parallel: int) -> None:
    """Let engines connect and play, and time the answers."""
    shares = [engines // HELPERS + (number < engines % HELPERS) for number in range(HELPERS)]
    context = multiprocessing.get_context("spawn")
    token = tokens.by_kind["player"]
    helpers = [
        context.Process(target=host_engines, args=(address, token, f"engine{number}", share), daemon=True)
        for number, share in enumerate(shares)
    ]
    for helper in helpers:
        helper.start()
    supervisor = Supervisor(address, tokens.by_kind[SUPERVISOR])
    for number, share in enumerate(shares):
        supervisor.ask(f"wait_for engine{number}_{share - 1} 300")
    if parallel:
        options = {"game": rule, "players": engines, "parallel": parallel}
        supervisor.must("set_rule tournament", *(f"set_rule_option {name} {value}" for name, value in options.items()))
    else:
        supervisor.must(f"set_rule {rule}")
    players = supervisor.ask("list_players").removeprefix("= ").split(", ")
    for number, player in enumerate(players):
        supervisor.must(f"set_engine {player.partition('=')[0]} engine{number % HELPERS}_{number // HELPERS}")
    supervisor.ask("set_option genmove on")
    supervisor.ask("start")
    pauses = context.Queue()
    witness = context.Process(target=watch_the_machine, args=(seconds, pauses), daemon=True)
    witness.start()
    times: dict[str, list[float]] = {question: [] for question in QUESTIONS}
    matches = 1
    until = time.monotonic() + seconds
    for number in itertools.takewhile(lambda _: time.monotonic() < until, itertools.count()):
        question = QUESTIONS[number % len(QUESTIONS)]
        began = time.perf_counter()
        supervisor.ask(question)
        times[question].append((time.perf_counter() - began) * 1000)
        time.sleep(PAUSE)
        if number % 20 == 0 and supervisor.ask("get_result") != "= unfinished":
            supervisor.ask("start")
            matches += 1
    connected = supervisor.ask("list_guests").count("=engine")
    if parallel:
        matches = supervisor.ask("list_played_moves").count(",") + 1
    print(f"{connected} engines connected, {matches} matches of {rule} on the way; milliseconds for an answer")
    report(times)
    longest = pauses.get(timeout=60)
    print(f"a program beside it that only sleeps for a millisecond at a time overslept by up to {longest:.1f} ms")
    supervisor.ask("shut_down")


def watch_the_machine(seconds: float, pauses: multiprocessing.Queue[float]) -> None:
    """How long the machine (or the host of a virtual one) lets a program wait that is ready to go on: the longest."""
    longest = 0.0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.perf_counter()
        time.sleep(0.001)
        longest = max(longest, time.perf_counter() - began - 0.001)
    pauses.put(longest * 1000)


def report(times: dict[str, list[float]]) -> None:
    """Print the times of each question, and of all."""
    print(f"{'question':22} {'median':>8} {'99 %':>8} {'most':>8}")
    together = [one for found in times.values() for one in found]
    for question, found in [*times.items(), ("all", together)]:
        ordered = sorted(found)
        high = ordered[int(len(ordered) * 0.99)]
        print(f"{question:22} {statistics.median(ordered):8.2f} {high:8.2f} {ordered[-1]:8.2f}")


class Supervisor:
    """A Supervisor at a connection of its own."""

    def __init__(self, address: tuple[str, int], token: str) -> None:
        self._connection = Connection(address, Hello(SUPERVISOR, "Chief", token), None)

    def ask(self, line: str) -> str:
        """The first line of an answer."""
        self._connection.send(line)
        while (found := self._connection.receive()) is not None:
            if found.startswith(("=", "?")):
                return found
        raise SystemExit("the Rules have gone")

    def must(self, *lines: str) -> None:
        """Give commands that have to succeed."""
        for line in lines:
            answer = self.ask(line)
            if answer != "= Done":
                raise SystemExit(f"{line}: {answer}")


def host_engines(address: tuple[str, int], token: str, name: str, count: int) -> None:
    """Be some engines, each in a thread; behind the Rules for the processor, since they would be on other machines."""
    os.nice(10)

    def play(number: int) -> None:
        with contextlib.suppress(LudensError):
            connection = Connection(address, Hello(ENGINE, f"{name}_{number}", token), None)
            be_engine(connection, "random", "reference", number, {})

    threads = [threading.Thread(target=play, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
        time.sleep(0.01)  # the door takes only so many strangers at once
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
