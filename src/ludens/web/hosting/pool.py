"""The pool of workers: a few share the library's games, and each client's own rules get a separate one."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from ludens.core import GameError, LudensError
from ludens.web.hosting.links import Link, ProcessLink, ThreadLink
from ludens.web.settings import Limits

_DESCRIBE_SECONDS = 15.0
"""How long a form waits for the roles of a client's rules."""
_TAME_SECONDS = 120.0
"""How long it waits for those of the library: long, since only a busy machine or a first start is slow."""
_PAUSE = 1.0
"""Seconds before a dead worker is replaced, in case every new one dies too."""


class Crew:
    """One worker and its matches."""

    def __init__(self, *, alone: bool) -> None:
        self.link: Link | None = None
        """The link to the process, once it has started."""
        self.alone = alone
        """True if it plays one match with a client's own rules and then ends."""
        self.client = ""
        """The client who wrote the rules."""
        self.is_describing = False
        """True if it only reads the rules, for a form."""
        self.matches: set[str] = set()
        """The matches that it plays."""

    def send(self, order: Mapping[str, Any]) -> None:
        """Send an order."""
        if self.link is not None:
            self.link.send(order)


class Pool:
    """All workers."""

    def __init__(
        self,
        workers: int | None,
        limits: Limits,
        news: Callable[[dict[str, Any]], None],
        lost: Callable[[str], None],
    ) -> None:
        self._number = max(2, os.cpu_count() or 2) if workers is None else workers
        self._limits = limits
        self._news = news
        self._lost = lost
        self._shared: list[Crew] = []
        self._alone: set[Crew] = set()
        self._spare: Crew | None = None
        self._opening_spare = False
        self._numbers = itertools.count()
        self._described: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False

    async def open(self) -> None:
        """Start a shared worker, and all others in the background, one after the other: a match may begin at once."""
        self._shared = [Crew(alone=False) for _ in range(max(1, self._number))]
        await self._open(self._shared[0])
        if self._number:
            self._in_background(self._open_others())

    async def assign(self, match: str, client: str, *, tame: bool, describing: bool = False) -> Crew:
        """Assign a worker to a client's match, or to the description of its rules.

        Raises `LudensError` if too many matches with clients' own rules run, in all or of this client; descriptions are
        counted apart, or the last match that is allowed could not be described.
        """
        if tame or not self._number:
            crew = min(self._shared, key=lambda crew: (crew.link is None, len(crew.matches)))
            crew.matches.add(match)
            return crew
        others = [crew for crew in self._alone if crew.is_describing == describing]
        if len(others) >= self._limits.own_processes:
            raise LudensError("too many matches with custom rules are running; try again later")
        if sum(crew.client == client for crew in others) >= self._limits.own_processes_of_client:
            raise LudensError("you have too many matches with custom rules; finish or stop some of them first")
        crew, self._spare = self._spare or Crew(alone=True), None
        crew.client, crew.is_describing = client, describing
        crew.matches.add(match)
        self._alone.add(crew)
        if crew.link is None:
            try:
                await self._open(crew)
            except OSError as error:
                self._alone.discard(crew)
                raise LudensError(f"no process could be started for these rules: {error.strerror}") from None
        self._in_background(self._open_spare())
        return crew

    async def release(self, crew: Crew, match: str) -> None:
        """Release the worker of a finished match."""
        crew.matches.discard(match)
        if crew.alone and crew in self._alone:
            self._alone.discard(crew)
            if crew.link is not None:
                await crew.link.close()

    async def describe(self, game: str, rules: str | None, client: str, *, tame: bool, seed: int = 0) -> dict[str, Any]:
        """The data of a game for the form: roles, chance, hidden information, and who begins a match with a seed."""
        name = f"describe {next(self._numbers)}"
        crew = await self.assign(name, client, tame=tame, describing=True)
        order = {"do": "describe", "name": name, "game": game, "rules": rules, "seed": seed}
        try:
            description = await self._answer(crew, order, _TAME_SECONDS if tame else _DESCRIBE_SECONDS)
        except TimeoutError:
            if crew.alone and crew.link is not None:
                crew.link.kill()
            raise GameError("these rules take too long to read") from None
        finally:
            crew.matches.discard(name)  # at once, so that the match gets the same worker, which has read the rules
            self._in_background(self.release(crew, name))
        if "error" in description:
            raise GameError(description["error"])
        return description

    async def close(self) -> None:
        """Close all workers; their matches can continue later."""
        self._closing = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        crews = [*self._shared, *self._alone, *([self._spare] if self._spare else [])]
        await asyncio.gather(*(crew.link.close() for crew in crews if crew.link is not None))

    async def _answer(self, crew: Crew, order: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to an order that has a name. Raises `TimeoutError`."""
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._described[order["name"]] = future
        try:
            crew.send(order)
            return await asyncio.wait_for(future, seconds)
        finally:
            del self._described[order["name"]]

    async def _open_others(self) -> None:
        """Prepare the first worker, start and prepare the others, and start a spare one."""
        for number, crew in enumerate(self._shared):
            if number:
                await self._open_again(crew)
            with contextlib.suppress(TimeoutError):
                await self._answer(crew, {"do": "warm up", "name": f"warm up {next(self._numbers)}"}, _TAME_SECONDS)
        await self._open_spare()

    async def _open_spare(self) -> None:
        """Start a spare process for the next client's rules, since starting takes seconds."""
        if self._spare is None and not self._opening_spare:
            self._opening_spare = True
            try:
                spare = Crew(alone=True)
                await self._open(spare)
                self._spare = spare  # not before it has its process, or a match would start a second one
            finally:
                self._opening_spare = False

    async def _open(self, crew: Crew) -> None:
        megabytes = self._limits.load_megabytes if crew.alone else 0
        if self._number:
            searches = 1 if crew.alone else -(-(os.cpu_count() or 1) // self._number)
            crew.link = await ProcessLink.open(megabytes, searches, self._hear, lambda: self._on_lost(crew))
        else:
            crew.link = ThreadLink(self._hear)

    def _hear(self, message: dict[str, Any]) -> None:
        if "described" not in message:
            self._news(message)
            return
        future = self._described.get(message.pop("described"))
        if future is not None and not future.done():
            future.set_result(message)

    def _on_lost(self, crew: Crew) -> None:
        """Replace a worker that died; its matches continue from their records."""
        if not self._closing:
            crew.link = None
            self._in_background(self._replace(crew))

    async def _replace(self, crew: Crew) -> None:
        if crew is self._spare:
            self._spare = None
        elif crew.alone:
            self._alone.discard(crew)
        else:
            await asyncio.sleep(_PAUSE)
            await self._open_again(crew)
        matches, crew.matches = crew.matches, set()  # the current ones: some may have been assigned meanwhile
        for match in matches:
            if match in self._described:
                self._hear({"described": match, "error": "these rules need too much memory or time"})
            else:
                self._lost(match)

    async def _open_again(self, crew: Crew) -> None:
        """Restart the process of a crew, with retries."""
        while crew.link is None:
            try:
                await self._open(crew)
            except OSError:
                await asyncio.sleep(_PAUSE)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
