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
    """Its name in the navigation; empty if it is not listed there."""
    about: str = ""
    """A short description for the home page."""
    path: str = ""
    """Where the navigation leads; everything below it counts as this subject."""
    lifespan: Callable[[Starlette], AbstractAsyncContextManager[None]] = _no_lifespan
    """Opened and closed with the server; it may set attributes of ``app.state``."""
