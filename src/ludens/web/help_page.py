"""The help page: how to play and what is shown, and how to write a game."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ludens.web.pages import page
from ludens.web.subject import Subject

EXAMPLE = """\
(role me) (role you) (init (sticks 7)) (init (turn me))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(other me you) (other you me)
(<= (legal ?r take) (true (turn ?r)))
(<= (legal ?r take_two) (true (turn ?r)) (not (true (sticks 1))))
(<= (legal ?r noop) (true (turn ?o)) (other ?o ?r))
(<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
(<= (next (sticks ?m)) (does ?r take) (true (sticks ?n)) (succ ?m ?n))
(<= (next (sticks ?m)) (does ?r take_two) (true (sticks ?n)) (succ ?k ?n) (succ ?m ?k))
(<= terminal (true (sticks 0)))
(<= (goal ?r 100) (true (sticks 0)) (true (turn ?o)) (other ?o ?r))
(<= (goal ?r 0) (true (sticks 0)) (true (turn ?r)))
(<= (goal ?r 50) (role ?r) (not (true (sticks 0))))
"""
"""A whole game: take one stick or two; whoever takes the last wins."""


async def _help(request: Request) -> Response:
    return page(request, "help.html", example=EXAMPLE)


SUBJECT = Subject(
    routes=(Route("/help", _help),), title="Help", about="what the bars mean, keys, how to write a game", path="/help"
)
