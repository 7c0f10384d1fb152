"""Names in the texts of actions: quoted where they would be read as something else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from ludens.tabletop.equipment import Equipment
from ludens.tabletop.errors import RuleError

KEYWORDS = frozenset(
    {"from", "to", "each", "by", "all", "at", "table", "player", "winners", "losers", "draw", "ranks", "points"}
)
_PLAIN = re.compile(r"[^\W\d][\w'.-]*")
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


def unquoted(token: str) -> str:
    """The name that a word stands for."""
    try:
        return str(json.loads(token)) if token.startswith('"') else token
    except json.JSONDecodeError:
        raise RuleError(f"{token} is not a name in quotes") from None
