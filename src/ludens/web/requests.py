"""Reads JSON requests, with clear errors, and writes streamed JSON responses."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import AsyncIterator
from typing import Any, NoReturn

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request

from ludens.core import LudensError


async def body_of(request: Request) -> bytes:
    """The body of a request. Raises `HTTPException` if it is too long."""
    try:
        return await request.body()
    except ClientDisconnect:  # the guard's status for a truncated body
        raise HTTPException(413, "the request is too long") from None


async def json_object(request: Request) -> dict[str, Any]:
    """The JSON object in the body. Raises `HTTPException` if it is invalid."""
    data = parse_json(await body_of(request))
    if not isinstance(data, dict):
        raise HTTPException(400, "the request is not a JSON object")
    return data


def parse_json(text: str | bytes) -> Any:
    """Parse JSON; None if it is invalid, has NaN or infinities, or text that cannot be encoded as UTF-8."""
    try:
        data = json.loads(text, parse_constant=_no_number)
        json.dumps(data, ensure_ascii=False).encode()  # fails for halves of surrogate pairs
    except (ValueError, RecursionError):
        return None
    return data


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def client_of(connection: HTTPConnection) -> str:
    """The client of a connection."""
    return client_at(connection.client.host if connection.client is not None else "")


def client_at(host: str) -> str:
    """The client at an address: the address (IPv6: the /64 prefix, since one client has countless addresses)."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ipaddress.IPv6Network((int(address), 64), strict=False))


def bearer_of(request: Request) -> str:
    """The token in the header ``Authorization: Bearer …``; empty if there is none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


async def json_lines(parts: AsyncIterator[dict[str, Any]]) -> AsyncIterator[bytes]:
    """JSON lines, each sent as soon as its part is ready. An error becomes the last line, since the status is sent."""
    try:
        async for part in parts:
            yield json.dumps(part).encode() + b"\n"
    except LudensError as error:
        yield json.dumps({"error": str(error)}).encode() + b"\n"
