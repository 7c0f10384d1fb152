"""Where the transcripts of ggp-base's programs are, and how they are read. They are never copied into the project."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ludens.protocols.ggp.messages import Message, read_message
from tests.peers import TRANSCRIPTS

_ENTRY = re.compile(rb"\n=== \[ *[\d.]+s\] conn (\d+) port \d+ (SERVER->PLAYER|PLAYER->SERVER)[^\n]*\((\d+) bytes\)\n")


@dataclass(frozen=True, slots=True)
class Exchange:
    """One connection: what the server sent, and what the player answered, if it did."""

    request: bytes
    reply: bytes | None

    @property
    def message(self) -> Message:
        """The message of the server."""
        return read_message(body(self.request))

    @property
    def answer(self) -> str:
        """The answer of the player."""
        assert self.reply is not None
        return body(self.reply)


def exchanges(name: str) -> list[Exchange]:
    """All connections of a log, in order."""
    data = (TRANSCRIPTS / name).read_bytes()
    found: dict[int, dict[bytes, bytes]] = {}
    for entry in _ENTRY.finditer(data):
        content = data[entry.end() : entry.end() + int(entry[3])]
        found.setdefault(int(entry[1]), {})[entry[2]] = content
    return [Exchange(sides[b"SERVER->PLAYER"], sides.get(b"PLAYER->SERVER")) for _, sides in sorted(found.items())]


def head(data: bytes) -> list[str]:
    """The lines of the head of a request or reply."""
    return data.partition(b"\r\n\r\n")[0].decode().split("\r\n")


def body(data: bytes) -> str:
    """The body of a request or reply."""
    return data.partition(b"\r\n\r\n")[2].decode()
