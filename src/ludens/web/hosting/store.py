"""Matches on disk: each has a folder, below ``running`` until it is over, with its setup, tokens' hashes and record.

Writing raises `OSError` if the disk is full or read-only; unreadable files are left alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from ludens.core import LudensError, Role
from ludens.core.files import PRIVATE, make_folder, write_file
from ludens.web.hosting.setup import Setup, own_rules_path, rules_path

_MATCH, _END, _SHOWN = "match.json", "end.json", "shown.json"


@dataclass(frozen=True, slots=True)
class Ticket:
    """The metadata of a match."""

    id: str
    """Its name in addresses; ordered by time."""
    created: str
    """Time of creation, ISO 8601, UTC."""
    client: str
    """The creator (address)."""
    setup: Setup
    seat_hashes: Mapping[Role, str]
    """The hash of the token of each person's seat."""
    owner_hash: str
    """The hash of the creator's token."""

    def as_json(self) -> dict[str, Any]:
        """The ticket as JSON values."""
        return asdict(self) | {"setup": self.setup.as_json(), "seat_hashes": dict(self.seat_hashes)}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Ticket:
        """The ticket that `as_json` described."""
        return Ticket(**(dict(data) | {"setup": Setup.from_json(data["setup"])}))


def new_ticket(client: str, setup: Setup, seat_hashes: Mapping[Role, str], owner_hash: str) -> Ticket:
    """The ticket of a match that begins now."""
    now = datetime.now(UTC)
    name = f"{now.strftime('%y%m%d%H%M%S')}-{secrets.token_hex(4)}"
    return Ticket(name, now.isoformat(timespec="seconds"), client, setup, seat_hashes, owner_hash)


class Store:
    """The folders of all matches."""

    def __init__(self, data: Path, records: Path, most_finished: int = 2_000) -> None:
        """``most_finished`` matches that are over are kept, the latest ones."""
        self._most_finished = most_finished
        self._running = data / "matches" / "running"
        self._finished = data / "matches" / "finished"
        self._records = records
        for folder in (self._running, self._finished, records):
            make_folder(folder)

    def folder(self, ticket: Ticket) -> Path:
        """Where a running match is."""
        return self._running / ticket.id

    def add(self, ticket: Ticket, rules: str | None) -> None:
        """Store a new match."""
        folder = self.folder(ticket)
        folder.mkdir(mode=0o700)
        try:
            if rules is not None:
                write_file(rules_path(folder, ticket.setup.game), rules)
            _write_private(folder / _MATCH, ticket.as_json())
        except OSError:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def record_of(self, ticket: Ticket) -> str:
        """The name of the record of a running match; empty if nothing is recorded yet."""
        return next((path.name for path in self.folder(ticket).glob("*.jsonl")), "")

    def finish(self, ticket: Ticket, end: Mapping[str, Any], shown: Mapping[str, Any]) -> None:
        """Store the result and the last messages of a finished match, and file its record."""
        folder = self.folder(ticket)
        _write_private(folder / _END, dict(end))
        _write_private(folder / _SHOWN, dict(shown))
        if ticket.setup.own_rules:
            self._keep_rules(rules_path(folder, ticket.setup.game))
        self._file_record(folder.rename(self._finished / ticket.id))
        for name in self._finished_names()[self._most_finished :]:
            self.remove(name)

    def file_records(self) -> None:
        """File the records of matches that had ended when the server was killed."""
        for folder in self._finished.iterdir():
            with contextlib.suppress(OSError):  # retried at the next start
                self._file_record(folder)

    def _file_record(self, folder: Path) -> None:
        """File the record of a finished match; a running one needs its record to continue."""
        for path in folder.glob("*.jsonl"):
            shutil.move(path, self._records / path.name)

    def _keep_rules(self, path: Path) -> None:
        """Store a client's rules where a replay finds them by the hash in the record."""
        target = own_rules_path(self._records, hashlib.sha256(path.read_bytes()).hexdigest())
        make_folder(target.parent)
        write_file(target, path.read_bytes())

    def rules_of_finished(self, ticket: Ticket) -> str | None:
        """The client's own rules of a finished match; None if it is a game of the library. Raises `OSError`."""
        if not ticket.setup.own_rules:
            return None
        return rules_path(self._finished / ticket.id, ticket.setup.game).read_text(encoding="utf-8")

    def remove(self, name: str) -> None:
        """Delete a finished match; its record stays."""
        if self._is_finished(name):
            shutil.rmtree(self._finished / name, ignore_errors=True)

    def running(self) -> Iterator[Ticket]:
        """The matches that are not over."""
        for folder in sorted(self._running.iterdir()):
            ticket = _read_ticket(folder)
            if ticket is not None:
                yield ticket

    def finished(self, most: int) -> list[tuple[Ticket, dict[str, Any]]]:
        """The last finished matches with their results, latest first."""
        matches = (self._read_end(name) for name in self._finished_names())
        return list(islice((match for match in matches if match is not None), most))

    def finished_match(self, name: str) -> tuple[Ticket, dict[str, Any], dict[str, Any]] | None:
        """A finished match, its result and its messages; None if there is none."""
        match = self._read_end(name) if self._is_finished(name) else None
        channels = _read(self._finished / name / _SHOWN) if match is not None else None
        return (*match, channels) if match is not None and channels is not None else None

    def _finished_names(self) -> list[str]:
        """The names of the matches that are over, the latest first."""
        return sorted((folder.name for folder in self._finished.iterdir()), reverse=True)

    def _read_end(self, name: str) -> tuple[Ticket, dict[str, Any]] | None:
        ticket = _read_ticket(self._finished / name)
        end = _read(self._finished / name / _END) if ticket is not None else None
        return (ticket, end) if ticket is not None and end is not None else None

    def _is_finished(self, name: str) -> bool:
        """True if a name from a URL is that of a match, and not a path."""
        return len(name) < 40 and name.replace("-", "").isalnum() and (self._finished / name).is_dir()


def _read_ticket(folder: Path) -> Ticket | None:
    """The ticket in a folder; None if it is incomplete, foreign or a copy."""
    data = _read(folder / _MATCH)
    try:
        ticket = Ticket.from_json(data) if data is not None else None
    except (ValueError, KeyError, TypeError, AttributeError, LudensError):
        return None
    return ticket if ticket is not None and ticket.id == folder.name else None


def _read(path: Path) -> dict[str, Any] | None:
    """The JSON object in a file; None if there is none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _write_private(path: Path, data: Any) -> None:
    """Write a file that only its owner may read, whole or not at all."""
    write_file(path, json.dumps(data, ensure_ascii=False), PRIVATE)
