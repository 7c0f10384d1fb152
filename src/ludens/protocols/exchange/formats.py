"""The formats, and which one a file has."""

from __future__ import annotations

from pathlib import Path

PGN, SGF = "pgn", "sgf"
_ENDINGS = {".pgn": PGN, ".sgf": SGF}


def foreign_format(content: bytes, name: str = "") -> str:
    """The format of a file that is not a record of ludens: ``pgn`` or ``sgf``; empty if it is a record, or unknown."""
    if found := _ENDINGS.get(Path(name).suffix.lower()):
        return found
    start = content[:10_000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"{") and b'"event"' in start:
        return ""
    if start.startswith(b"["):
        return PGN
    return SGF if start.startswith(b"(") else ""
