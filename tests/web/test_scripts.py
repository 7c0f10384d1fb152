from __future__ import annotations

import re

from ludens.web.pages import FOLDER
from ludens.web.scripts import modules, script

STATIC = FOLDER / "static"


def test_a_page_names_all_modules_that_its_script_imports() -> None:
    named = set(modules("match.js"))
    for module in named:
        text = (STATIC / module).read_text(encoding="utf-8")
        assert {name.removeprefix("./") for name in re.findall(r'from "(\./[^"]+)"', text)} <= named
    assert {"match.js", "board.js", "charts.js"} <= named


def test_the_script_itself_comes_last_and_is_not_preloaded() -> None:
    elements = str(script("match.js"))
    assert elements.endswith('<script type="module" src="/static/match.js"></script>')
    assert '<link rel="modulepreload" href="/static/charts.js">' in elements
    assert 'modulepreload" href="/static/match.js"' not in elements
