"""The workbench: answers come, limits hold, and no process is left."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ludens.web.bench.workbench import BusyError, Limits, Workbench
from tests.processes import PATIENCE
from tests.web.sheets import COUNTDOWN, HEAVY


def _with(limits: Limits, use: Callable[[Workbench], Awaitable[None]]) -> None:
    async def run() -> None:
        bench = Workbench(limits)
        try:
            await use(bench)
        finally:
            await bench.close()

    asyncio.run(run())


def _is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_checking_keeps_its_process_and_examining_streams_parts() -> None:
    async def use(bench: Workbench) -> None:
        first = await bench.answer("me", "check", text=COUNTDOWN)
        assert first["playable"]
        (process,) = bench._idle
        assert (await bench.answer("me", "check", text="(role"))["problems"]
        assert bench._idle == [process]
        assert "<svg" in (await bench.answer("me", "tree", text=COUNTDOWN, rule=4))["svg"]
        assert "error" in await bench.answer("me", "tree", text=COUNTDOWN, rule=40)
        parts = [answer["part"] async for answer in bench.run("me", "examine", text=COUNTDOWN)]
        assert parts == ["relations", "circuit", "playouts", "decomposition", "checks"]
        await process.wait()

    _with(Limits(check_seconds=PATIENCE, examine_seconds=PATIENCE), use)


def test_what_takes_too_long_is_ended_and_told() -> None:
    async def use(bench: Workbench) -> None:
        answers = [answer async for answer in bench.run("me", "examine", text=HEAVY)]
        assert "took longer" in answers[-1]["error"]
        assert not bench._running

    _with(Limits(examine_seconds=1.5), use)


def test_a_newer_job_of_a_client_ends_the_older() -> None:
    async def use(bench: Workbench) -> None:
        async def older() -> list[dict[str, Any]]:
            return [answer async for answer in bench.run("me", "examine", text=HEAVY)]

        task = asyncio.create_task(older())
        while not bench._running:
            await asyncio.sleep(0)
        (process,) = bench._running.values()
        newer = [answer async for answer in bench.run("me", "examine", text=COUNTDOWN)]
        assert newer[-1]["part"] == "checks"
        assert all("error" not in answer for answer in await task)
        await process.wait()
        assert _is_gone(process.pid)

    _with(Limits(check_seconds=PATIENCE, examine_seconds=PATIENCE), use)


def test_too_little_memory_is_an_answer() -> None:
    async def use(bench: Workbench) -> None:
        answers = [answer async for answer in bench.run("me", "examine", text=HEAVY)]
        assert "memory" in answers[-1]["error"]

    _with(Limits(memory=100_000_000), use)


def test_too_many_are_refused() -> None:
    async def use(bench: Workbench) -> None:
        with pytest.raises(BusyError, match="too many visitors"):
            await bench.answer("me", "check", text=COUNTDOWN)

    _with(Limits(waiting=0), use)


def test_pages_of_one_client_do_not_disturb_each_other() -> None:
    async def use(bench: Workbench) -> None:
        jobs = [bench.answer("me", "check", f"page {number}", text=COUNTDOWN) for number in range(2)]
        assert all(answer["playable"] for answer in await asyncio.gather(*jobs))

    _with(Limits(check_seconds=60.0), use)


def test_a_client_that_wants_too_much_leaves_room_for_others() -> None:
    async def use(bench: Workbench) -> None:
        jobs = [asyncio.create_task(bench.answer("me", "check", str(number), text=COUNTDOWN)) for number in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(BusyError, match="too many requests"):
            await bench.answer("me", "check", "third", text=COUNTDOWN)
        jobs.append(asyncio.create_task(bench.answer("you", "check", text=COUNTDOWN)))
        await asyncio.sleep(0)
        assert not any(job.done() for job in jobs)
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        assert not bench._clients

    _with(Limits(of_client=2, at_once=0), use)
