"""Names in the texts of actions: quoted where they would be read as something else."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ludens.tabletop.errors import RuleError
from ludens.tabletop.material.equipment import Equipment

KEYWORDS = frozenset(
    {"from", "to", "each", "by", "all", "at", "table", "player", "winners", "losers", "draw", "ranks", "points"}
)
_PLAIN = re.compile(r"[^\W\d][\w'.-]*")
_NUMBER = re.compile(r"[\w.+-]+")
_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^\s"]+)')


def word(named: Equipment | str) -> str:
    """A name as one word, quoted unless it is plain."""
    name = named if isinstance(named, str) else named.name
    return name if _PLAIN.fullmatch(name) and name not in KEYWORDS else json.dumps(name, ensure_ascii=False)


def words(named: Iterable[Equipment | str]) -> str:
    """Several names."""
    return " ".join(map(word, named))


def tokens(text: str) -> Iterator[str]:
    """The words of a text, quotes kept."""
    at = 0
    text = text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise RuleError(f"{text!r} is not an action: a quote is not closed")
        yield found[1]
        at = found.end()


def unquote(token: str) -> str:
    """The name that a word stands for."""
    try:
        return str(json.loads(token)) if token.startswith('"') else token
    except json.JSONDecodeError:
        raise RuleError(f"{token} is not a name in quotes") from None


def value_word(value: Any) -> str:
    """A value as one word: numbers, texts, and tuples and sets of these."""
    text = _literal(value)
    return text if _NUMBER.fullmatch(text) and text != "+" else json.dumps(text, ensure_ascii=False)


def value_of(token: str) -> Any:
    """The value that a word stands for. Raises `RuleError` if it is none."""
    try:
        return _freeze(ast.literal_eval(unquote(token)))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise RuleError(f"{token} is not a value such as 3, 'text' or (1, 2)") from None


def _literal(value: Any) -> str:
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(_literal, value))) + "}" if value else "set()"
    if isinstance(value, tuple):
        return "(" + "".join(f"{_literal(part)}, " for part in value) + ")"
    return repr(value)


def _freeze(value: Any) -> Any:
    if isinstance(value, set):
        return frozenset(map(_freeze, value))
    return tuple(map(_freeze, value)) if isinstance(value, tuple | list) else value
