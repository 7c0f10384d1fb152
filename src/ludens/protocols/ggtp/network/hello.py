"""The first line of a guest: its kind, name and token."""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from ludens.protocols.ggtp.language.grammar import CommandError, first_word, split
from ludens.protocols.ggtp.network.sockets import NetworkError

HELLO = "hello"
SUPERVISOR, PLAYER, ENGINE, OBSERVER = "supervisor", "player", "engine", "observer"
TOKEN_OF = {SUPERVISOR: SUPERVISOR, PLAYER: PLAYER, ENGINE: PLAYER, OBSERVER: OBSERVER}
"""The kinds of guests, and the kind whose token each needs."""
SHORTEST_TOKEN = 16
"""Characters of a token."""
_NAME = re.compile(r"[A-Za-z_][\w.-]{0,39}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Hello:
    """The introduction of a guest."""

    kind: str
    name: str
    token: str

    @property
    def line(self) -> str:
        """The line to send."""
        return f"{HELLO} {self.kind} {self.name} {self.token}"


class Tokens:
    """The tokens that are accepted, for each kind of guest."""

    def __init__(self, tokens: dict[str, str]) -> None:
        self.by_kind = tokens
        """Supervisors, players and observers may have tokens; those without are not admitted."""

    @classmethod
    def new(cls) -> Tokens:
        """New random tokens."""
        return cls({kind: secrets.token_urlsafe(24) for kind in sorted(set(TOKEN_OF.values()))})

    @classmethod
    def read(cls, path: Path) -> Tokens:
        """The tokens of a file with a kind and a token in each line. Raises `NetworkError` if it has others."""
        found: dict[str, str] = {}
        for number, line in enumerate(_text(path).split("\n"), start=1):
            kind, token = first_word(line)
            if not kind:
                continue
            if kind not in TOKEN_OF.values() or len(token) < SHORTEST_TOKEN or len(token.split()) != 1:
                kinds = ", ".join(sorted(set(TOKEN_OF.values())))
                needed = f"one of {kinds} and a token of at least {SHORTEST_TOKEN} characters"
                raise NetworkError(f"{path}, line {number}: a line has {needed}")
            found[kind] = token
        return cls(found)

    def admit(self, line: str) -> Hello:
        """The guest that a first line introduces. Raises `CommandError`, which is sent to it, if it is not admitted."""
        command, rest = first_word(line)
        words = split(rest, ("kind", "name", "token")) or ()
        if command != HELLO or len(words) != 3:
            raise CommandError(f"Begin with: {HELLO} KIND NAME TOKEN (kinds: {', '.join(TOKEN_OF)}).")
        hello = Hello(*words)
        wanted = self.by_kind.get(TOKEN_OF.get(hello.kind, ""), "")
        # A token is compared in any case, and in constant time, so that answers reveal nothing about it.
        is_right = hmac.compare_digest(hello.token.encode("utf-8", "replace"), wanted.encode("utf-8"))
        if not (is_right and wanted):
            raise CommandError("The token is not right.")
        if not _NAME.fullmatch(hello.name):
            raise CommandError("A name is a letter and up to 39 letters, digits, dots, dashes and underscores.")
        return hello


def read_token(path: Path) -> str:
    """The token in a file, as a guest keeps it. Raises `NetworkError` if there is none."""
    words = _text(path).split()
    if len(words) != 1:
        raise NetworkError(f"{path}: a file with a token has nothing else in it")
    return words[0]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NetworkError(f"{path}: {getattr(error, 'strerror', None) or 'no text'}") from None
