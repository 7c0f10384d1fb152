"""Connections from strangers: a bound for each address, and deadlines for headers, bodies and readers.

A connection costs memory and an open file for as long as the client likes, so nobody may hold many that do nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import h11
from starlette.types import Message, Receive
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from ludens.web.requests import client_at
from ludens.web.settings import Limits


class _DropsSlowReaders:
    """A protocol whose clients have to read what they asked for, in time."""

    limits = Limits()
    transport: asyncio.Transport
    _reading_timer: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """Drop the client, unless it reads on."""
        super().pause_writing()  # type: ignore[misc]
        loop = asyncio.get_running_loop()
        self._reading_timer = loop.call_later(self.limits.reading_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has read on."""
        self._stop_reading_timer()
        super().resume_writing()  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_reading_timer()
        super().connection_lost(exc)  # type: ignore[misc]

    def _stop_reading_timer(self) -> None:
        if self._reading_timer is not None:
            self._reading_timer.cancel()
            self._reading_timer = None


class BoundedProtocol(_DropsSlowReaders, H11Protocol):
    """HTTP from clients that may be hostile. `bounded_protocol` makes one with limits."""

    _open: Counter[str]
    """Connections of each client, without those that became WebSockets, which are counted apart."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Refuse a client that has too many connections; give the others some time for their request."""
        super().connection_made(transport)
        self._address = client_at(self.client[0] if self.client else "")
        self._is_counted = True
        self._header_timer: asyncio.TimerHandle | None = None
        self._open[self._address] += 1
        if self._open[self._address] > self.limits.connections_of_client:
            transport.abort()
        else:
            self._await_headers()

    def data_received(self, data: bytes) -> None:
        """Read on; a request that has begun has to be there in time."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_header_timer()
        elif self._header_timer is None and self.conn.trailing_data[0]:
            self._await_headers()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Leave the connection to the protocol of WebSockets."""
        self._release()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._release()
        super().connection_lost(exc)

    def _await_headers(self) -> None:
        self._header_timer = self.loop.call_later(self.limits.header_seconds, self.transport.abort)

    def _stop_header_timer(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _release(self) -> None:
        self._stop_header_timer()
        self._stop_reading_timer()
        if self._is_counted:
            self._is_counted = False
            self._open[self._address] -= 1
            if not self._open[self._address]:
                del self._open[self._address]


def bounded_protocol(limits: Limits) -> type[BoundedProtocol]:
    """The protocol of a server with these limits."""
    return type("BoundedProtocol", (BoundedProtocol,), {"limits": limits, "_open": Counter()})


def bounded_sockets(limits: Limits) -> type[asyncio.Protocol]:
    """The protocol of the server's WebSockets; how many a client has is counted when they are accepted."""
    assert isinstance(AutoWebSocketsProtocol, type)
    return type("BoundedSockets", (_DropsSlowReaders, AutoWebSocketsProtocol), {"limits": limits})


def bounded_body(receive: Receive, most: int, limits: Limits) -> Receive:
    """Receive a body of at most so many bytes that keeps a modest pace; otherwise the client counts as gone."""
    seen = 0
    is_complete = False
    began = time.monotonic()

    async def receive_some() -> Message:
        nonlocal seen, is_complete
        if is_complete:
            return await receive()  # which waits until the client is gone
        due = began + limits.body_seconds + seen / limits.body_pace
        try:
            message = await asyncio.wait_for(receive(), max(0.0, due - time.monotonic()))
        except TimeoutError:
            return {"type": "http.disconnect"}
        seen += len(message.get("body", b""))
        is_complete = not message.get("more_body", False)
        return {"type": "http.disconnect"} if seen > most else message

    return receive_some


class Room:
    """Room for some costly requests at the same time, and for fewer of one client."""

    def __init__(self, most: int, most_of_client: int) -> None:
        self._most = most
        self._most_of_client = most_of_client
        self._inside: Counter[str] = Counter()

    def has_room(self, client: str) -> bool:
        """True if the client may enter now."""
        return self._inside.total() < self._most and self._inside[client] < self._most_of_client

    @asynccontextmanager
    async def enter(self, client: str) -> AsyncIterator[Any]:
        """Take room, for as long as the block runs."""
        self._inside[client] += 1
        try:
            yield
        finally:
            self._inside[client] -= 1
            if not self._inside[client]:
                del self._inside[client]
