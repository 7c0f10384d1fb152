"""The way from the server to those who play matches: a process behind pipes, or a worker in this process for tests."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from asyncio.subprocess import Process
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ludens.core.process import kill_session
from ludens.web.hosting.worker import Worker
from ludens.web.processes import start_worker

_MODULE = "ludens.web.hosting.worker"
_CLOSING_SECONDS = 6.0
_LOG = logging.getLogger(__name__)

News = Callable[[dict[str, Any]], None]
"""Takes news of a worker, in the event loop."""


class Link(Protocol):
    """One worker, as the server sees it."""

    def send(self, order: Mapping[str, Any]) -> None:
        """Give an order."""

    def kill(self) -> None:
        """End the worker at once."""

    async def close(self) -> None:
        """Let the worker leave its matches, and wait until it is gone."""


class ProcessLink:
    """A worker in a process of its own."""

    def __init__(self, process: Process, news: News, lost: Callable[[], None]) -> None:
        self._process = process
        self._lost = lost
        self._reader = asyncio.create_task(self._read(news))
        self._closing = False

    @staticmethod
    async def open(megabytes: int, searches: int, news: News, lost: Callable[[], None]) -> ProcessLink:
        """Start a worker with so much memory (0: any) and searches at once; ``lost`` is called if it ends by itself."""
        return ProcessLink(await start_worker(_MODULE, megabytes, searches), news, lost)

    def send(self, order: Mapping[str, Any]) -> None:
        """Give an order; lost if the process is."""
        assert self._process.stdin is not None
        if self._process.returncode is None:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")

    def kill(self) -> None:
        """End the process and all that it started."""
        kill_session(self._process.pid)

    async def close(self) -> None:
        """Let the process end; kill it if it takes too long."""
        self._closing = True
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _CLOSING_SECONDS)
        except TimeoutError:
            self.kill()
            await self._process.wait()
        await self._reader

    async def _read(self, news: News) -> None:
        while line := await self._line():
            try:
                news(json.loads(line))
            except Exception:  # what goes wrong with one match must not keep the news of all others
                _LOG.exception("news of a match could not be passed on")
        await self._process.wait()
        if not self._closing:
            self._lost()

    async def _line(self) -> bytes:
        """The next line; none if there will be no more. A process whose lines have no end is ended."""
        assert self._process.stdout is not None
        try:
            return await self._process.stdout.readline()
        except ValueError:
            self.kill()
            return b""


class ThreadLink:
    """A worker in threads of this process."""

    def __init__(self, news: News) -> None:
        loop = asyncio.get_running_loop()

        def pass_on(message: dict[str, Any]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(news, json.loads(json.dumps(message)))

        self._worker = Worker(pass_on, searches=2)

    def send(self, order: Mapping[str, Any]) -> None:
        """Give an order."""
        self._worker.handle(order)

    def kill(self) -> None:
        """Threads cannot be ended; nothing hostile is played in them."""

    async def close(self) -> None:
        """Leave all matches."""
        await asyncio.to_thread(self._worker.close)
