"""Past matches, read from the first and last line of their records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

_LONGEST_LINE = 100_000
"""Bytes of the first line that are read."""
_TAIL = 16_384
"""Bytes at the end of a file that are searched for the last line."""
_RECORD = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9]{6}-[\w-]+\.jsonl")


@dataclass(frozen=True, slots=True)
class PastMatch:
    """One recorded match."""

    file: str
    """The name of the record's file."""
    game: str
    started: datetime | None
    players: Mapping[str, str]
    """By role."""
    goals: Mapping[str, int]
    """By role; empty if the match is unfinished."""

    @property
    def is_over(self) -> bool:
        """True if the record has an end."""
        return bool(self.goals)


def is_record(name: str) -> bool:
    """True if a file name is that of a record, without any folder."""
    return bool(_RECORD.fullmatch(name))


def past_matches(folder: Path, most: int, game: str = "") -> list[PastMatch]:
    """The latest matches in a folder of records, of one game if it is named (with any parameters)."""
    matches: list[PastMatch] = []
    for match in _latest(folder, game):
        if not game or _bare(match.game) == game:
            matches.append(match)
            if len(matches) == most:
                break
    return matches


def _bare(name: str) -> str:
    return name.partition("@")[0].partition(":")[0]


def _latest(folder: Path, game: str) -> Iterator[PastMatch]:
    wanted = "".join(character if character.isalnum() else "-" for character in game)
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir(), reverse=True):  # names begin with the time
        if is_record(path.name) and wanted in path.name:
            match = read_past_match(path)
            if match is not None:
                yield match


def read_past_match(path: Path) -> PastMatch | None:
    """The first and last line of a record; None if the file is not a record."""
    try:
        with path.open("rb") as file:
            start = read_line(file.readline(_LONGEST_LINE))
            file.seek(max(0, path.stat().st_size - _TAIL))
            end = read_line(file.read().rstrip(b"\n").rpartition(b"\n")[2])
    except OSError:
        return None
    players = start.get("players")
    if start.get("event") != "start" or not isinstance(start.get("game"), str) or not isinstance(players, dict):
        return None
    goals = end.get("goals") if end.get("event") == "end" else {}
    return PastMatch(
        path.name,
        start["game"],
        _moment(start.get("started")),
        {str(role): str(player.get("name")) for role, player in players.items() if isinstance(player, dict)},
        {str(role): goal for role, goal in goals.items() if isinstance(goal, int)} if isinstance(goals, dict) else {},
    )


def read_line(line: bytes) -> dict[str, Any]:
    """The JSON object of a line of a record; empty if it is invalid."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _moment(text: object) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
