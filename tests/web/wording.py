"""Finds the texts of templates, scripts and messages, for the tests of the catalogue."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import ludens.web

WEB = Path(ludens.web.__file__).parent
TEMPLATES = sorted((WEB / "templates").glob("*.html"))
SCRIPTS = sorted((WEB / "static").glob("*.js"))
MODULES = sorted(path for path in WEB.rglob("*.py") if "agents" not in path.parts and path.name != "lock.py")
_JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_CALL = re.compile(r"""(?<![\w.$])t\(\s*"((?:[^"\\]|\\.)*)\"""")
_ATTRIBUTES = frozenset({"aria-label", "title", "placeholder", "alt", "label"})
_LITERAL = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`""", re.DOTALL)
_WORDS = re.compile(r"[A-Z][a-z]+(?![\w-]*[:=])|[a-z]{2,} [a-z]{2,}")
_WORD_BETWEEN_VALUES = re.compile(r"(?:^|\s)[a-z]{3,}(?=[\s,.;:?!…)]|$)")
_CODE_BEFORE = re.compile(
    r"(?:t\(\s*|class: |className = |querySelector(?:All)?\(|closest\??\.?\(|matches\(|key === |new Error\(|import\("
    r"|from |class: [^,]*\? |animate\(|easing = |authorization = |viewBox: )$"
)
_CODE = re.compile(r"[\[\].#>=$/(]|^[\w-]+$|^\s*$")
ERRORS = frozenset({"HTTPException", "LudensError", "GameError", "_note", "fail"})


def used_texts(path: Path) -> Iterator[str]:
    """The texts for which a template or script asks the catalogue."""
    for found in _CALL.findall(path.read_text(encoding="utf-8")):
        yield found.replace('\\"', '"')


def bare_texts_of_template(path: Path) -> list[str]:
    """Words in a template that are not from the catalogue."""
    found: list[str] = []

    class Reader(HTMLParser):
        code = 0

        def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
            self.code += tag in {"code", "kbd"}
            found.extend(value for name, value in attributes if name in _ATTRIBUTES and value)

        def handle_endtag(self, tag: str) -> None:
            self.code -= tag in {"code", "kbd"}

        def handle_data(self, data: str) -> None:
            if not self.code:
                found.append(data)

    Reader().feed(_JINJA.sub(" ", path.read_text(encoding="utf-8")))
    return [text.strip() for text in found if re.search(r"[A-Za-z]{2}", text) and text.strip(" :·\n") != "ludens"]


def bare_texts_of_script(path: Path) -> list[str]:
    """Literals of a script that look like words for people and are not from the catalogue."""
    source = path.read_text(encoding="utf-8")
    found = []
    for literal in _LITERAL.finditer(source):
        if literal[0][0] == "/" or _CODE_BEFORE.search(source[: literal.start()]):
            continue
        text = _without_values(literal[0][1:-1]) if literal[0][0] == "`" else literal[0][1:-1]
        if literal[0][0] != "`" and _CODE.search(text) and not text.endswith((".", "…", "?", "!")):
            continue
        if _WORDS.search(text) or (literal[0][0] == "`" and _WORD_BETWEEN_VALUES.search(text)):
            found.append(text)
    return found


def _without_values(template: str) -> str:
    """The text of a template literal without what is computed."""
    text, before = re.sub(r'"(?:[^"\\]|\\.)*"', "", template), ""
    while text != before:
        text, before = re.sub(r"\$?\{[^{}]*\}(?:px)?", "", text), text
    return text


def messages_in(path: Path) -> Iterator[str]:
    """The messages of exceptions that a module raises, with ``{}`` for values."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name not in ERRORS:
            continue
        for argument in node.args:
            if (text := _pattern(argument)) and re.search("[a-z] ", text):
                yield text


def _pattern(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)  # type: ignore[misc]
    return ""
