"""Reading what scripts send: JSON of a known shape, with one clear message where it is not; and answering in parts."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from ludens.core import LudensError


async def body_of(request: Request) -> bytes:
    """What was sent. Raises `HTTPException` if it is too long."""
    try:
        return await request.body()
    except ClientDisconnect:  # what the guard makes of a body that is cut off
        raise HTTPException(413, "the request is too long") from None


async def json_object(request: Request) -> dict[str, Any]:
    """The JSON object that was sent. Raises `HTTPException` if it is none."""
    body = await body_of(request)
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise HTTPException(400, "the request is not JSON") from None
    if not isinstance(data, dict):
        raise HTTPException(400, "the request is not a JSON object")
    return data


def client_of(request: Request) -> str:
    """Who asks: the address."""
    return request.client.host if request.client is not None else ""


def bearer_of(request: Request) -> str:
    """The token in the header ``Authorization: Bearer …``; empty if there is none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


async def json_lines(parts: AsyncIterator[dict[str, Any]]) -> AsyncIterator[bytes]:
    """Lines of JSON, each as soon as its part is known. The response has begun, so an error is its last line."""
    try:
        async for part in parts:
            yield json.dumps(part).encode() + b"\n"
    except LudensError as error:
        yield json.dumps({"error": str(error)}).encode() + b"\n"
