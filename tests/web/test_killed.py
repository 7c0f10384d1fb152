"""`ludens web` is ended in the middle of ten matches, kindly or not, and started again: all go on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

import ludens
from ludens.referee.reading import read_record
from ludens.referee.verify import verify
from tests.processes import LUDENS, running
from tests.web.helpers import HUMAN, RANDOM, Page, begin, first_move, token_of


@dataclass(frozen=True)
class Server:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    address: str

    def client(self) -> httpx.Client:
        headers = {"accept": "application/json", "origin": self.address}
        return httpx.Client(base_url=self.address, headers=headers, timeout=300)

    @contextmanager
    def connected(self, match: dict[str, Any], role: str) -> Iterator[Page]:
        path = f"/live/{match['match']}?seat={token_of(match, role)}"
        address = self.address.replace("http", "ws") + path
        with connect(address, origin=Origin(self.address), open_timeout=300, ping_interval=None) as connection:
            yield Page(Wire(connection))


@dataclass(frozen=True)
class Wire:
    """A connection as `Page` wants it."""

    connection: ClientConnection

    def receive_text(self) -> str:
        return str(self.connection.recv())

    def send_text(self, text: str) -> None:
        self.connection.send(text)


@contextmanager
def serving(data: Path) -> Iterator[Server]:
    command = [*LUDENS, "web", "--no-open", "--port", "0", "--data", str(data)]
    environment = os.environ | {"COLUMNS": "200", "PYTHONUNBUFFERED": "1"}
    with running(*command, seconds=600, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        found = re.search(r"http://[\d.:]+", process.stdout.readline())
        assert found is not None
        yield Server(process, found[0])
        process.terminate()
        process.wait(60)


@pytest.mark.smoke
def test_a_match_is_played_over_a_connection_to_a_server_in_its_own_process(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.client() as client:
        match = begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM}, seed=1)
        with server.connected(match, "xplayer") as page:
            assert page.play(first_move)["finished"]


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_ten_matches_go_on_after_the_server_was_ended(tmp_path: Path, how: signal.Signals) -> None:
    with serving(tmp_path) as server, server.client() as client:
        matches = [
            begin(client, "tic_tac_toe", {"xplayer": HUMAN, "oplayer": RANDOM}, seed=number) for number in range(10)
        ]
        for number, match in enumerate(matches):
            with server.connected(match, "xplayer") as page:
                for _ in range(number % 3):
                    asked = page.until("asked")
                    page.send(do="move", question=asked["question"], move=first_move(asked))
                page.until("asked")
        server.process.send_signal(how)
        server.process.wait(60)
    with serving(tmp_path) as server:
        for match in matches:
            with server.connected(match, "xplayer") as page:
                assert page.play(first_move)["finished"]
                page.until("record")
    game = ludens.load("tic_tac_toe")
    records = [read_record(path) for path in (tmp_path / "records").glob("*.jsonl")]
    assert len(records) == 10
    for record in records:
        assert not record.problems
        assert list(verify(record, game)) == []
