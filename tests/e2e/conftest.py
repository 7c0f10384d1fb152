"""A server and a browser: Playwright drives Debian's Chromium. Both are missing? `make peers` installs them."""

from __future__ import annotations

import io
import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import uvicorn
from PIL import Image

from ludens.web.app import create_app
from ludens.web.bench import workbench
from ludens.web.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
DESKTOP, PHONE = {"width": 1200, "height": 860}, {"width": 390, "height": 800}
PATIENCE = 180_000
"""Milliseconds that a browser waits for what must come: machines are busy, and waiting costs nothing when it comes."""
_STARTING_SECONDS = 120.0
_COLOURS = 96
"""Of pictures in the docs, so that they are small."""

Visit = Callable[..., "Page"]
"""Opens a page: ``visit(path, size=PHONE)``."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, started once for a file: while Playwright is there, no other event loop can run in its thread."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - an extra

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(autouse=True)
def _patient_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what visitors ask for take as long as browsers wait here, however busy the machine is."""
    seconds = PATIENCE / 1000
    monkeypatch.setattr(workbench, "Limits", partial(workbench.Limits, check_seconds=seconds, examine_seconds=seconds))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The address of a server in this process."""
    with serving(Settings(data=tmp_path / "data", workers=0)) as address:
        yield address


class serving:  # noqa: N801 - used like a function
    """A server in a thread of this process, while the block lasts; gives its address."""

    def __init__(self, settings: Settings, port: int = 0) -> None:
        self._listener = socket.create_server(("127.0.0.1", port))
        config = uvicorn.Config(create_app(settings), log_level="error", access_log=False, timeout_graceful_shutdown=2)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._listener]}, daemon=True)
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> str:
        self._thread.start()
        until = time.monotonic() + _STARTING_SECONDS
        while not self._server.started and time.monotonic() < until:
            time.sleep(0.02)
        return f"http://127.0.0.1:{self.port}"

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(_STARTING_SECONDS)
        self._listener.close()


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Visit]:
    """Opens pages, each like another browser; any error in their scripts fails the test."""
    problems: list[str] = []
    contexts = []

    def open_page(path: str, size: dict[str, int] | None = None, dark: bool = False, language: str = "en") -> Page:
        width, height = (size or DESKTOP)["width"], (size or DESKTOP)["height"]
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            locale=language,
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.goto(path if path.startswith("http") else site + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


def keep_picture(page: Page, name: str) -> None:
    """Keep a picture of the page for the docs, if `make pictures` asks for it."""
    if os.environ.get("LUDENS_PICTURES"):
        PICTURES.mkdir(exist_ok=True)
        shot = Image.open(io.BytesIO(page.screenshot()))
        shot.quantize(_COLOURS).save(PICTURES / f"{name}.png", optimize=True)


def fits_its_window(page: Page) -> bool:
    """True if nothing sticks out to the right."""
    found: bool = page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    return found
