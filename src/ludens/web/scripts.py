"""The scripts of a page: the browser is told of all modules at once, or it would find them one import after another.

Their addresses contain a version of all scripts, so that a browser keeps them without asking again.
"""

from __future__ import annotations

import hashlib
import os
import re
from functools import cache
from pathlib import Path

from markupsafe import Markup
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_STATIC = Path(__file__).parent / "static"
_IMPORT = re.compile(r'^(?:import|export)\b[^;]*?"\./([a-z_]+\.js)"', re.MULTILINE)
_LEADS_TO = {"quick.js": "match.js"}
"""The script of the page to which the buttons of a script lead; browsers fetch it while nothing else is to be done."""
_FOR_EVER = "public, max-age=31536000, immutable"


@cache
def script(name: str) -> Markup:
    """The elements that load a module of ``static`` with all that it imports."""
    needed = [*modules(name)][1:]
    coming = [module for module in modules(_LEADS_TO[name]) if module not in modules(name)] if name in _LEADS_TO else []
    links = [Markup('<link rel="modulepreload" href="{}">').format(address(module)) for module in needed]
    links += [Markup('<link rel="prefetch" href="{}">').format(address(module)) for module in coming]
    return Markup("").join(links) + Markup('<script type="module" src="{}"></script>').format(address(name))


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


def address(module: str) -> str:
    """The address of a module in this version."""
    return f"/static/{version()}/{module}"


@cache
def version() -> str:
    """A name that changes with any script, since modules import each other."""
    digest = hashlib.sha256()
    for path in sorted(_STATIC.glob("*.js")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


class VersionedFiles(StaticFiles):
    """The folder ``static``; what has the current version in its address never changes."""

    def __init__(self) -> None:
        super().__init__(directory=_STATIC)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, with or without the version before its name."""
        first, _, rest = path.partition(os.sep)
        if first != version():
            return await super().get_response(path, scope)
        response = await super().get_response(rest, scope)
        response.headers["cache-control"] = _FOR_EVER
        return response
