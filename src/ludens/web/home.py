"""The first page: what there is."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ludens.web.pages import page
from ludens.web.subject import Subject


async def _home(request: Request) -> Response:
    return page(request, "home.html")


SUBJECT = Subject(routes=(Route("/", _home),))
