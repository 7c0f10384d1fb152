"""Library pages: all games, and a page for each."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from ludens.core import LudensError
from ludens.core.folders import cache_folder
from ludens.games.library import GDL, Choice, Entry
from ludens.web.bench.workbench import Limits, Workbench
from ludens.web.hosting.setup import is_tame
from ludens.web.hosting.shelf import Wish, choice_of, common_tags, form_names, known_games, searchable, tags_of
from ludens.web.library.facts import Facts
from ludens.web.library.guests import Guests
from ludens.web.library.highlight import gdl_html, python_html
from ludens.web.library.pictures import Pictures
from ludens.web.pages import page
from ludens.web.replays.history import PastMatch, past_matches
from ludens.web.requests import client_of, json_lines
from ludens.web.settings import Settings
from ludens.web.subject import Subject
from ludens.web.tournaments.pages import TournamentMatch, matches_of_game

SHOWN_MATCHES = 12
"""Matches in the history of a game."""
SHOWN_SOURCE = 150_000
"""Characters of rules that are shown; generated ones can be longer."""
_LIMITS = Limits(examine_seconds=120.0, at_once=1)
"""Library games may take longer to compile than clients' own rules."""
_PICTURE_SECONDS = 3_600


async def _library(request: Request) -> Response:
    wish = _wish(request)
    return page(request, "library.html", **await run_in_threadpool(_library_context, wish))


def _wish(request: Request) -> Wish:
    query = request.query_params
    players = query.get("players", "")
    return Wish(
        query.get("q", "")[:100], query.get("tag", "")[:40], int(players) if players in {"1", "2", "3", "4"} else 0
    )


def _library_context(wish: Wish) -> dict[str, Any]:
    games = list(known_games().values())
    cards = [_card(entry) | {"hidden": not wish.fits(entry)} for entry in games]
    return {
        "cards": cards,
        "tags": common_tags(games),
        "wish": wish,
        "count": sum(not card["hidden"] for card in cards),
    }


def _card(entry: Entry) -> dict[str, Any]:
    card = entry.card
    return {
        "name": entry.name,
        "title": card.title,
        "players": card.players,
        "tags": tags_of(card),
        "forms": form_names(entry),
        "words": searchable(entry),
        "rules": card.rules,
    }


async def _game(request: Request) -> Response:
    choice = choice_of(request.path_params["name"])
    settings: Settings = request.app.state.settings
    shown = await run_in_threadpool(_game_context, choice, settings)
    language, source = await _source(request, choice)
    return page(request, "game.html", language=language, source=source, **shown)


def _game_context(choice: Choice, settings: Settings) -> dict[str, Any]:
    entry, card = choice.entry, choice.card
    past: list[PastMatch] = past_matches(settings.records, SHOWN_MATCHES, entry.name)
    rated: list[TournamentMatch] = matches_of_game(settings, entry.name, SHOWN_MATCHES)
    return {
        "name": choice.text,
        "entry": entry,
        "card": card,
        "tags": tags_of(card),
        "form": choice.form,
        "other_forms": [form for form in entry.forms if form != choice.form],
        "past": past,
        "rated": rated,
    }


async def _source(request: Request, choice: Choice) -> tuple[str, Markup]:
    """The language of the rules, and their highlighted text."""
    try:
        if choice.form == GDL:
            text = await _guests(request).sheet(choice, client_of(request))
            return "GDL", Markup(gdl_html(text[:SHOWN_SOURCE]))
        text = choice.path.read_text(encoding="utf-8")
        return "Python", Markup(python_html(text[:SHOWN_SOURCE]))
    except (LudensError, OSError) as error:
        return "", Markup.escape(str(error))


def _guests(request: Request) -> Guests:
    guests: Guests = request.app.state.guests
    return guests


async def _picture(request: Request) -> Response:
    pictures: Pictures = request.app.state.pictures
    choice = choice_of(request.path_params["name"])
    if not is_tame(choice):
        return Response(await _guests(request).picture(choice, client_of(request)), media_type="image/svg+xml")
    key, svg = await pictures.of(choice)
    headers = {"cache-control": f"max-age={_PICTURE_SECONDS}", "etag": f'"{key}"'}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return Response(svg, media_type="image/svg+xml", headers=headers)


async def _facts(request: Request) -> Response:
    facts: Facts = request.app.state.facts
    choice = choice_of(request.path_params["name"])
    parts = facts.of(choice) if is_tame(choice) else _guests(request).facts(choice, client_of(request))
    return StreamingResponse(json_lines(parts), media_type="application/x-ndjson")


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    bench, drawing_bench, guest_bench = Workbench(_LIMITS), Workbench(), Workbench()
    app.state.pictures = Pictures(cache_folder() / "pictures", drawing_bench)
    app.state.facts = Facts(cache_folder() / "facts", bench)
    app.state.guests = Guests(guest_bench)
    try:
        yield
    finally:
        for each in (bench, drawing_bench, guest_bench):
            await each.close()


SUBJECT = Subject(
    routes=(
        Route("/library", _library),
        Route("/library/{name}", _game),
        Route("/library/{name}/picture.svg", _picture),
        Route("/library/{name}/facts", _facts),
    ),
    title="Library",
    about="all games, with rules and pictures",
    path="/library",
    lifespan=_lifespan,
)
