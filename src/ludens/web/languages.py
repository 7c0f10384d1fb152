"""The languages of the page: all its texts are in one catalogue, and a browser gets those of its language.

English texts are the keys: templates and scripts write ``t("Play")``. ``{name}`` is replaced by a value, and of
``one|several`` the form that ``n`` needs is taken. Rules and names of games, and what the compiler says, stay English.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ludens.web.subject import Subject

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""The languages, by their codes; the first is that of the catalogue's keys."""
_CATALOGUE = Path(__file__).with_name("catalogue.toml")
_COOKIE = "language"
_COOKIE_SECONDS = 365 * 86_400
_VALUE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one language; templates have it as ``t``."""

    language: str
    languages: Mapping[str, str]
    """All languages, by their codes."""
    words: Mapping[str, str]
    """Translations of texts; empty in English."""
    messages: tuple[tuple[str, str], ...]
    """Patterns of messages that the server writes in English, and their translations, with ``{}`` for each group."""

    def __call__(self, text: str, **values: Any) -> str:
        """A text in this language, with its values."""
        forms = self.words.get(text, text).split("|")
        form = forms[0 if values.get("n") == 1 else -1]
        return _VALUE.sub(lambda found: str(values.get(found[1], found[0])), form)

    def told(self, message: str) -> str:
        """A message of the server in this language; as it is, if the catalogue does not have it."""
        for pattern, translated in self.messages:
            if found := re.fullmatch(pattern, message, re.DOTALL):
                before, *others = translated.split("{}")
                return before + "".join(map(lambda part, text: self.told(part) + text, found.groups(), others))
        return message


@cache
def catalogue() -> Mapping[str, Mapping[str, str]]:
    """The catalogue: ``texts`` of templates and scripts, ``words`` that the server sends, ``messages`` with values."""
    return tomllib.loads(_CATALOGUE.read_text(encoding="utf-8"))


@cache
def texts_in(language: str) -> Texts:
    """The texts of a language."""
    if language == next(iter(LANGUAGES)):
        return Texts(language, LANGUAGES, {}, ())
    found = catalogue()
    messages = tuple((message_pattern(message), text) for message, text in found["messages"].items())
    return Texts(language, LANGUAGES, {**found["words"], **found["texts"]}, messages)


def message_pattern(message: str) -> str:
    """The regular expression of a message in the catalogue, in which ``{}`` stands for anything."""
    return "^" + "(.+?)".join(re.escape(part) for part in message.split("{}")) + "$"


def texts_of(request: Request) -> Texts:
    """The texts for a browser: in the language that its reader chose, or else prefers."""
    chosen = request.cookies.get(_COOKIE, "")
    return texts_in(chosen if chosen in LANGUAGES else _preferred(request.headers.get("accept-language", "")))


def _preferred(header: str) -> str:
    """The language that ``Accept-Language`` prefers."""
    wishes: list[tuple[float, int, str]] = []
    for place, part in enumerate(header[:1_000].split(",")):
        name, _, weight = part.strip().partition(";q=")
        try:
            quality = float(weight or 1)
        except ValueError:
            quality = 0.0
        code = name.split("-")[0].lower()
        if code in LANGUAGES and quality > 0:
            wishes.append((-quality, place, code))
    return min(wishes)[2] if wishes else next(iter(LANGUAGES))


async def _choose(request: Request) -> Response:
    """Choose a language, and go back to the page."""
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise HTTPException(404)
    back = urlsplit(request.query_params.get("back", "/"))
    is_own = not back.scheme and not back.netloc and back.path.startswith("/") and "\\" not in back.path
    response = RedirectResponse(back.path if is_own else "/", 303)
    response.set_cookie(_COOKIE, language, _COOKIE_SECONDS, httponly=True, samesite="lax")
    return response


async def _script(request: Request) -> Response:
    """The catalogue of a language as a module, for scripts."""
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise HTTPException(404)
    texts = texts_in(language)
    data = json.dumps({"texts": dict(texts.words), "messages": texts.messages}, ensure_ascii=False)
    return Response(f"export default {data};\n", media_type="text/javascript", headers={"cache-control": "no-cache"})


SUBJECT = Subject(routes=(Route("/language/{language}", _choose), Route("/catalogue/{language}.js", _script)))
