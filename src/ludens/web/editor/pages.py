"""The pages of the position editor: of a game of the library, and of a client's own rules in the Lab."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ludens.core import GameError
from ludens.games.library import GDL
from ludens.web.bench.page_jobs import answer, page_id
from ludens.web.bench.workbench import Workbench
from ludens.web.hosting.setup import own_name
from ludens.web.hosting.shelf import choice_of
from ludens.web.library.titles import library_title
from ludens.web.pages import page
from ludens.web.requests import client_of, json_lines, json_object
from ludens.web.settings import Settings
from ludens.web.subject import Subject

_LONGEST_FACT = 400


async def _library_page(request: Request) -> Response:
    choice = choice_of(request.path_params["name"])
    if choice.form != GDL:
        raise GameError(f"{choice.text} has no rules in GDL, which the position editor needs")
    return page(request, "editor.html", name=choice.text, title=library_title(choice.text), own=False)


async def _lab_page(request: Request) -> Response:
    return page(request, "editor.html", name="", title="", own=True)


async def _explore(request: Request) -> Response:
    """A position after a move, if one is made, and what is wrong with it."""
    data, values = await _read_request(request)
    facts, steps = data.get("facts"), data.get("steps", [])
    is_right = isinstance(steps, list) and len(steps) <= 1
    if not is_right or not all(isinstance(step, dict) and _are_texts(list(step.values())) for step in steps):
        raise HTTPException(400, "steps are at most one object with a move for each role")
    facts = None if facts is None else _facts(data)
    values |= {"facts": facts, "steps": steps, "begins": data.get("begins") is True}
    return JSONResponse(await answer(_bench(request), request, data, "edit", **values))


async def _match(request: Request) -> Response:
    """The match that begins in a position, for Play."""
    data, values = await _read_request(request)
    return JSONResponse(await answer(_bench(request), request, data, "edited_match", **values, facts=_facts(data)))


async def _ponder(request: Request) -> Response:
    """What a search thinks of a position, line by line."""
    data, values = await _read_request(request)
    parts = _bench(request).run(client_of(request), "edited_ponder", page_id(data), **values, facts=_facts(data))
    return StreamingResponse(json_lines(parts), media_type="application/x-ndjson")


async def _read_request(request: Request) -> tuple[dict[str, Any], dict[str, Any]]:
    """The JSON of a request, and the game that it is about."""
    data = await json_object(request)
    if "name" in request.path_params:
        choice = choice_of(request.path_params["name"])
        return data, {"game": choice.text, "text": None}
    settings: Settings = request.app.state.settings
    text, name, most = data.get("text"), data.get("name"), settings.limits.rule_characters
    if not isinstance(text, str) or not isinstance(name, str):
        raise HTTPException(400, "the request has no text")
    if len(text) > most:
        raise HTTPException(413, f"rules have at most {most:,} characters here")
    return data, {"game": own_name(name), "text": text}


def _facts(data: dict[str, Any]) -> list[str]:
    facts = data.get("facts")
    if not isinstance(facts, list) or not _are_texts(facts):
        raise HTTPException(400, "facts are a list of texts such as (control white)")
    return facts


def _are_texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) and len(value) <= _LONGEST_FACT for value in values)


def _bench(request: Request) -> Workbench:
    bench: Workbench = request.app.state.editor_bench
    return bench


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    app.state.editor_bench = Workbench()
    try:
        yield
    finally:
        await app.state.editor_bench.close()


_JOBS = {"explore": _explore, "match": _match, "ponder": _ponder}

SUBJECT = Subject(
    routes=(
        Route("/library/{name}/editor", _library_page),
        *(Route(f"/library/{{name}}/editor/{job}", handler, methods=["POST"]) for job, handler in _JOBS.items()),
        Route("/lab/editor", _lab_page),
        *(Route(f"/lab/editor/{job}", handler, methods=["POST"]) for job, handler in _JOBS.items()),
    ),
    lifespan=_lifespan,
)
