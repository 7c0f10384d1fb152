"""Runs jobs on texts from the browser in limited processes: one of a kind per page, a few at a time in all.

A process that is too slow or dies is killed with its children, and the next job gets a new one. Processes that only
checked a text are reused, since texts are checked at every key.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from asyncio.subprocess import DEVNULL, Process
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from ludens.core import LudensError
from ludens.core.process import kill_session
from ludens.web.processes import start_worker

_MODULE = "ludens.web.bench.worker"
_REVIEW = "review"
_SHORT = frozenset({"check", "tree", "picture", "sheet"})
"""Quick jobs, with the shorter time limit."""
_REUSABLE = _SHORT | {"board", "why", "explore", "edit", "edited_match"}
"""Jobs after which a process can be reused."""
_GRACE = 5
"""Seconds beyond its limit after which a process exits by itself."""

_Key = tuple[str, str, str]
"""Client, page and job."""


class BusyError(LudensError):
    """Too many jobs at the same time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for a text from the browser."""

    check_seconds: float = 10.0
    """To check it, draw one of its rules, or read the parameters of a game."""
    examine_seconds: float = 45.0
    """To compile, decompose and play it."""
    review_seconds: float = 180.0
    """To judge the moves of a match, which takes 30 CPU seconds at most: longer only on a busy machine."""
    memory: int = 6_000_000_000
    """Bytes of address space; compilers reserve much more than they use."""
    at_once: int = 2
    """Jobs that run side by side."""
    waiting: int = 20
    """Jobs that wait; more are refused."""
    of_client: int = 8
    """Jobs of one client that run or wait."""

    def of(self, job: str) -> float:
        """The seconds that a job may take."""
        return self.check_seconds if job in _SHORT else self.review_seconds if job == _REVIEW else self.examine_seconds


class Workbench:
    """Runs jobs of clients. Belongs to one event loop; `close` ends all processes."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        """The limits of a job."""
        self._room = asyncio.Semaphore(self.limits.at_once)
        self._waiting = 0
        self._idle: list[Process] = []
        self._running: dict[_Key, Process] = {}
        self._latest: dict[_Key, object] = {}
        self._clients: Counter[str] = Counter()
        self._ending: set[asyncio.Task[int]] = set()

    async def run(self, client: str, job: str, page: str = "", **values: Any) -> AsyncIterator[dict[str, Any]]:
        """The answers to a job, as they arrive. A newer job of the same kind and page cancels an older one.

        The last one has ``error`` if it was too slow or failed. Raises `BusyError` if too many are waiting.
        """
        key, token = (client, page, job), object()
        self._kill(self._running.pop(key, None))
        self._latest[key] = token
        try:
            async with self._room_for(client):
                if self._latest.get(key) is token:
                    async for answer in self._answers(key, {"job": job, **values}):
                        yield answer
        finally:
            if self._latest.get(key) is token:
                del self._latest[key]

    async def answer(self, client: str, job: str, page: str = "", **values: Any) -> dict[str, Any]:
        """The only answer to a job; ``{"superseded": true}`` if a newer one of the same kind cancelled it."""
        answers = [answer async for answer in self.run(client, job, page, **values)]
        return answers[0] if answers else {"superseded": True}

    @asynccontextmanager
    async def _room_for(self, client: str) -> AsyncIterator[None]:
        """Wait until a job of a client may run. Raises `BusyError` if there is no room to wait."""
        if self._waiting >= self.limits.waiting:
            raise BusyError("too many visitors at the moment; try again in a minute")
        if self._clients[client] >= self.limits.of_client:
            raise BusyError("too many requests at the same time; try again in a minute")
        self._clients[client] += 1
        try:
            self._waiting += 1
            try:
                await self._room.acquire()
            finally:
                self._waiting -= 1
            try:
                yield
            finally:
                self._room.release()
        finally:
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]

    async def _answers(self, key: _Key, request: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        seconds = self.limits.of(request["job"])
        process = await self._process()
        self._running[key] = process
        done = False
        try:
            async for answer in _talk(process, request, seconds):
                done = "done" in answer
                if not done:
                    yield answer
            if not done and self._running.get(key) is process:
                yield {"error": "this needs more memory or time than the server allows"}
        except TimeoutError:
            yield {"error": f"this took longer than the limit of {seconds:.0f} seconds"}
        finally:
            if self._running.get(key) is process:
                del self._running[key]
            if done and request["job"] in _REUSABLE:
                self._idle.append(process)
            else:
                self._kill(process)

    async def _process(self) -> Process:
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
        return await start_worker(_MODULE, self.limits.memory, errors=DEVNULL)

    def _kill(self, process: Process | None) -> None:
        """End a process and its children."""
        if process is None:
            return
        kill_session(process.pid)
        if process.stdin is not None:
            process.stdin.close()
        task = asyncio.create_task(process.wait())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """End all processes, and wait until they are gone."""
        processes = [*self._idle, *self._running.values()]
        self._idle.clear()
        self._running.clear()
        for process in processes:
            self._kill(process)
        await asyncio.gather(*self._ending)


async def _talk(process: Process, request: dict[str, Any], seconds: float) -> AsyncIterator[dict[str, Any]]:
    """Send a request, and yield the answers until the last line. Raises `TimeoutError`."""
    assert process.stdin is not None
    assert process.stdout is not None
    due = asyncio.get_running_loop().time() + seconds
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(json.dumps(request | {"seconds": int(seconds) + _GRACE}).encode() + b"\n")
        await process.stdin.drain()
        while True:
            left = due - asyncio.get_running_loop().time()
            line = await asyncio.wait_for(process.stdout.readline(), max(0.0, left))
            if not line:
                return
            answer: dict[str, Any] = json.loads(line)
            yield answer
            if "done" in answer:
                return
