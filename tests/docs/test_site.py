"""The guide as a site: it builds without a warning, all pages are found in it, and it needs no other host."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import threading
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.docs.blocks import DOCS, ROOT
from tests.peers import peer

LOADED = {
    ("script", "src"), ("link", "href"), ("img", "src"), ("img", "srcset"), ("iframe", "src"), ("source", "src"),
    ("object", "data"), ("video", "src"), ("audio", "src"), ("embed", "src"), ("use", "href"),
}  # fmt: skip
"""Attributes whose addresses a browser loads by itself; links that people follow are theirs."""


EXPORTING = ("", ".core", ".tabletop", ".referee", ".players", ".drawing")
"""The packages that say what is public."""


class Addresses(HTMLParser):
    """Collects what a page loads, and the addresses in its styles."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        relation = dict(attrs).get("rel")
        self.found += [value or "" for name, value in attrs if (tag, name) in LOADED and relation != "canonical"]
        self.found += [address for name, value in attrs if name == "style" for address in in_styles(value or "")]


def in_styles(text: str) -> list[str]:
    """The addresses in a style sheet."""
    return re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')]+)", text)


def foreign(addresses: list[str]) -> list[str]:
    return [address for address in addresses if re.match(r"\s*(?:\w+:)?//", address)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


@peer("mkdocs")
@pytest.mark.slow
def test_the_site_builds_and_loads_nothing_from_other_hosts(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    for page in pages:
        reader = Addresses()
        reader.feed(page.read_text(encoding="utf-8"))
        assert foreign(reader.found) == [], page.name
    for sheet in site.rglob("*.css"):
        assert foreign(in_styles(sheet.read_text(encoding="utf-8"))) == [], sheet.name

    assert len(pages) > 100


@peer("mkdocs")
@pytest.mark.slow
def test_the_api_is_in_the_site(site: Path) -> None:
    core = (site / "api" / "core.html").read_text(encoding="utf-8")

    assert "legal_moves" in core
    assert "The moves that the role can choose from now." in core


@peer("mkdocs")
@pytest.mark.slow
def test_all_that_packages_export_is_in_the_reference(site: Path) -> None:
    pages = [page.read_text(encoding="utf-8") for page in (site / "api").glob("*.html")]
    shown = {name.rpartition(".")[2] for page in pages for name in re.findall(r'id="(ludens[\w.]+)"', page)}
    packages = [importlib.import_module(f"ludens{end}") for end in EXPORTING]

    assert [f"{package.__name__}.{name}" for package in packages for name in package.__all__ if name not in shown] == [
        "ludens.__version__"
    ]


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    pages = {str(page.relative_to(DOCS)) for page in (*DOCS.glob("*.md"), *DOCS.glob("api/*.md"))}

    assert set(re.findall(r"[\w/-]+\.md", navigation)) == pages, "mkdocs.yml says which page stands where"


def test_addresses_of_other_hosts_are_found() -> None:
    reader = Addresses()
    reader.feed('<script src="https://x.example/a.js"></script><a href="https://x.example">x</a><img src="a.svg">')

    assert foreign(reader.found) == ["https://x.example/a.js"]
    assert foreign(in_styles('@import "//x.example/a.css"; b {background: url(data:image/png;base64,AA)}')) == [
        "//x.example/a.css"
    ]


@peer("chromium")
@peer("mkdocs")
@pytest.mark.slow
def test_a_browser_asks_no_other_host_for_anything(site: Path) -> None:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - an extra

    handler = partial(SilentHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        for name in ("index.html", "compiler.html", "games.html", "api/core.html"):
            page.goto(f"{address}/{name}", wait_until="networkidle")
        page.keyboard.press("f")
        page.keyboard.type("frog")
        page.get_by_text("Write a game in GDL").first.wait_for()
        browser.close()
        server.shutdown()

    assert len(asked) > 10
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []


class SilentHandler(SimpleHTTPRequestHandler):
    def log_request(self, code: object = "-", size: object = "-") -> None:
        """Requests are counted by the browser."""
