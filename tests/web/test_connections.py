"""Clients that send or read slowly, or open many connections: they are dropped, and others do not notice."""

from __future__ import annotations

import asyncio
import itertools
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from types import SimpleNamespace

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import Message
from starlette.websockets import WebSocket

from ludens.web import connections
from ludens.web.connections import Room, bounded_body, bounded_protocol, bounded_sockets
from ludens.web.settings import Limits

REQUEST = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"
SHORT = Limits(header_seconds=0.5, reading_seconds=0.5, connections_of_client=3)
LONG = Limits(connections_of_client=3)


async def _hello(request: Request) -> Response:
    return PlainTextResponse("hello")


@contextmanager
def serving(limits: Limits, given_up: threading.Event | None = None) -> Iterator[int]:
    """A server in a thread; its port. An event is set when it no longer answers a request for ``/endless``."""

    async def endless(request: Request) -> Response:
        async def parts() -> AsyncIterator[bytes]:
            try:
                while True:
                    await asyncio.sleep(0)
                    yield b"x" * 100_000
            finally:
                if given_up is not None:
                    given_up.set()

        return StreamingResponse(parts())

    async def endless_news(connection: WebSocket) -> None:
        await connection.accept()
        try:
            while True:
                await connection.send_text("x" * 100_000)
                await asyncio.sleep(0)
        finally:
            if given_up is not None:
                given_up.set()

    listener = socket.create_server(("127.0.0.1", 0))
    routes = [Route("/", _hello), Route("/endless", endless), WebSocketRoute("/news", endless_news)]
    config = uvicorn.Config(
        Starlette(routes=routes),
        http=bounded_protocol(limits),
        ws=bounded_sockets(limits),
        ws_ping_interval=None,  # the server does not find out by pings that nobody reads
        log_level="critical",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def opened(port: int) -> closing[socket.socket]:
    return closing(socket.create_connection(("127.0.0.1", port), timeout=30))


def answer(port: int) -> bytes:
    with opened(port) as connection:
        connection.sendall(REQUEST)
        return connection.recv(1000)


def is_dropped(connection: socket.socket) -> bool:
    """True once the server has closed the connection; a test that waits for ever fails by its timeout."""
    try:
        return connection.recv(1000) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("part", [b"", REQUEST[:-2]])
def test_a_request_that_is_not_sent_in_time_is_dropped(part: bytes) -> None:
    with serving(SHORT) as port, opened(port) as connection:
        connection.sendall(part)
        assert is_dropped(connection)


def test_so_is_the_second_request_of_a_connection() -> None:
    with serving(SHORT) as port:
        is_answered = False
        while not is_answered:  # on a busy machine the first request may be too late as well
            with opened(port) as connection, suppress(ConnectionError):
                connection.sendall(REQUEST)
                answer = b""
                while b"hello" not in answer:  # head and body may come one after the other
                    answer += (part := connection.recv(1000))
                    if not part:
                        break
                else:
                    is_answered = True
                    connection.sendall(REQUEST[:5])
                    assert is_dropped(connection)


def test_a_client_has_only_so_many_connections() -> None:
    with serving(LONG) as port:
        with ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(opened(port)).sendall(b"GET")
            assert answer_or_nothing(port) == b""
        while not answer_or_nothing(port):  # once it has closed them, which the server notices a little later
            time.sleep(0.01)


def answer_or_nothing(port: int) -> bytes:
    try:
        return answer(port)
    except (ConnectionResetError, BrokenPipeError):
        return b""


def test_a_client_that_does_not_read_is_dropped() -> None:
    given_up = threading.Event()
    with serving(SHORT, given_up) as port, opened(port) as connection:
        connection.sendall(REQUEST.replace(b" / ", b" /endless "))
        assert given_up.wait(60)
        read = 0
        try:
            while part := connection.recv(1_000_000):
                read += len(part)
                assert read < 100_000_000
        except ConnectionResetError:
            pass


def test_a_client_that_does_not_read_the_news_is_dropped() -> None:
    given_up = threading.Event()
    upgrade = b"upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n"
    upgrade += b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    with serving(SHORT, given_up) as port, opened(port) as connection:
        connection.sendall(REQUEST.replace(b" / ", b" /news ").removesuffix(b"\r\n") + upgrade)
        assert given_up.wait(60)


def body_in(pieces: list[bytes], pause: float, limits: Limits, most: int = 1000) -> list[str]:
    """The kinds of messages by which a body arrives."""

    async def receive() -> Message:
        await asyncio.sleep(pause)
        return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}

    async def read() -> list[str]:
        kinds, bounded = [], bounded_body(receive, most, limits)
        while True:
            message = await bounded()
            kinds.append(message["type"])
            if not message.get("more_body"):
                return kinds

    return asyncio.run(read())


def test_a_body_that_arrives_too_slowly_counts_as_gone() -> None:
    pieces = [b"x"] * 100
    assert body_in(pieces, 0.02, Limits(body_seconds=0.1))[-1] == "http.disconnect"
    assert len(pieces) > 80


def test_a_long_body_may_take_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    hours = itertools.count(step=3_600)
    monkeypatch.setattr(connections, "time", SimpleNamespace(monotonic=lambda: next(hours)))
    limits = Limits(body_seconds=7_300.0, body_pace=1)

    assert body_in([b"x" * 3_600] * 8, 0.0, limits, most=100_000) == ["http.request"] * 8


def test_a_body_that_is_too_long_counts_as_gone() -> None:
    assert body_in([b"x" * 600] * 3, 0.0, Limits()) == ["http.request", "http.disconnect"]


def test_there_is_room_for_others_while_one_client_is_slow() -> None:
    async def fill() -> None:
        room = Room(3, 2)
        async with room.enter("slow"), room.enter("slow"):
            assert not room.has_room("slow")
            assert room.has_room("other")
            async with room.enter("other"):
                assert not room.has_room("third")
        assert room.has_room("slow")

    asyncio.run(fill())
