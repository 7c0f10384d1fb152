"""What the compiler and random matches tell of a game of the library, computed once and kept on disk."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool

from ludens.games.library import Choice
from ludens.web.bench.workbench import Workbench
from ludens.web.hosting.setup import is_tame
from ludens.web.keeping import keep
from ludens.web.shelf import rules_key


class Facts:
    """The parts that `ludens.web.lab.examination.examine_game` tells of each game."""

    def __init__(self, folder: Path, bench: Workbench) -> None:
        self._folder = folder
        self._bench = bench

    async def of(self, choice: Choice) -> AsyncIterator[dict[str, Any]]:
        """The parts, as they are computed; at once if they are known. What failed is computed anew next time,
        and so is what has parameters that a visitor made up: of these there is no end."""
        path = self._folder / f"{await run_in_threadpool(rules_key, choice)}.json"
        if path.is_file():
            for part in json.loads(path.read_text(encoding="utf-8")):
                yield part
            return
        found = []
        async for part in self._bench.run(f"facts of {choice.full_name}", "facts", game=choice.full_name):
            found.append(part)
            yield part
        if found and is_tame(choice) and not any("error" in part for part in found):
            await run_in_threadpool(keep, path, json.dumps(found).encode())
