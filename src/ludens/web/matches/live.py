"""The WebSocket of a page: sends events to the browser, and receives orders."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ludens.core import Role
from ludens.web.hosting.channel import Follower
from ludens.web.hosting.host import Host
from ludens.web.hosting.hosted_match import HostedMatch
from ludens.web.hosting.presentation import PUBLIC
from ludens.web.requests import client_of, parse_json
from ludens.web.settings import Limits
from ludens.web.subject import Subject

NO_SUCH_MATCH, NO_SUCH_SEAT, TOO_MANY, GOING_AWAY = 4404, 4403, 4429, 1001
"""Close codes of connections; clients reconnect only after the last."""
_LONGEST_ORDER = 20_000
_ORDERS_A_SECOND = 20
_AT_ONCE = 20
"""The burst of orders accepted after a pause."""


async def _live(socket: WebSocket) -> None:
    host: Host = socket.app.state.host
    await socket.accept()
    hosted = host.find(socket.path_params["match"])
    if hosted is None:
        await socket.close(NO_SUCH_MATCH, "there is no such match")
        return
    token = socket.query_params.get("seat")
    role = hosted.role_of(token) if token else None
    if token and role is None:
        await socket.close(NO_SUCH_SEAT, "there is no such seat")
        return
    with _count_connection(socket) as allowed:
        if not allowed:
            await socket.close(TOO_MANY, "too many connections")
            return
        await _converse(socket, host, hosted, role)


@contextlib.contextmanager
def _count_connection(socket: WebSocket) -> Any:
    """Count the connections of each client; yields False if there are too many."""
    counts: dict[str, int] = socket.app.state.sockets
    limits: Limits = socket.app.state.settings.limits
    client = client_of(socket)
    counts[client] = counts.get(client, 0) + 1
    try:
        yield counts[client] <= limits.sockets_of_client
    finally:
        counts[client] -= 1
        if not counts[client]:
            del counts[client]


async def _converse(socket: WebSocket, host: Host, hosted: HostedMatch, role: Role | None) -> None:
    audience = PUBLIC if role is None else role
    follower = host.follow(hosted, audience)
    await host.begin_if_ready(hosted)
    sender = asyncio.create_task(_send(socket, follower))
    try:
        await _receive(socket, host, hosted, role, follower)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the client has disconnected, or we closed the connection
    finally:
        sender.cancel()
        host.leave(hosted, audience, follower)


async def _send(socket: WebSocket, follower: Follower) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (text := await follower.next()) is not None:
            await socket.send_text(text)
        await socket.close(GOING_AWAY)


async def _receive(socket: WebSocket, host: Host, hosted: HostedMatch, role: Role | None, follower: Follower) -> None:
    paid_until = 0.0  # every order uses up a share of a second; unused shares accumulate
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        now = time.monotonic()
        paid_until = max(paid_until, now - _AT_ONCE / _ORDERS_A_SECOND) + 1 / _ORDERS_A_SECOND
        await asyncio.sleep(paid_until - now)
        order = _parse_order(message.get("text"))
        if order.get("do") == "all":
            follower.restart()
        elif role is not None and order.get("do") == "rematch":
            await host.rematch(hosted, role, client_of(socket))
        elif role is not None:
            _handle_order(host, hosted, role, order)


def _parse_order(text: str | None) -> dict[str, Any]:
    """The order in a message; empty if it is invalid or binary."""
    order = parse_json(text) if text and len(text) <= _LONGEST_ORDER else None
    return order if isinstance(order, dict) else {}


def _handle_order(host: Host, hosted: HostedMatch, role: Role, order: dict[str, Any]) -> None:
    question = order.get("question")
    number = question if type(question) is int else -1
    match order:
        case {"do": "move", "move": str(move)}:
            host.order(hosted, "move", role=role, question=number, move=move)
        case {"do": "undo" | "hint" as wish}:
            host.order(hosted, wish, role=role, question=number)
        case {"do": "decide", "wish": int(wish), "agrees": bool(agrees)}:
            host.order(hosted, "decide", role=role, wish=wish, agrees=agrees)
        case {"do": "resign"}:
            host.order(hosted, "resign", role=role)


SUBJECT = Subject(routes=(WebSocketRoute("/live/{match}", _live),))
