"""The tables of a server for agents: each is a process with limits, and each seat has a secret token."""

from __future__ import annotations

import asyncio
import json
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ludens.core import LudensError, Role
from ludens.core.process import kill_session
from ludens.web.hosting.setup import Setup
from ludens.web.processes import start_worker
from ludens.web.settings import Limits
from ludens.web.tokens import hash_of, new_token

_MODULE = "ludens.web.agents.table_worker"
_IDLE = 1_800.0
"""Seconds after which an abandoned table makes room for a new one."""
_ANSWER = 30.0
"""Seconds for an answer of a table."""
_POLL = 0.05
"""Seconds between two looks whether it is a seat's turn."""
MOST_WAITING = 60.0
"""The longest wait for one's turn, in seconds."""


@dataclass(eq=False)
class Table:
    """A match in its process."""

    id: str
    process: Process
    open: dict[Role, str]
    """Seats that another agent may take, with the hashes of their tokens."""
    seats: Mapping[str, Role]
    """The role of each seat, by the hash of its token."""
    used: float = field(default_factory=time.monotonic)
    """When it was last asked something."""
    over: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def ask(self, do: str, **values: Any) -> dict[str, Any]:
        """The answer to a request. Raises `LudensError`; a table that does not answer is closed."""
        self.used = time.monotonic()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        async with self.lock:
            try:
                self.process.stdin.write(json.dumps({"do": do, **values}).encode() + b"\n")
                await self.process.stdin.drain()
                line = await asyncio.wait_for(self.process.stdout.readline(), _ANSWER)
            except (TimeoutError, OSError):
                line = b""
        if not line:
            await self.close()
            raise LudensError("the table needed more time or memory than the server allows, and was closed")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise LudensError(answer["error"])
        self.over = answer.get("over", self.over)
        return answer

    async def close(self) -> None:
        """End the process."""
        self.over = True
        kill_session(self.process.pid)
        if self.process.stdin is not None:
            self.process.stdin.close()
        await self.process.wait()


class Tables:
    """All tables of a server. Belongs to one event loop."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._tables: dict[str, Table] = {}

    async def create(
        self, setup: Setup, source: Mapping[str, str], mine: frozenset[Role]
    ) -> tuple[Table, dict[Role, str]]:
        """A new table, and the tokens of one's own seats; other agents `join`. Raises `LudensError`."""
        await self._make_room()
        tokens = {role: new_token() for role in setup.people}
        process = await start_worker(_MODULE, self._limits.load_megabytes * 1_000_000, errors=DEVNULL)
        others = {role: token for role, token in tokens.items() if role not in mine}
        seats = {hash_of(token): role for role, token in tokens.items()}
        table = Table(new_token()[:8], process, others, seats)
        self._tables[table.id] = table
        try:
            await table.ask("start", setup=setup.as_json(), **source)
        except LudensError:
            await self._remove(table)
            raise
        return table, {role: tokens[role] for role in mine}

    def join(self, name: str, role: Role) -> str:
        """The token of an open seat, which is taken then. Raises `LudensError`."""
        table = self._tables.get(name)
        if table is None:
            raise LudensError(f"there is no match {name!r}")
        if role not in table.open:
            free = ", ".join(table.open) or "none"
            raise LudensError(f"the seat {role!r} is not open in this match (open seats: {free})")
        return table.open.pop(role)

    def seat(self, token: str) -> tuple[Table, Role]:
        """The table and role of a token. Raises `LudensError`."""
        hashed = hash_of(token)
        for table in self._tables.values():
            if hashed in table.seats:
                return table, table.seats[hashed]
        raise LudensError("no match has this seat; start_match and join_match give seats")

    async def wait(self, token: str, seconds: float) -> dict[str, Any]:
        """Wait until a seat has to move or its match is over; returns its status then, or when the time is up."""
        table, role = self.seat(token)
        due = time.monotonic() + min(max(seconds, 0.0), MOST_WAITING)
        while True:
            status = await table.ask("status", role=role)
            if status["your_move"] or status["over"] or time.monotonic() >= due:
                return status
            await asyncio.sleep(_POLL)

    async def close(self) -> None:
        """End all tables."""
        for table in list(self._tables.values()):
            await self._remove(table)

    async def _make_room(self) -> None:
        """Close a table that is over or abandoned, if there is no room. Raises `LudensError` if there is none."""
        if len(self._tables) < self._limits.own_processes:
            return
        oldest = sorted(self._tables.values(), key=lambda table: table.used)
        for table in oldest:
            if table.over or time.monotonic() - table.used > _IDLE:
                await self._remove(table)
                return
        raise LudensError(f"{len(self._tables)} matches are running, which is the limit; resign one first")

    async def _remove(self, table: Table) -> None:
        self._tables.pop(table.id, None)
        await table.close()
