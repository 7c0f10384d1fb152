"""Jobs that the script of a page sends to the workbench, and their answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ludens.web.bench.workbench import BusyError, Workbench
from ludens.web.requests import client_of


async def answer(
    bench: Workbench, request: Request, data: Mapping[str, Any], job: str, **values: Any
) -> dict[str, Any]:
    """The answer to a job. Raises `HTTPException` if too many are waiting."""
    try:
        return await bench.answer(client_of(request), job, page_id(data), **values)
    except BusyError as error:
        raise HTTPException(503, str(error)) from None


def page_id(data: Mapping[str, Any]) -> str:
    """The id of the client's page: a newer job of a page cancels an older one, and a class may share one address."""
    return str(data.get("page", ""))[:40]
