"""Links from the server to workers: a process on pipes, or threads of this process for tests."""

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
        """Send an order."""

    def kill(self) -> None:
        """Kill the worker."""

    async def close(self) -> None:
        """Ask the worker to leave its matches, and wait until it has ended."""


class ProcessLink:
    """A worker in its own process."""

    def __init__(self, process: Process, news: News, lost: Callable[[], None]) -> None:
        self._process = process
        self._lost = lost
        self._ready = asyncio.Event()
        self._reader = asyncio.create_task(self._read(news))
        self._closing = False

    @staticmethod
    async def open(megabytes: int, searches: int, news: News, lost: Callable[[], None]) -> ProcessLink:
        """Start a worker with limits on memory (0: none) and concurrent searches, and wait until it has loaded its
        modules; ``lost`` is called if it dies."""
        link = ProcessLink(await start_worker(_MODULE, megabytes, searches), news, lost)
        await link._ready.wait()
        return link

    def send(self, order: Mapping[str, Any]) -> None:
        """Send an order; it is lost if the process has died."""
        assert self._process.stdin is not None
        if self._process.returncode is None:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")

    def kill(self) -> None:
        """End the process and its children."""
        kill_session(self._process.pid)

    async def close(self) -> None:
        """Ask the process to end; kill it after a timeout."""
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
        await self._line()  # its first one says that it is ready
        self._ready.set()
        while line := await self._line():
            try:
                news(json.loads(line))
            except Exception:  # an error in one match must not hold up the news of the others
                _LOG.exception("news of a match could not be passed on")
        await self._process.wait()
        if not self._closing:
            self._lost()

    async def _line(self) -> bytes:
        """The next line; empty at the end. A process that sends too long a line is killed."""
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
            with contextlib.suppress(RuntimeError):  # the event loop is closed
                loop.call_soon_threadsafe(news, json.loads(json.dumps(message)))

        self._worker = Worker(pass_on, searches=2)

    def send(self, order: Mapping[str, Any]) -> None:
        """Send an order."""
        self._worker.handle(order)

    def kill(self) -> None:
        """Do nothing: threads cannot be killed, and run no hostile rules."""

    async def close(self) -> None:
        """Leave all matches."""
        await asyncio.to_thread(self._worker.close)
