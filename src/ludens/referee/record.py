"""The record of a match: JSON Lines, each turn on disk before the next begins."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from ludens.core import LudensError
from ludens.referee.events import Event, MatchEnded, MatchStarted, TurnPlayed


class RecordWriter:
    """Writes the events of one match to a file of its own in a folder."""

    def __init__(self, folder: Path, version: str) -> None:
        self._folder = folder
        self._version = version
        self._file: TextIO | None = None
        self.path: Path | None = None
        """Where the record is, once the match has started."""

    def write(self, event: Event) -> None:
        """Append an event, and make sure that it is on disk."""
        if isinstance(event, MatchStarted):
            self._open(event)
        if self._file is None:
            raise LudensError("a record begins with the start of a match")
        self._file.write(json.dumps(_line(event, self._version), ensure_ascii=False) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        if isinstance(event, MatchEnded):
            self.close()

    def close(self) -> None:
        """Close the file; safe to call at any time."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self, event: MatchStarted) -> None:
        game = "".join(character if character.isalnum() else "-" for character in event.game)
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        self.path = self._folder / f"{stamp}-{game}.jsonl"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("x", encoding="utf-8")
        except OSError as error:
            raise LudensError(f"cannot write the record {self.path}: {error.strerror or error}") from None


def _line(event: Event, version: str) -> dict[str, Any]:
    match event:
        case MatchStarted():
            return {
                "event": "start",
                "ludens": version,
                "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "game": event.game,
                "rules_sha256": event.rules_hash,
                "roles": list(event.roles),
                "players": {
                    role: {"name": name, "options": dict(event.settings[role])} for role, name in event.players.items()
                },
                "clock": asdict(event.clock),
                "seed": event.seed,
                "errors": [asdict(failure) for failure in event.failures],
            }
        case TurnPlayed():
            return {
                "event": "turn",
                "id": event.id,
                "parent": event.parent,
                "moves": dict(event.joint_move),
                "errors": [asdict(failure) for failure in event.failures],
                "seconds": {role: round(seconds, 4) for role, seconds in event.seconds.items()},
                "thinking": {role: dict(decision.details) for role, decision in event.decisions.items()},
            }
        case MatchEnded():
            return {
                "event": "end",
                "goals": dict(event.goals),
                "turns": event.turns,
                "errors": dict(event.failures),
                "finished": event.finished,
            }
