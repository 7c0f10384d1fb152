"""Library games with a visitor's own parameters, which may be expensive: processed within limits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from starlette.concurrency import run_in_threadpool

from ludens.core import GameError
from ludens.games.library import GDL, Choice
from ludens.web.bench.workbench import Workbench
from ludens.web.hosting.setup import is_tame
from ludens.web.library.pictures import title_picture


class Guests:
    """Requests about such games; a newer request of the same kind and client cancels an older one."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench

    async def picture(self, choice: Choice, client: str) -> str:
        """The first position; only the title if it is not drawn in time."""
        answer = await self._bench.answer(client, "picture", game=choice.full_name)
        return str(answer.get("svg") or title_picture(choice))

    async def sheet(self, choice: Choice, client: str) -> str:
        """The rules in GDL of any game, as text. Raises `LudensError` if it has none, or they take too long."""
        if is_tame(choice) or choice.form != GDL:
            return await run_in_threadpool(lambda: choice.rule_sheet().source.text)
        answer = await self._bench.answer(client, "sheet", game=choice.full_name)
        if "text" not in answer:
            raise GameError(str(answer.get("error", "a newer request for the rules cancelled this one")))
        return str(answer["text"])

    def facts(self, choice: Choice, client: str) -> AsyncIterator[dict[str, Any]]:
        """The facts as in `ludens.web.library.facts`, part by part."""
        return self._bench.run(client, "facts", game=choice.full_name)
