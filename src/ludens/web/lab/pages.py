"""The Lab's page, and the requests of its script: diagnostics, trees, examination."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ludens.games.library import GDL, entries
from ludens.web.bench.page_jobs import answer, page_id
from ludens.web.bench.workbench import Workbench
from ludens.web.hosting.shelf import choice_of
from ludens.web.lab.diagnostics import MOST_TURNS
from ludens.web.library.guests import Guests
from ludens.web.pages import FOLDER, page
from ludens.web.requests import client_of, json_lines, json_object
from ludens.web.settings import Settings
from ludens.web.subject import Subject

STARTER = FOLDER / "lab" / "sticks.kif"
"""The rules that the Lab begins with."""
_LONGEST_FACT = 2_000
EXAMPLES = (
    "tic_tac_toe",
    "nim",
    "connect_four",
    "double_tic_tac_toe",
    "rock_paper_scissors",
    "pig",
    "monty_hall",
    "lights_out",
)
"""Library games to read first."""


async def _lab(request: Request) -> Response:
    settings: Settings = request.app.state.settings
    name = request.query_params.get("game", "")
    title, text = await _text_of(request, name)
    examples = await run_in_threadpool(_examples)
    most = settings.limits.rule_characters
    return page(request, "lab.html", name=title, text=text, given=bool(name), examples=examples, most=most)


async def _text_of(request: Request, name: str) -> tuple[str, str]:
    """The initial text of the editor: the rules of a library game, or an example."""
    if not name:
        return STARTER.stem, STARTER.read_text(encoding="utf-8")
    guests: Guests = request.app.state.guests
    choice = choice_of(name)
    return choice.entry.name, await guests.sheet(choice, client_of(request))


def _examples() -> list[tuple[str, str]]:
    known = entries()
    return [(name, known[name].card.title) for name in EXAMPLES if name in known and GDL in known[name].forms]


async def _check(request: Request) -> Response:
    data = await _read_request(request)
    return JSONResponse(await answer(_bench(request), request, data, "check", text=data["text"]))


async def _tree(request: Request) -> Response:
    data = await _read_request(request)
    rule = data.get("rule")
    if not isinstance(rule, int) or isinstance(rule, bool):
        raise HTTPException(400, "name the rule to draw by its number")
    return JSONResponse(await answer(_bench(request), request, data, "tree", text=data["text"], rule=rule))


async def _examine(request: Request) -> Response:
    data = await _read_request(request)
    parts = _bench(request).run(client_of(request), "examine", page_id(data), text=data["text"])
    return StreamingResponse(json_lines(parts), media_type="application/x-ndjson")


async def _board(request: Request) -> Response:
    data = await _read_request(request)
    return JSONResponse(
        await answer(_bench(request), request, data, "board", **_position(data), move=str(data.get("move", "")))
    )


async def _why(request: Request) -> Response:
    data = await _read_request(request)
    fact = data.get("fact")
    if not isinstance(fact, str) or not 0 < len(fact) <= _LONGEST_FACT:
        raise HTTPException(400, "name the fact to explain, such as (legal white noop)")
    return JSONResponse(await answer(_bench(request), request, data, "why", **_position(data), fact=fact))


def _position(data: dict[str, Any]) -> dict[str, Any]:
    """The rules, the person's role, and the turns that lead to a position."""
    turns = data.get("turns", [])
    is_right = isinstance(turns, list) and len(turns) <= MOST_TURNS
    if not is_right or not all(isinstance(turn, dict) and _are_texts(turn) for turn in turns):
        raise HTTPException(400, f"turns are at most {MOST_TURNS} objects with a move for each role")
    return {"text": data["text"], "role": str(data.get("role", "")), "turns": turns}


def _are_texts(turn: dict[str, Any]) -> bool:
    return all(isinstance(move, str) for move in turn.values())


def _bench(request: Request) -> Workbench:
    bench: Workbench = request.app.state.lab_bench
    return bench


async def _read_request(request: Request) -> dict[str, Any]:
    """The JSON of the request; checks that it has a ``text`` that is not too long."""
    settings: Settings = request.app.state.settings
    most = settings.limits.rule_characters
    data = await json_object(request)
    if not isinstance(data.get("text"), str):
        raise HTTPException(400, "the request has no text")
    if len(data["text"]) > most:
        raise HTTPException(413, f"rules have at most {most:,} characters here")
    return data


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    app.state.lab_bench = Workbench()
    try:
        yield
    finally:
        await app.state.lab_bench.close()


SUBJECT = Subject(
    routes=(
        Route("/lab", _lab),
        Route("/lab/check", _check, methods=["POST"]),
        Route("/lab/tree", _tree, methods=["POST"]),
        Route("/lab/examine", _examine, methods=["POST"]),
        Route("/lab/board", _board, methods=["POST"]),
        Route("/lab/why", _why, methods=["POST"]),
    ),
    title="Lab",
    about="write rules, see what they mean, play them",
    path="/lab",
    lifespan=_lifespan,
)
