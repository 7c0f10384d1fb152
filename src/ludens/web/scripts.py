"""The scripts of a page: the browser is told of all modules at once, or it would find them one import after another."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from markupsafe import Markup

_STATIC = Path(__file__).parent / "static"
_IMPORT = re.compile(r'^(?:import|export)\b[^;]*?"\./([a-z_]+\.js)"', re.MULTILINE)


@cache
def script(name: str) -> Markup:
    """The elements that load a module of ``static`` with all that it imports."""
    needed = [*modules(name)][1:]
    links = Markup("").join(Markup('<link rel="modulepreload" href="/static/{}">').format(module) for module in needed)
    return links + Markup('<script type="module" src="/static/{}"></script>').format(name)


def modules(name: str) -> dict[str, None]:
    """A module and all that it imports, in the order in which they are found."""
    found = {name: None}
    waiting = [name]
    for module in waiting:
        for imported in _IMPORT.findall((_STATIC / module).read_text(encoding="utf-8")):
            if imported not in found:
                found[imported] = None
                waiting.append(imported)
    return found
