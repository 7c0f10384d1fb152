"""One part of the site: its path, its name in the navigation, its routes and its lifespan."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.routing import BaseRoute


@asynccontextmanager
async def _no_lifespan(app: Starlette) -> AsyncIterator[None]:
    yield


@dataclass(frozen=True, slots=True)
class Subject:
    """A part of the site, made by one module."""

    routes: tuple[BaseRoute, ...]
    title: str = ""
    """What the navigation calls it; empty for what is not in the navigation."""
    about: str = ""
    """What one does there, in a few words, for the first page."""
    path: str = ""
    """Where the navigation leads; everything below it counts as this subject."""
    lifespan: Callable[[Starlette], AbstractAsyncContextManager[None]] = _no_lifespan
    """What is to be opened with the server and closed with it; it may put things into ``app.state``."""
