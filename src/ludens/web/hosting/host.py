"""All matches of the server: created within limits, found by name, continued after a restart."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.concurrency import run_in_threadpool

from ludens.core import GameError, LudensError, Role
from ludens.web.hosting.channel import Follower
from ludens.web.hosting.hosted_match import LOADING, WAITING, HostedMatch
from ludens.web.hosting.pool import Crew, Pool
from ludens.web.hosting.setup import Setup, is_tame, library_choice, new_seed, rules_path
from ludens.web.hosting.shelf import rules_key
from ludens.web.hosting.store import Store, new_ticket
from ludens.web.settings import Settings
from ludens.web.tokens import hash_of, new_token

_LISTED = 50
"""Finished matches that are listed."""
_LOG = logging.getLogger(__name__)
_RESTARTS = 2
"""How often a match is resumed after its worker died."""


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A new match, with tokens that are never shown again."""

    match: HostedMatch
    seats: Mapping[Role, str]
    """The token of each person's seat."""
    owner: str
    """The token with which the match can be stopped."""


class Host:
    """All matches. Belongs to one event loop."""

    def __init__(self, settings: Settings) -> None:
        self._limits = settings.limits
        self._store = Store(settings.data, settings.records, settings.limits.kept_matches)
        self._pool = Pool(settings.workers, settings.limits, self._hear, self._on_lost)
        self._running: dict[str, HostedMatch] = {}
        self._over: dict[str, HostedMatch] = {}
        self._described: dict[str, dict[str, Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Start the workers, and continue all unfinished matches."""
        self._store.file_records()
        await self._pool.open()
        for ticket in self._store.running():
            hosted = self._running[ticket.id] = HostedMatch(ticket)
            await self.begin_if_ready(hosted)

    async def close(self) -> None:
        """Leave all matches; they continue after a restart."""
        for hosted in (*self._running.values(), *self._over.values()):
            hosted.close()
        await self._pool.close()

    async def describe(self, game: str, client: str, seed: int | None = None) -> dict[str, Any]:
        """The data of a library game for the form, or for a match with a seed: chance may decide who begins it.

        Raises `GameError`.
        """
        choice = library_choice(game)
        tame = is_tame(choice)
        key = await run_in_threadpool(rules_key, choice)
        known = self._described.get(key) if tame else None
        if known is None or (seed is not None and known["chance"]):
            known = await self._pool.describe(choice.text, None, client, tame=tame, seed=seed or 0)
            if tame:
                self._described[key] = known
        return {"game": choice.text, **known}

    async def describe_rules(self, name: str, rules: str, client: str) -> dict[str, Any]:
        """The same for a client's own rules. Raises `GameError`, without paths of this machine."""
        with TemporaryDirectory() as folder:
            path = rules_path(Path(folder), name)
            path.write_text(rules, encoding="utf-8")
            try:
                return await self._pool.describe("", str(path), client, tame=False)
            except GameError as error:
                raise GameError(str(error).replace(f"{folder}{os.sep}", "")) from None

    def check_room(self, client: str, megabytes: int = 0) -> None:
        """Raise `LudensError` if the client, or the server, has as many matches as are allowed, or if there is no
        memory left for the explicit ``memory`` options of its players."""
        if len(self._running) >= self._limits.matches:
            raise LudensError(f"{self._limits.matches} matches are running, which is the limit of this server")
        count = sum(hosted.ticket.client == client for hosted in self._running.values())
        if count >= self._limits.matches_of_client:
            raise LudensError(f"you have {count} matches that are not over; finish or stop some of them first")
        left = self._limits.asked_megabytes - sum(one.ticket.setup.megabytes for one in self._running.values())
        if megabytes > max(0, left):
            raise LudensError(
                f"the players of this match request {megabytes} MB, and {max(0, left)} MB are available; "
                "reduce their memory options, or leave them at the default"
            )

    async def create(self, client: str, setup: Setup, rules: str | None) -> NewMatch:
        """Begin a match. Raises `LudensError` if there is no room for it."""
        self.check_room(client, setup.megabytes)
        seats = {role: new_token() for role in setup.people}
        owner = new_token()
        ticket = new_ticket(client, setup, {role: hash_of(token) for role, token in seats.items()}, hash_of(owner))
        self._store.add(ticket, rules)
        hosted = self._running[ticket.id] = HostedMatch(ticket)
        await self.begin_if_ready(hosted)
        return NewMatch(hosted, seats, owner)

    async def rematch(self, hosted: HostedMatch, role: Role, client: str) -> None:
        """Begin the match of a person's seat once more, with roles swapped, and send all people their new seats."""
        if not hosted.is_over or hosted.has_rematch:
            return
        hosted.has_rematch = True
        try:
            setup, new_roles = hosted.ticket.setup.rematch(new_seed())
            created = await self.create(client, setup, self._store.rules_of_finished(hosted.ticket))
        except (LudensError, OSError) as error:
            hosted.has_rematch = False
            hosted.channels[role].send({"kind": "note", "text": f"No rematch: {error}"})
            return
        for old, new in new_roles.items():
            if new in created.seats:
                path = f"/play/{created.match.ticket.id}/{created.seats[new]}"
                hosted.channels[old].send({"kind": "rematch", "by": role, "path": path})

    async def begin_if_ready(self, hosted: HostedMatch) -> None:
        """Start or continue a match, unless a person with a clock is missing."""
        if hosted.status == WAITING and hosted.may_begin:
            try:
                await self._play(hosted)
            except LudensError as error:
                hosted.fail(str(error))
                self._finish(hosted)

    def running(self) -> list[HostedMatch]:
        """The matches that are being played, the latest first."""
        return sorted(self._running.values(), key=lambda hosted: hosted.ticket.id, reverse=True)

    def finished(self) -> list[HostedMatch]:
        """The last matches that are over, the latest first."""
        matches = (HostedMatch.from_disk(ticket, end, {}) for ticket, end in self._store.finished(_LISTED))
        return [hosted for hosted in matches if hosted is not None]

    def find(self, name: str) -> HostedMatch | None:
        """The match with a name, running or over."""
        hosted = self._running.get(name) or self._over.get(name)
        if hosted is None:
            match = self._store.finished_match(name)
            return None if match is None else HostedMatch.from_disk(*match)
        return hosted

    def follow(self, hosted: HostedMatch, audience: str) -> Follower:
        """Add a follower. A finished match stays in memory, shared by all its followers."""
        if hosted.is_over:
            self._over[hosted.ticket.id] = hosted
        return hosted.follow(audience)

    def leave(self, hosted: HostedMatch, audience: str, follower: Follower) -> None:
        """Remove a follower."""
        hosted.leave(audience, follower)
        if hosted.is_over and not hosted.followers:
            self._over.pop(hosted.ticket.id, None)

    def order(self, hosted: HostedMatch, what: str, **values: Any) -> None:
        """Send an order to the match's worker."""
        if hosted.crew is not None:
            hosted.crew.send({"do": what, "match": hosted.ticket.id, **values})

    def stop(self, hosted: HostedMatch) -> None:
        """Stop a match; one that has not started is cancelled."""
        if hosted.status in {WAITING, LOADING}:
            self.order(hosted, "leave")  # so that a worker still loading the match does not play it
            hosted.fail("it was stopped before it began")
            self._finish(hosted)
        else:
            self.order(hosted, "stop")

    def remove(self, hosted: HostedMatch) -> None:
        """Delete a finished match."""
        self._over.pop(hosted.ticket.id, None)
        self._store.remove(hosted.ticket.id)

    async def _play(self, hosted: HostedMatch) -> None:
        ticket, hosted.status = hosted.ticket, LOADING
        tame = not ticket.setup.own_rules and is_tame(library_choice(ticket.setup.game))
        hosted.crew = await self._pool.assign(ticket.id, ticket.client, tame=tame)
        folder = str(self._store.folder(ticket))
        self.order(hosted, "start", setup=ticket.setup.as_json(), folder=folder)
        if hosted.crew.alone:
            asyncio.get_running_loop().call_later(self._limits.load_seconds, self._check_loaded, hosted, hosted.crew)

    def _check_loaded(self, hosted: HostedMatch, crew: Crew) -> None:
        if hosted.status == LOADING and hosted.crew is crew and crew.link is not None:
            hosted.restarts = _RESTARTS
            hosted.fail(f"the rules took more than {self._limits.load_seconds:g} s to read")
            crew.link.kill()
            self._finish(hosted)

    def _hear(self, news: dict[str, Any]) -> None:
        hosted = self._running.get(news["match"])
        if hosted is None:
            return
        hosted.hear(news)
        if hosted.is_over:
            self._finish(hosted)

    def _finish(self, hosted: HostedMatch) -> None:
        del self._running[hosted.ticket.id]
        is_kept = not hosted.is_unwritten and self._keep(hosted)
        if hosted.followers or not is_kept:  # if it could not be stored, followers see why
            self._over[hosted.ticket.id] = hosted
        if hosted.crew is not None:
            crew, hosted.crew = hosted.crew, None
            self._in_background(self._pool.release(crew, hosted.ticket.id))

    def _keep(self, hosted: HostedMatch) -> bool:
        """Store a finished match. If that fails, it is not lost: the next start finds it again."""
        try:
            if record := self._store.record_of(hosted.ticket):
                hosted.announce_record(record)
            self._store.finish(hosted.ticket, hosted.end_as_json(), hosted.shown_as_json())
        except OSError as error:
            _LOG.error("match %s is over and cannot be stored: %s", hosted.ticket.id, error)
            return False
        return True

    def _on_lost(self, name: str) -> None:
        """A worker died with this match."""
        hosted = self._running.get(name)
        if hosted is None:
            return
        hosted.restarts += 1
        if hosted.restarts > _RESTARTS:
            hosted.fail("the process died while playing it; perhaps it needs too much memory")
            self._finish(hosted)
        else:
            hosted.status = WAITING
            self._in_background(self.begin_if_ready(hosted))

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
