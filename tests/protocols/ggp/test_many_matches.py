"""Many matches at once in one process, with faulty programs among those at the other end."""

from __future__ import annotations

import contextlib
import itertools
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

import ludens
from ludens.protocols.ggp.controller import GameController, Outcome, Plan
from ludens.protocols.ggp.host import PlayerHost
from ludens.protocols.ggp.server import Server
from ludens.protocols.ggp.wire import Address
from ludens.referee.reading import read_record
from ludens.referee.verify import verify
from tests.protocols.ggp.peers import FAULTS, post, raw_player

GAME = ludens.load("tic_tac_toe", backend="reference")
MOST_GROWTH = 150_000
"""Kilobytes that many matches may add to the memory of the process."""


@pytest.fixture
def bounded_memory() -> Iterator[None]:
    """Look at the highest mark of the process's memory since the test began."""
    Path("/proc/self/clear_refs").write_text("5")
    before = high_mark()
    yield
    assert high_mark() - before < MOST_GROWTH


def high_mark() -> int:
    """Kilobytes."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0])


def conduct_all(plans: list[Plan], records: Path) -> list[Outcome]:
    with ThreadPoolExecutor(len(plans)) as pool:
        running = [pool.submit(GameController(plan, records, "0.0").run) for plan in plans]
        return [match.result() for match in running]


def check_records(outcomes: list[Outcome], records: Path) -> None:
    """All matches ended, and every record is there, whole and right."""
    assert [outcome.end.reason for outcome in outcomes] == ["terminal"] * len(outcomes)
    assert {outcome.record for outcome in outcomes} == set(records.glob("*.jsonl"))
    assert len(outcomes) == len({outcome.record for outcome in outcomes})
    for outcome in outcomes:
        record = read_record(outcome.record)
        assert not record.problems
        assert not list(verify(record, GAME))
        theirs = json.loads(outcome.match_json.read_text())
        assert theirs["isCompleted"]
        assert len(theirs["moves"]) == outcome.end.turns


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="memory is measured as Linux tells it")
@pytest.mark.usefixtures("bounded_memory")
def test_fifty_matches_at_once_end_whatever_their_players_do(tmp_path: Path) -> None:
    host = PlayerHost("random", name="ours", most_matches=50, backend="reference", seed=1, log=lambda text: None)
    with ExitStack() as stack:
        server = stack.enter_context(Server(host.answer, "127.0.0.1", 0))
        good = Address("127.0.0.1", server.port)
        faulty = {fault: stack.enter_context(raw_player(behave)) for fault, (behave, _) in FAULTS.items()}
        kinds = list(itertools.islice(itertools.cycle([*faulty, "ours"]), 50))
        plans = [
            Plan(
                GAME,
                {"xplayer": faulty.get(kind, good), "oplayer": "random"},
                match_id=f"m{number}",
                seed=number,
                start_clock=1.0,
                play_clock=1.0,
                scramble=number % 2 == 0,
            )
            for number, kind in enumerate(kinds)
        ]
        outcomes = conduct_all(plans, tmp_path)
        host.close()

    check_records(outcomes, tmp_path)
    for kind, outcome in zip(kinds, outcomes, strict=True):
        if kind != "ours":
            assert outcome.end.failures["xplayer"] >= outcome.end.turns
        assert outcome.end.failures["oplayer"] <= outcome.end.turns


def pester(port: int, done: threading.Event) -> None:
    """Be a bad client in every way, again and again."""
    attempts = itertools.cycle(
        [
            b"",
            b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n( PLAY m",
            b"POST / HTTP/1.0\r\nContent-Length: 10000000\r\n\r\n" + b"x" * 100_000,
            b"POST / HTTP/1.0\r\nContent-Length: 4\r\n\r\n\xff\xfe\x80(",
            b"POST / HTTP/1.0\r\nContent-Length: 12\r\n\r\n( ABORT m99 )",
            b"POST / HTTP/1.0\r\nContent-Length: 21\r\n\r\n( START m0 x (()) 1 1)",
            b"\x00" * 1_000,
        ]
    )
    while not done.is_set():
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(next(attempts))
            done.wait(0.02)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="memory is measured as Linux tells it")
@pytest.mark.usefixtures("bounded_memory")
def test_twenty_matches_at_once_in_one_player_whatever_other_clients_do(tmp_path: Path) -> None:
    host = PlayerHost("random", name="ours", most_matches=20, backend="reference", seed=1, log=lambda text: None)
    done = threading.Event()
    with Server(host.answer, "127.0.0.1", 0) as server:
        pests = [threading.Thread(target=pester, args=(server.port, done)) for _ in range(5)]
        for pest in pests:
            pest.start()
        seats: dict[str, Address | str] = {"xplayer": Address("127.0.0.1", server.port), "oplayer": "random"}
        plans = [Plan(GAME, seats, f"m{number}", number, start_clock=60, play_clock=60) for number in range(20)]
        outcomes = conduct_all(plans, tmp_path)
        status = post(server.port, "( INFO )")
        done.set()
        for pest in pests:
            pest.join()
        host.close()

    check_records(outcomes, tmp_path)
    assert "available" in status
    assert [outcome.end.failures for outcome in outcomes] == [{"xplayer": 0, "oplayer": 0}] * 20
