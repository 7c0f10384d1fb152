"""Watch pages: the running and finished matches, and a page to follow each."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ludens.web.hosting.hosted_match import HostedMatch
from ludens.web.library.titles import library_title, title_of
from ludens.web.matches.play import host_of, match_page
from ludens.web.pages import page, wants_json
from ludens.web.requests import bearer_of
from ludens.web.settings import Settings
from ludens.web.subject import Subject
from ludens.web.tokens import fits, hash_of


async def _list(request: Request) -> Response:
    host = host_of(request)
    game = request.query_params.get("game", "")
    running = [_summary(hosted) for hosted in host.running() if _is_of(hosted, game)]
    finished = [_summary(hosted) for hosted in await run_in_threadpool(host.finished) if _is_of(hosted, game)]
    if wants_json(request):
        return JSONResponse({"running": running, "finished": finished})
    title = library_title(game) if game else ""
    return page(request, "watch.html", running=running, finished=finished, game=game, title=title)


def _is_of(hosted: HostedMatch, game: str) -> bool:
    """True if a match is of the requested game, or if none was requested."""
    return not game or (not hosted.ticket.setup.own_rules and hosted.ticket.setup.game == game)


def _summary(hosted: HostedMatch) -> dict[str, Any]:
    setup = hosted.ticket.setup
    return {
        "match": hosted.ticket.id,
        "game": setup.game,
        "title": title_of(setup),
        "created": hosted.ticket.created,
        "seats": [
            {"role": role, "player": seat.player, "goal": hosted.end.get("goals", {}).get(role)}
            for role, seat in setup.seats.items()
        ],
        "turns": hosted.turns,
        "status": hosted.status,
        "reason": hosted.end.get("reason", ""),
        "followers": hosted.followers,
    }


async def _watch(request: Request) -> Response:
    return match_page(request, _find_match(request))


async def _stop(request: Request) -> Response:
    hosted = _find_match(request)
    _check_authority(request, hosted)
    if not hosted.is_over:
        host_of(request).stop(hosted)
    return JSONResponse({"stopped": hosted.ticket.id})


async def _delete(request: Request) -> Response:
    hosted = _find_match(request)
    _check_authority(request, hosted)
    if not hosted.is_over:
        raise HTTPException(409, "stop the match first")
    host_of(request).remove(hosted)
    return JSONResponse({"deleted": hosted.ticket.id})


def _find_match(request: Request) -> HostedMatch:
    hosted = host_of(request).find(request.path_params["match"])
    if hosted is None:
        raise HTTPException(404, "there is no such match")
    return hosted


def _check_authority(request: Request, hosted: HostedMatch) -> None:
    settings: Settings = request.app.state.settings
    token = bearer_of(request)
    is_admin = bool(settings.admin_token) and fits(token, hash_of(settings.admin_token))
    if not (is_admin or hosted.is_owner(token)):
        raise HTTPException(403, "only the creator of the match, or the administrator, may do that")


SUBJECT = Subject(
    title="Watch",
    about="live matches, with the players' searches",
    path="/watch",
    routes=(
        Route("/watch", _list),
        Route("/watch/{match}", _watch),
        Route("/watch/{match}/stop", _stop, methods=["POST"]),
        Route("/watch/{match}/delete", _delete, methods=["POST"]),
    ),
)
