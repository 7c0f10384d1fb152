"""Syntax highlighting as HTML: rule sheets in either syntax, and rules in Python."""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from collections.abc import Iterable, Iterator
from html import escape
from itertools import accumulate

from ludens.gdl.keywords import KEYWORDS, LOGIC
from ludens.gdl.read import detect_syntax

Piece = tuple[str, int, int]
"""The kind of a stretch of text, and where it begins and ends."""

_KIF = re.compile(r"(?P<comment>;[^\n]*)|(?P<mark>[()])|(?P<variable>\?[^\s();]*)|(?P<word>[^\s();]+)")
_INFIX = re.compile(
    r"""(?P<comment>%[^\n]*|/\*.*?(?:\*/|\Z))
      | (?P<arrow>:-|<=|:=|~|\\\+)
      | (?P<variable>[?][\w+*/^$!@-]*|[?]'[^'\n]*'|\b[A-Z_]\w*)
      | (?P<text>'(?:[^'\\\n]|\\[^\n])*+')
      | (?P<word>[\w+*/^$!@-]+)
      | (?P<mark>[(),&;|.])""",
    re.VERBOSE | re.DOTALL,
)
_RELATIONS = frozenset((*KEYWORDS, "random"))
_STRINGS = frozenset({tokenize.STRING, getattr(tokenize, "FSTRING_START", -1), getattr(tokenize, "FSTRING_MIDDLE", -1)})


def gdl_html(text: str) -> str:
    """A rule sheet as HTML, each word in a span of its class. The browser's editor has the same classes."""
    return _html(text, gdl_pieces(text))


def gdl_pieces(text: str) -> Iterator[Piece]:
    """The words of a rule sheet: ``comment``, ``keyword``, ``logic``, ``variable``, ``number``, ``name``, ``mark``."""
    pattern = _KIF if detect_syntax(text) == "kif" else _INFIX
    for match in pattern.finditer(text):
        kind = match.lastgroup or "name"
        word = match.group().lower()
        if kind == "arrow" or word in LOGIC:
            kind = "logic"
        elif kind == "word" and word in _RELATIONS:
            kind = "keyword"
        elif kind in ("word", "text"):
            kind = "number" if word.isdecimal() else "name"
        yield kind, match.start(), match.end()


def python_html(text: str) -> str:
    """A program in Python as HTML."""
    return _html(text, python_pieces(text))


def python_pieces(text: str) -> Iterator[Piece]:
    """The tokens of a Python program; up to the first error if it is invalid."""
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    after = ""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            kind = _python_kind(token, after)
            after = token.string
            if kind:
                yield kind, starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1]
    except (tokenize.TokenError, SyntaxError):
        return


def _python_kind(token: tokenize.TokenInfo, after: str) -> str:
    if token.type == tokenize.COMMENT:
        return "comment"
    if token.type in _STRINGS:
        return "text"
    if token.type == tokenize.NUMBER:
        return "number"
    if token.type != tokenize.NAME:
        return ""
    if keyword.iskeyword(token.string):
        return "logic"
    return "keyword" if after in ("def", "class") else ""


def _html(text: str, pieces: Iterable[Piece]) -> str:
    parts, done = [], 0
    for kind, start, end in pieces:
        parts.append(escape(text[done:start]))
        parts.append(f'<span class="gdl-{kind}">{escape(text[start:end])}</span>')
        done = end
    return "".join([*parts, escape(text[done:])])
