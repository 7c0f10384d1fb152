from __future__ import annotations

import re

from starlette.testclient import TestClient

from ludens.web.pages import FOLDER
from ludens.web.scripts import address, modules, script

STATIC = FOLDER / "static"


def test_a_page_names_all_modules_that_its_script_imports() -> None:
    named = set(modules("match.js"))
    for module in named:
        text = (STATIC / module).read_text(encoding="utf-8")
        assert {name.removeprefix("./") for name in re.findall(r'from "(\./[^"]+)"', text)} <= named
    assert {"match.js", "board.js", "charts.js"} <= named


def test_the_script_itself_comes_last_and_is_not_preloaded() -> None:
    elements = str(script("match.js"))
    assert elements.endswith(f'<script type="module" src="{address("match.js")}"></script>')
    assert f'<link rel="modulepreload" href="{address("charts.js")}">' in elements
    assert f'modulepreload" href="{address("match.js")}"' not in elements


def test_the_page_of_a_match_is_fetched_before_somebody_plays() -> None:
    fetched = set(re.findall(r'href="([^"]+)"', str(script("quick.js"))))
    assert {address(module) for module in modules("match.js")} <= fetched


def test_a_browser_keeps_scripts_until_they_change(client: TestClient) -> None:
    kept = client.get(address("match.js"))
    assert kept.status_code == 200
    assert "immutable" in kept.headers["cache-control"]
    assert client.get("/static/match.js").headers["cache-control"] == "no-cache"
    for path in ("/static/0123456789abcdef/match.js", address("none.js"), address("../app.py")):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "immutable" not in answer.headers["cache-control"]
