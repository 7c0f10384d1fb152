"""Facts about library games from the compiler and random matches, cached on disk."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool

from ludens.core import LudensError
from ludens.games.library import Choice
from ludens.web.bench.workbench import Workbench
from ludens.web.disk_cache import write_cache
from ludens.web.hosting.shelf import rules_key

Part = dict[str, Any]
"""A part of the facts."""


class Facts:
    """The parts that `ludens.web.lab.examination.examine_game` computes for each game."""

    def __init__(self, folder: Path, bench: Workbench) -> None:
        self._folder = folder
        self._bench = bench
        self._running: dict[Path, _Computation] = {}
        self._ended = 0
        """Computations that are over: who saw no cached facts before one ended looks again."""

    async def of(self, choice: Choice) -> AsyncIterator[Part]:
        """The parts, as they are computed; at once if cached.

        Failures are computed again next time. Concurrent requests share one computation, which continues when all of
        them have disconnected.
        """
        path = self._folder / f"{await run_in_threadpool(rules_key, choice)}.json"
        known, ended = None, -1
        while known is None and path not in self._running and ended != self._ended:
            ended = self._ended
            known = await run_in_threadpool(_read_cache, path)
        if known is None:
            computation = self._running.get(path)
            if computation is None:
                computation = self._running[path] = _Computation(self._compute(path, choice))
            async for part in computation.parts():
                yield part
        else:
            for part in known:
                yield part

    async def _compute(self, path: Path, choice: Choice) -> AsyncIterator[Part]:
        try:
            parts = []
            name = f"facts of {choice.full_name}"
            async for part in self._bench.run(name, "facts", game=choice.full_name):
                parts.append(part)
                yield part
            if parts and not any("error" in part for part in parts):
                await run_in_threadpool(write_cache, path, json.dumps(parts).encode())
        finally:
            del self._running[path]
            self._ended += 1


class _Computation:
    """A running computation, shared by all requests."""

    def __init__(self, source: AsyncIterator[Part]) -> None:
        self._parts: list[Part] = []
        self._is_over = False
        self._error: LudensError | None = None
        self._news = asyncio.Event()
        self._task = asyncio.create_task(self._collect(source))

    async def parts(self) -> AsyncIterator[Part]:
        """All parts, from the first. Raises `LudensError` if they cannot be computed."""
        number = 0
        while not self._is_over or number < len(self._parts):
            if number == len(self._parts):
                await self._news.wait()
            else:
                yield self._parts[number]
                number += 1
        if self._error is not None:
            raise self._error

    async def _collect(self, source: AsyncIterator[Part]) -> None:
        try:
            async for part in source:
                self._parts.append(part)
                self._notify()
        except LudensError as error:
            self._error = error
        finally:
            self._is_over = True
            self._notify()

    def _notify(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


def _read_cache(path: Path) -> list[Part] | None:
    """The cached parts; None if there are none, or they cannot be read."""
    try:
        parts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return parts if isinstance(parts, list) and all(isinstance(part, dict) for part in parts) else None
