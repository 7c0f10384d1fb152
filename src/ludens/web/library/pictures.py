"""Pictures of first positions, cached on disk and in memory."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

from starlette.concurrency import run_in_threadpool

import ludens
from ludens import drawing
from ludens.core import LudensError
from ludens.drawing import draw
from ludens.drawing.scenes.svg import escape_text
from ludens.games.library import Choice
from ludens.referee.opening import first_choice
from ludens.web.bench.workbench import Workbench
from ludens.web.disk_cache import write_cache
from ludens.web.hosting.shelf import rules_key


class Pictures:
    """The first position of every game, as an SVG that needs nothing else. Not for parameters chosen by a visitor:
    there are arbitrarily many, and each may take arbitrarily long."""

    def __init__(self, folder: Path, bench: Workbench) -> None:
        self._folder = folder
        self._bench = bench
        self._known: dict[str, bytes] = {}
        self._drawing = asyncio.Semaphore(1)
        self._version = _version_of_drawing()

    async def of(self, choice: Choice) -> tuple[str, bytes]:
        """The picture of a game, and a name that changes with it."""
        key = await run_in_threadpool(rules_key, choice, self._version)
        picture = self._known.get(key)
        if picture is None:
            async with self._drawing:
                picture = await self._read_or_draw(key, choice)
        return key, picture

    async def _read_or_draw(self, key: str, choice: Choice) -> bytes:
        """The cached picture, or a new one that is cached; drawn by another process, or every request would wait."""
        path = self._folder / f"{key}.svg"
        if key not in self._known and path.is_file():
            self._known[key] = path.read_bytes()
        if key not in self._known:
            answer = await self._bench.answer("", "picture", game=choice.full_name)
            if "svg" not in answer:
                return title_picture(choice).encode()
            self._known[key] = answer["svg"].encode()
            write_cache(path, self._known[key])
        return self._known[key]


def _version_of_drawing() -> str:
    """A version that changes whenever drawings may."""
    digest = hashlib.sha256()
    for path in sorted(Path(str(drawing.__file__)).parent.glob("**/*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def first_position(choice: Choice) -> str:
    """The first position with a choice, as SVG; only the title if it cannot be drawn."""
    try:
        game = ludens.load(choice.full_name, backend="interpreter")  # compiling takes longer than drawing
        state = first_choice(game, seed=0)
        seen = state.view(game.roles[0]) if game.hidden else state
        return draw(game, seen, clickable=False, captions=False).svg
    except LudensError:
        return title_picture(choice)


def title_picture(choice: Choice) -> str:
    """The title of a game, where nothing else can be drawn."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200" width="300" height="200">'
        f'<text x="150" y="105" text-anchor="middle" font-family="sans-serif" fill="#777">'
        f"{escape_text(choice.card.title)}</text></svg>"
    )
