"""Reading what scripts send: JSON of a known shape, with one clear message where it is not."""

from __future__ import annotations

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request


async def json_object(request: Request) -> dict[str, Any]:
    """The JSON object that was sent. Raises `HTTPException` if it is none."""
    try:
        data = json.loads(await request.body())
    except ClientDisconnect:
        raise HTTPException(413, "the request is too long") from None
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
