"""Writes the record of a match: JSON Lines, each turn on disk before the next begins (docs/records.md)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ludens.core import Clock, LudensError
from ludens.core.files import LineFile, make_folder, name_in_errors
from ludens.referee.events import Event, MatchEnded, MatchStarted, MessageSent, PlayerFailed, TakenBack, TurnPlayed

FORMAT = 1
"""The version of the format; increased when old readers would misunderstand new records."""


class RecordWriter:
    """Writes the events of one match to a new file in a folder. Every `OSError` names the file."""

    def __init__(self, folder: Path, version: str) -> None:
        self._folder = folder
        self._version = version
        self._file: LineFile | None = None
        self._is_resumed = False
        self.path: Path | None = None
        """The file, once the match has started."""

    @classmethod
    def resume(cls, path: Path, version: str) -> RecordWriter:
        """A writer that continues the record of an interrupted match; an incomplete last line is dropped.

        The start and the earlier turns, which the match repeats, are not written again.
        """
        writer = cls(path.parent, version)
        writer.path = path
        writer._is_resumed = True
        with name_in_errors(path), path.open("r+b") as file:
            file.truncate(file.read().rfind(b"\n") + 1)
        writer._file = LineFile(path)
        return writer

    def write(self, event: Event) -> None:
        """Append an event, if records keep it, and sync the file."""
        if self._is_resumed and (isinstance(event, MatchStarted) or (isinstance(event, TurnPlayed) and event.earlier)):
            return
        if isinstance(event, MatchStarted):
            self._open(event)
        if self._file is None:
            raise LudensError("a record begins with the start of a match")
        line = line_of(event, self._version)
        if line is None:
            return
        self._file.append(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n")
        if isinstance(event, MatchEnded):
            self.close()

    def close(self) -> None:
        """Close the file; safe to call at any time."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self, event: MatchStarted) -> None:
        game = "".join(character if character.isalnum() else "-" for character in event.game)
        make_folder(self._folder)
        while self._file is None:
            stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
            self.path = self._folder / f"{stamp}-{game}.jsonl"
            try:
                self._file = LineFile(self.path, new=True)
            except FileExistsError:
                continue  # another match began in the same microsecond


def line_of(event: Event, version: str) -> dict[str, Any] | None:
    """The event as a line of the record; None for events that records do not keep."""
    match event:
        case MatchStarted():
            return {
                "event": "start",
                "format": FORMAT,
                "ludens": version,
                "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "game": event.game,
                "rules_sha256": event.rules_hash,
                "roles": list(event.roles),
                "players": {
                    role: {"name": name, "options": dict(event.settings[role])} for role, name in event.players.items()
                },
                "clocks": {role: _clock(clock) for role, clock in event.clocks.items()},
                "seed": event.seed,
                "messages": event.messages,
                "forfeit_after": event.forfeit_after,
                "errors": _errors(event.failures),
            }
        case TurnPlayed():
            return _turn_line(event)
        case MessageSent():
            said = event.message
            return {"event": "message", "turn": event.turn, "from": said.sender, "to": list(said.to), "text": said.text}
        case TakenBack():
            return {"event": "take_back", "role": event.role, "turn": event.turn}
        case MatchEnded():
            return {"event": "end", **event.as_json()}
        case _:
            return None


def _turn_line(event: TurnPlayed) -> dict[str, Any]:
    line: dict[str, Any] = {
        "event": "turn",
        "id": event.id,
        "parent": event.parent,
        "moves": dict(event.joint_move),
        "errors": _errors(event.failures),
        "seconds": {role: round(seconds, 4) for role, seconds in event.seconds.items()},
        "thinking": {role: decision.thinking.as_json() for role, decision in event.decisions.items()},
    }
    if event.chosen != event.joint_move:
        line["chosen"] = dict(event.chosen)
    if event.arrivals:
        line["arrivals"] = [[role, move] for role, move in event.arrivals.items()]
    if event.percepts:
        line["percepts"] = {role: list(percepts) for role, percepts in event.percepts.items()}
    if event.earlier:
        line["earlier"] = True
    return line


def _errors(failures: Iterable[PlayerFailed]) -> list[dict[str, Any]]:
    return [
        {"role": found.role, "kind": found.kind, "message": found.message, "substituted": found.substituted}
        for found in failures
    ]


def _clock(clock: Clock) -> dict[str, float | None]:
    """Seconds; null where there is no limit, since JSON has no infinity."""
    return {
        "play": None if clock.play == math.inf else clock.play,
        "start": None if clock.start == math.inf else clock.start,
    }
