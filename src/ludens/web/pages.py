"""Pages from jinja2 templates, with everything escaped, and error pages with one sentence."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from ludens.core import LudensError
from ludens.gdl.source import visible
from ludens.web.languages import texts_of
from ludens.web.scripts import script
from ludens.web.subject import Subject

_LOG = logging.getLogger(__name__)
FOLDER = Path(__file__).parent
"""Where templates and static files are."""
_TITLES = {404: "Page not found", 422: "Invalid request"}
"""Titles of error pages, instead of HTTP phrases."""


class Pages:
    """The templates of one application; a handler has it as ``request.app.state.pages``."""

    def __init__(self, subjects: tuple[Subject, ...]) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(FOLDER / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals["script"] = script
        self._environment.globals["navigation"] = [
            {"title": subject.title, "path": subject.path, "about": subject.about}
            for subject in subjects
            if subject.title
        ]

    def response(self, request: Request, template: str, context: Mapping[str, Any], status: int = 200) -> Response:
        """A page. The template extends ``base.html``; everything in it is escaped."""
        texts = texts_of(request)
        text = self._environment.get_template(template).render({"path": request.url.path, "t": texts, **context})
        headers = {"content-language": texts.language, "vary": "Accept-Language, Cookie"}
        return HTMLResponse(text, status, headers=headers)


def page(request: Request, template: str, /, status: int = 200, **context: Any) -> Response:
    """Render a template with a context."""
    pages: Pages = request.app.state.pages
    return pages.response(request, template, context, status)


def wants_json(request: Request) -> bool:
    """True if the request was made by a script."""
    return "application/json" in request.headers.get("accept", "")


def _error(request: Request, status: int, message: str) -> Response:
    if wants_json(request):
        return JSONResponse({"error": message}, status)
    texts = texts_of(request)
    title = texts(_TITLES.get(status) or HTTPStatus(status).phrase)
    return page(request, "error.html", status, title=title, message=texts.told(message))


async def on_http_error(request: Request, error: Exception) -> Response:
    """The response to a request for something missing or forbidden."""
    assert isinstance(error, HTTPException)
    unknown = error.status_code == HTTPStatus.NOT_FOUND and error.detail == HTTPStatus.NOT_FOUND.phrase
    message = f"there is no page {visible(request.url.path)}" if unknown else error.detail
    return _error(request, error.status_code, message)


async def on_ludens_error(request: Request, error: Exception) -> Response:
    """The response to a request that ludens refuses: the message of the exception."""
    assert isinstance(error, LudensError)
    return _error(request, 422, "\n".join(map(visible, str(error).split("\n"))))


async def on_os_error(request: Request, error: Exception) -> Response:
    """The response when the disk is full or missing, without the paths of this machine."""
    assert isinstance(error, OSError)
    _LOG.error("a file cannot be read or written: %s", error)  # not the URL, which may contain a token
    return _error(request, 503, f"the server's files cannot be read or written now ({error.strerror or 'unknown'})")
