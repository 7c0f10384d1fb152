"""Playing on the server as a browser does, without one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import httpx
from starlette.testclient import TestClient

HUMAN = {"player": "human", "clock": None}
RANDOM = {"player": "random", "clock": 5.0}

Message = dict[str, Any]


class Socket(Protocol):
    """A WebSocket, of the test client or a real one."""

    def receive_text(self) -> str: ...

    def send_text(self, text: str) -> None: ...


def begin(client: httpx.Client | TestClient, game: str, seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Begin a match; what the server answers."""
    answer = client.post("/play", json={"game": game, "seats": seats, "seed": 7, **more})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def token_of(match: dict[str, Any], role: str) -> str:
    path: str = next(seat["path"] for seat in match["seats"] if seat["role"] == role)
    return path.rpartition("/")[2]


class Page:
    """One connection to a match, and all that it was told."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self.texts: list[str] = []
        self.waiting: list[Message] = []
        self.numbers: list[int] = []

    def until(self, *kinds: str) -> Message:
        """The next message of one of these kinds."""
        while True:
            while self.waiting:
                message = self.waiting.pop(0)
                if message["kind"] in kinds:
                    return message
            text = self._socket.receive_text()
            self.texts.append(text)
            envelope = json.loads(text)
            self.numbers.append(envelope["n"])
            self.waiting += envelope["messages"]

    def send(self, **order: Any) -> None:
        self._socket.send_text(json.dumps(order))

    def play(self, choose: Callable[[Message], str]) -> Message:
        """Answer all questions until the match is over; how it ended."""
        while True:
            message = self.until("asked", "ended")
            if message["kind"] == "ended":
                return message
            self.send(do="move", question=message["question"], move=choose(message))


@contextmanager
def connected(client: TestClient, match: str, token: str = "", origin: str = "http://127.0.0.1:8123") -> Iterator[Page]:
    query = f"?seat={token}" if token else ""
    with client.websocket_connect(f"ws://127.0.0.1:8123/live/{match}{query}", headers={"origin": origin}) as socket:
        yield Page(socket)


def first_move(asked: Message) -> str:
    move: str = asked["moves"][0]["move"]
    return move
