"""Processes of the server: each match with its own, none twice, none forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import pytest

from ludens.core import LudensError
from ludens.web.hosting import pool as pool_module
from ludens.web.hosting.links import ProcessLink
from ludens.web.hosting.pool import Crew, Pool
from ludens.web.settings import Limits


class FakeLink:
    """A process that is there after a while, and warms up at once."""

    def __init__(self, hear: Callable[[dict[str, Any]], None]) -> None:
        self.is_open = True
        self._hear = hear

    def send(self, order: Mapping[str, Any]) -> None:
        if order["do"] == "warm up":
            self._hear({"described": order["name"]})

    def kill(self) -> None:
        self.is_open = False

    async def close(self) -> None:
        self.is_open = False


@pytest.fixture
def links(monkeypatch: pytest.MonkeyPatch) -> list[FakeLink]:
    """All processes that are started."""
    made: list[FakeLink] = []

    async def start(_megabytes: int, _searches: int, hear: Callable[[dict[str, Any]], None], _: object) -> FakeLink:
        for _turn in range(5):
            await asyncio.sleep(0)
        made.append(FakeLink(hear))
        return made[-1]

    monkeypatch.setattr(ProcessLink, "open", start)
    return made


def in_pool(limits: Limits, work: Callable[[Pool], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        pool = Pool(1, limits, lambda _: None, lambda _: None)
        await pool.open()
        try:
            await work(pool)
        finally:
            await pool.close()

    asyncio.run(run())


def test_matches_that_begin_while_a_spare_process_starts_get_one_each(links: list[FakeLink]) -> None:
    async def work(pool: Pool) -> None:
        crews: list[Crew] = []
        for number in range(4):
            crews.append(await pool.assign(str(number), "me", tame=False))
            await asyncio.sleep(0)  # the next spare has begun to start
        owned = {id(crew.link) for crew in crews}
        assert len(owned) == 4
        while len(links) < 6:
            await asyncio.sleep(0)
        assert len(links) == 6  # of these matches, the one that all share, and the next spare

    in_pool(Limits(), work)

    assert not any(link.is_open for link in links)


def test_what_is_refused_leaves_nothing_behind(links: list[FakeLink]) -> None:
    async def work(pool: Pool) -> None:
        for _ in range(3):
            with pytest.raises(LudensError, match="too many matches"):
                await pool.describe("", "rules.kif", "me", tame=False)
        assert not pool._described

    in_pool(Limits(own_processes=0), work)


def test_a_client_has_only_its_share_of_processes(links: list[FakeLink]) -> None:
    async def work(pool: Pool) -> None:
        for number in range(2):
            await pool.assign(str(number), "me", tame=False)
        with pytest.raises(LudensError, match="you have too many"):
            await pool.assign("third", "me", tame=False)
        await pool.assign("fourth", "somebody else", tame=False)

    in_pool(Limits(own_processes=4, own_processes_of_client=2), work)


def test_the_last_match_that_a_client_may_have_can_be_described(
    links: list[FakeLink], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(pool: Pool) -> None:
        def answer(link: FakeLink, order: Mapping[str, Any]) -> None:
            pool._hear({"described": order["name"], "roles": ["r"]})

        monkeypatch.setattr(FakeLink, "send", answer)
        for number in range(4):
            assert await pool.describe("", "rules.kif", "me", tame=False) == {"roles": ["r"]}
            await pool.assign(str(number), "me", tame=False)

    in_pool(Limits(own_processes=4, own_processes_of_client=4), work)


def test_matches_that_are_given_to_a_worker_that_just_died_are_not_forgotten(
    links: list[FakeLink], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "_PAUSE", 0.0)
    lost: list[str] = []

    async def run() -> None:
        pool = Pool(1, Limits(), lambda _: None, lost.append)
        await pool.open()
        crew = await pool.assign("early", "me", tame=True)
        pool._on_lost(crew)
        assert await pool.assign("meanwhile", "me", tame=True) is crew
        while len(lost) < 2:
            await asyncio.sleep(0)
        assert crew.link is not None
        await pool.close()

    asyncio.run(run())
    assert sorted(lost) == ["early", "meanwhile"]


def test_a_worker_is_replaced_as_soon_as_that_is_possible(
    links: list[FakeLink], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "_PAUSE", 0.0)
    failures = [OSError(11, "no more processes"), OSError(12, "no memory")]
    start = ProcessLink.open

    async def sometimes(*arguments: Any) -> Any:
        if failures:
            raise failures.pop()
        return await start(*arguments)

    async def work(pool: Pool) -> None:
        crew = await pool.assign("a match", "me", tame=True)
        while pool._spare is None:
            await asyncio.sleep(0)
        monkeypatch.setattr(ProcessLink, "open", sometimes)
        pool._on_lost(crew)
        while crew.link is None:
            await asyncio.sleep(0)
        assert not failures

    in_pool(Limits(), work)


def test_a_process_that_cannot_be_started_takes_nobodys_place(
    links: list[FakeLink], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> FakeLink:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    async def work(pool: Pool) -> None:
        while pool._spare is None:
            await asyncio.sleep(0)
        await pool.assign("first", "me", tame=False)
        working = ProcessLink.open
        monkeypatch.setattr(ProcessLink, "open", fail)
        pool._spare = None
        for _ in range(3):
            with pytest.raises(LudensError, match="no process could be started"):
                await pool.assign("second", "me", tame=False)
        monkeypatch.setattr(ProcessLink, "open", working)
        assert (await pool.assign("third", "me", tame=False)).link is not None

    in_pool(Limits(own_processes=2), work)
