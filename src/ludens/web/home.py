"""The home page, and the style sheet that all pages with drawings link."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ludens.drawing import STYLE
from ludens.games.library import entries
from ludens.web.pages import page
from ludens.web.subject import Subject

_INVITING = ("connect_four", "checkers", "chess", "backgammon", "go", "hex", "hearts", "tic_tac_toe", "othello", "uno")
"""Games that most people know, or learn in a minute."""


async def _home(request: Request) -> Response:
    known = entries()
    return page(request, "home.html", games=[(name, known[name].card.title) for name in _INVITING if name in known])


async def _drawing_style(request: Request) -> Response:
    return Response(STYLE, media_type="text/css", headers={"cache-control": "no-cache"})


SUBJECT = Subject(routes=(Route("/", _home), Route("/static/drawing.css", _drawing_style)))
