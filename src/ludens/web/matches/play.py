"""Play pages: the form for a new match, and the page of each person's seat."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ludens.core import GameError, Role
from ludens.games import library
from ludens.web.hosting.host import Host
from ludens.web.hosting.hosted_match import HostedMatch
from ludens.web.hosting.setup import Setup, own_name
from ludens.web.library.titles import again_path, rules_path, title_of
from ludens.web.matches.match_form import players_as_json, seed_from, setup_from
from ludens.web.pages import page
from ludens.web.requests import client_of, json_object
from ludens.web.settings import Settings
from ludens.web.subject import Subject

OWN_RULES = "own"
"""The form's name for the client's own rules."""
_KINDS = ("board", "card", "dice", "puzzle", "heap", "matrix", "other")


@asynccontextmanager
async def _hosting(app: Starlette) -> AsyncIterator[None]:
    host = app.state.host = Host(app.state.settings)
    try:
        await host.open()
        yield
    finally:
        await host.close()


def host_of(request: Request) -> Host:
    """All matches."""
    host: Host = request.app.state.host
    return host


async def _form(request: Request) -> Response:
    shelves = await run_in_threadpool(_shelves)
    wanted = request.query_params.get("game", "tic_tac_toe")
    is_watching = "watch" in request.query_params
    return page(request, "play.html", shelves=shelves, wanted=wanted, own_rules=OWN_RULES, watching=is_watching)


def _shelves() -> list[tuple[str, list[dict[str, Any]]]]:
    """All library games by kind, with the data that the form needs."""
    shelves: dict[str, list[dict[str, Any]]] = {kind: [] for kind in _KINDS}
    for entry in library.entries().values():
        card = entry.card
        shelves.setdefault(card.kind, []).append(
            {
                "name": entry.name,
                "title": card.title,
                "rules": card.rules,
                "parameters": card.parameters,
                "choices": ",".join(card.choices) if len(card.choices) == 1 else " ".join(card.choices),
                "forms": " ".join(entry.forms) if len(entry.forms) > 1 else "",
                "default_form": entry.default_form,
            }
        )
    return [(kind, sorted(games, key=lambda game: game["title"].lower())) for kind, games in shelves.items() if games]


async def _players(request: Request) -> Response:
    return JSONResponse({"players": await run_in_threadpool(players_as_json)})


async def _describe(request: Request) -> Response:
    """The data of a game for the form: its roles, and whether it has hidden information or chance."""
    data = await json_object(request)
    return JSONResponse(await _describe_game(request, *_game_in(request, data)))


async def _describe_game(request: Request, game: str, rules: str | None, seed: int | None = None) -> dict[str, Any]:
    host, client = host_of(request), client_of(request)
    return await (host.describe(game, client, seed) if rules is None else host.describe_rules(game, rules, client))


async def _create(request: Request) -> Response:
    data = await json_object(request)
    game, rules = _game_in(request, data)
    host, settings = host_of(request), request.app.state.settings
    host.check_room(client_of(request))
    seed, is_seated = seed_from(data), "seats" in data
    facts = await _describe_game(request, game, rules, None if is_seated else seed)
    name = facts.get("game", game)
    if not is_seated:
        data = {"undo": not facts["hidden"]} | data
    setup = setup_from(
        data,
        name,
        facts["roles"],
        settings.limits,
        own_rules=rules is not None,
        first=facts.get("first", ""),
        seed=seed,
    )
    created = await host.create(client_of(request), setup, rules)
    match = created.match.ticket.id
    return JSONResponse(
        {
            "match": match,
            "game": title_of(setup),
            "watch": f"/watch/{match}",
            "seats": [{"role": role, "path": f"/play/{match}/{token}"} for role, token in created.seats.items()],
            "owner": created.owner,
        },
        201,
    )


def _game_in(request: Request, data: dict[str, Any]) -> tuple[str, str | None]:
    """The name of the requested game, and the client's own rules, if any."""
    settings: Settings = request.app.state.settings
    game, rules = data.get("game"), data.get("rules")
    if not isinstance(game, str):
        raise HTTPException(400, "name the game")
    if rules is None:
        return game, None
    if not isinstance(rules, str) or len(rules) > settings.limits.rule_characters:
        raise GameError(f"rules have at most {settings.limits.rule_characters:,} characters")
    return own_name(game), rules


async def _seat(request: Request) -> Response:
    hosted = host_of(request).find(request.path_params["match"])
    token = request.path_params["token"]
    role = hosted.role_of(token) if hosted is not None else None
    if hosted is None or role is None:
        raise HTTPException(404, "there is no such seat; perhaps the link is incomplete")
    return match_page(request, hosted, role, token)


def match_page(request: Request, hosted: HostedMatch, role: Role = "", token: str = "") -> Response:
    """The page of a match for a person at a seat; without a role, for spectators."""
    setup = hosted.ticket.setup
    return page(
        request,
        "match.html",
        match=hosted.ticket.id,
        game=title_of(setup),
        rules=rules_path(setup),
        again=again_path(setup),
        role=role,
        token=token,
        setups=_ready_setups(setup, role) if role else [],
        warns_of_seed=setup.is_seed_chosen and len(setup.people) > 1,
    )


def _ready_setups(setup: Setup, role: Role) -> list[dict[str, Any]]:
    """The ready set-ups for a role, if the card of the game has some."""
    if setup.own_rules:
        return []
    choice = library.find(setup.game)
    fitting = [ready for ready in choice.card.setups if ready.fits(choice.parameters, role)]
    return [{"name": ready.name, "moves": ready.moves} for ready in fitting]


SUBJECT = Subject(
    title="Play",
    about="against players, or people with a link",
    path="/play",
    routes=(
        Route("/play", _form),
        Route("/play", _create, methods=["POST"]),
        Route("/play/players", _players),
        Route("/play/game", _describe, methods=["POST"]),
        Route("/play/{match}/{token}", _seat),
    ),
    lifespan=_hosting,
)
