"""Tournament pages: the list, and each with standings, crosstable and ratings, live while it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ludens.arena.played_match import PlayedMatch, by_game, summary_of
from ludens.core import LudensError
from ludens.core.folders import data_folder
from ludens.web.hosting.setup import library_choice
from ludens.web.pages import page
from ludens.web.settings import Settings
from ludens.web.subject import Subject

if TYPE_CHECKING:
    from ludens.arena.store import Overview, Store

SHOWN_MATCHES = 30
"""Matches of a tournament that are listed, the latest ones."""
LIVE = timedelta(seconds=90)
"""A tournament counts as running if a match has ended within this time."""
_POINTS = 40
"""The number of points at which ratings are computed."""
_NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class TournamentMatch:
    """A match, and the tournament it belongs to."""

    tournament: int
    title: str
    played: PlayedMatch


def store_of(settings: Settings) -> Store | None:
    """The store beside the records; None if there is none, or the extra ``arena`` is not installed."""
    path = settings.data / "arena.db"
    if not path.is_file():
        return None
    try:
        from ludens.arena.store import Store  # noqa: PLC0415 - an extra
    except ImportError:
        return None
    return Store(path)


def matches_of_game(settings: Settings, game: str, most: int) -> list[TournamentMatch]:
    """The latest tournament matches of a game, with any parameters."""
    try:
        return list(islice(_matches_of_game(store_of(settings), game), most))
    except LudensError:
        return []  # the page of tournaments reports errors of the store; that of a game has other content


def _matches_of_game(store: Store | None, game: str) -> Iterator[TournamentMatch]:
    for overview in store.overview() if store else ():
        for played in reversed(store.matches(overview.number) if store else []):
            if played.game.partition("@")[0].partition(":")[0] == game:
                yield TournamentMatch(overview.number, overview.name, played)


async def _list(request: Request) -> Response:
    settings: Settings = request.app.state.settings
    tournaments = await run_in_threadpool(_overviews, settings)
    is_elsewhere = settings.data != data_folder()
    return page(request, "tournaments.html", tournaments=tournaments, elsewhere=is_elsewhere)


def _overviews(settings: Settings) -> list[dict[str, Any]]:
    store = store_of(settings)
    return [{"overview": one, "live": _is_live(one)} for one in store.overview()] if store else []


def _is_live(overview: Overview) -> bool:
    latest = overview.latest
    return latest is not None and datetime.now(UTC) - latest.replace(tzinfo=latest.tzinfo or UTC) < LIVE


async def _tournament(request: Request) -> Response:
    return page(request, "tournament.html", **await _tournament_context(request, ""))


async def _table(request: Request) -> Response:
    """The changing part of the page, for the script that polls; empty if nothing is new."""
    context = await _tournament_context(request, request.query_params.get("known", ""))
    return page(request, "tournament_table.html", **context) if context else Response(status_code=204)


async def _tournament_context(request: Request, known: str) -> dict[str, Any]:
    settings: Settings = request.app.state.settings
    number = number_in(request.path_params["number"])
    return await run_in_threadpool(tournament_context, settings, number, known)


def number_in(text: str) -> int:
    """The number of a tournament in a URL; 0, which none has, if it is invalid."""
    return int(text) if _NUMBER.fullmatch(text) else 0


def tournament_context(settings: Settings, number: int, known: str) -> dict[str, Any]:
    """The context of a tournament's page; empty if its version is ``known``.

    Raises 404 if there is no such tournament.
    """
    store = store_of(settings)
    overview = next((one for one in store.overview() if one.number == number), None) if store else None
    if store is None or overview is None:
        raise HTTPException(404, "there is no such tournament")
    version = f"{overview.matches}{'+' if _is_live(overview) else ''}"
    if version == known:
        return {}  # before anything is computed: pages poll every few seconds
    matches = store.matches(number)
    planned = _count_planned(store.specification(number), matches)
    return {
        "number": number,
        "title": overview.name,
        "began": overview.began,
        "count": len(matches),
        "planned": planned,
        "live": _is_live(overview) and (planned is None or len(matches) < planned),
        "version": version,
        "matches": list(reversed(matches[-SHOWN_MATCHES:])),
        **_results(matches),
    }


def _results(matches: Sequence[PlayedMatch]) -> dict[str, Any]:
    from ludens.arena.ratings import elo_ratings, rating_history, skill_ratings  # noqa: PLC0415
    from ludens.arena.results.crosstable import Crosstable  # noqa: PLC0415 - an extra
    from ludens.web.tournaments.rating_plot import rating_svg  # noqa: PLC0415 - as above

    tallies = summary_of(matches).tallies()
    duels = [played for played in matches if len(set(played.players)) == 2]
    ratings = {one.player: one for one in (elo_ratings(matches) if duels else skill_ratings(matches))}
    order = sorted(tallies, key=lambda player: -tallies[player].score.mean)
    games, crosstable = by_game(matches), Crosstable(matches)
    by_games = {game: summary_of(played_in).tallies() for game, played_in in games.items()} if len(games) > 1 else {}
    return {
        "players": order,
        "tallies": tallies,
        "ratings": ratings,
        "scale": "Elo" if duels else "skill",
        "crosstable": crosstable,
        "groups": crosstable.groups,
        "games": by_games,
        "svg": rating_svg(rating_history(duels, _POINTS)) if len(duels) > 1 else "",
    }


def _count_planned(specification: str, matches: Sequence[PlayedMatch]) -> int | None:
    """The total number of matches; None if it cannot be computed without the games."""
    from ludens.arena.plan import stored_plan  # noqa: PLC0415 - an extra
    from ludens.arena.tournament import competitions, planned_matches  # noqa: PLC0415 - as above

    seats = {played.game: len(played.roles) for played in matches}

    def seats_of(game: str) -> int:
        known = seats.get(game) or library_choice(game).card.players
        if known is None:
            raise LudensError(f"the number of roles of {game} is unknown")
        return known

    try:
        return planned_matches(competitions(stored_plan(specification), seats_of), matches)
    except LudensError:
        return None


SUBJECT = Subject(
    routes=(
        Route("/tournaments", _list),
        Route("/tournaments/{number}", _tournament),
        Route("/tournaments/{number}/table", _table),
    ),
    title="Tournaments",
    about="standings and ratings",
    path="/tournaments",
)
