"""How fast Rules answer a Supervisor while many engines are connected: ``python -m benchmarks.ggtp_engines``.

Rules listen in a process of their own. Engines connect over TCP, each a real engine in a thread of one of a few helper
processes, since a hundred interpreters do not fit into a small machine. Two of them play match after match as fast as
they can, or with ``--parallel N`` all are players of a competition, with so many matches at once. Meanwhile a
Supervisor at another connection asks one question after the other, and each answer is timed. A witness beside them only
sleeps, for a millisecond at a time: when it oversleeps, the machine (or the host of a virtual one) has stopped
everybody, so the longest answer is also told without those that such a pause overlaps.
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
from ludens.protocols.ggtp.engines.registry import engine_class
from ludens.protocols.ggtp.network.client import Connection, be_engine
from ludens.protocols.ggtp.network.hello import ENGINE, SUPERVISOR, Hello, Tokens
from ludens.protocols.ggtp.network.sockets import parse_address

HELPERS = 4
"""Processes for the engines."""
PAUSE = 0.002
"""Seconds between two questions: a Supervisor that asks without a pause leaves no time to play."""
PAUSE_OF_THE_MACHINE = 0.015
"""Seconds that a program which is ready to go on has to wait, from which on the machine counts as stopped."""
Span = tuple[float, float]
"""When something began and ended, by the clock that all processes share."""
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
    pauses: multiprocessing.Queue[list[Span]] = context.Queue()
    witness = context.Process(target=watch_the_machine, args=(seconds, pauses), daemon=True)
    witness.start()
    times: dict[str, list[Span]] = {question: [] for question in QUESTIONS}
    matches = 1
    until = time.monotonic() + seconds
    for number in itertools.takewhile(lambda _: time.monotonic() < until, itertools.count()):
        question = QUESTIONS[number % len(QUESTIONS)]
        began = time.monotonic()
        supervisor.ask(question)
        times[question].append((began, time.monotonic()))
        time.sleep(PAUSE)
        if number % 20 == 0 and supervisor.ask("get_result") != "= unfinished":
            supervisor.ask("start")
            matches += 1
    connected = supervisor.ask("list_guests").count("=engine")
    if parallel:
        matches = supervisor.ask("list_played_moves").count(",") + 1
    print(f"{connected} engines connected, {matches} matches of {rule} on the way; milliseconds for an answer")
    report(times)
    report_pauses([span for found in times.values() for span in found], pauses.get(timeout=60))
    supervisor.ask("shut_down")


def watch_the_machine(seconds: float, pauses: multiprocessing.Queue[list[Span]]) -> None:
    """When the machine let a program wait that was ready to go on."""
    found = []
    until = time.monotonic() + seconds
    while (began := time.monotonic()) < until:
        time.sleep(0.001)
        woken = time.monotonic()
        if woken - began > PAUSE_OF_THE_MACHINE:
            found.append((began, woken))
    pauses.put(found)


def milliseconds(span: Span) -> float:
    """How long something took."""
    return (span[1] - span[0]) * 1000


def report_pauses(answers: list[Span], pauses: list[Span]) -> None:
    """Print how long the machine stood still, and the longest answer that had nothing to do with it."""
    undisturbed = [one for one in answers if not any(one[0] < end and begin < one[1] for begin, end in pauses)]
    print(
        f"the machine stood still {len(pauses)} times for more than {PAUSE_OF_THE_MACHINE * 1000:g} ms, "
        f"at most {max(map(milliseconds, pauses), default=0.0):.1f} ms; longest of the {len(undisturbed):,} answers "
        f"(of {len(answers):,}) at other times: {max(map(milliseconds, undisturbed)):.1f} ms"
    )


def report(times: dict[str, list[Span]]) -> None:
    """Print the times of each question, and of all."""
    print(f"{'question':22} {'median':>8} {'99 %':>8} {'most':>8}")
    together = [one for found in times.values() for one in found]
    for question, found in [*times.items(), ("all", together)]:
        ordered = sorted(map(milliseconds, found))
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
            be_engine(connection, engine_class("random"), "reference", number, {})

    threads = [threading.Thread(target=play, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
        time.sleep(0.01)  # the door takes only so many strangers at once
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
