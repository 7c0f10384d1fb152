"""The web application: all subjects of the site behind the security guard."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount

from ludens.core import LudensError
from ludens.web import help_page, home, languages
from ludens.web.editor import pages as editor
from ludens.web.lab import pages as lab
from ludens.web.library import pages as library
from ludens.web.matches import live, play, watch
from ludens.web.pages import Pages, on_http_error, on_ludens_error, on_os_error
from ludens.web.replays import pages as replay_pages
from ludens.web.scripts import VersionedFiles
from ludens.web.security import Guard
from ludens.web.settings import Settings
from ludens.web.subject import Subject
from ludens.web.tournaments import pages as tournaments

SUBJECTS: tuple[Subject, ...] = (
    home.SUBJECT,
    languages.SUBJECT,
    library.SUBJECT,
    play.SUBJECT,
    watch.SUBJECT,
    lab.SUBJECT,
    tournaments.SUBJECT,
    replay_pages.SUBJECT,
    help_page.SUBJECT,
    live.SUBJECT,
    editor.SUBJECT,
)
"""The parts of the site, in the order of the navigation. Each is one module with its routes."""


def create_app(settings: Settings) -> Starlette:
    """The web site, ready to be served."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for subject in SUBJECTS:
                await stack.enter_async_context(subject.lifespan(app))
            yield

    app = Starlette(
        routes=[
            *(route for subject in SUBJECTS for route in subject.routes),
            Mount("/static", VersionedFiles(), name="static"),
        ],
        middleware=[Middleware(Guard, settings=settings)],
        exception_handlers={HTTPException: on_http_error, LudensError: on_ludens_error, OSError: on_os_error},
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.sockets = {}
    app.state.pages = Pages(SUBJECTS)
    return app
