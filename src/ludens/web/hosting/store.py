"""Matches on disk: each has a folder, below ``running`` until it is over, with its setup, tokens' hashes and record."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ludens.core import LudensError, Role
from ludens.web.hosting.setup import Setup, own_rules_path, rules_path

_MATCH, _SHOWN = "match.json", "shown.json"


@dataclass(frozen=True, slots=True)
class Ticket:
    """What is known of a match without playing it."""

    id: str
    """Its name in addresses; ordered by time."""
    created: str
    """When, ISO 8601, UTC."""
    client: str
    """Who made it (address)."""
    setup: Setup
    seat_hashes: Mapping[Role, str]
    """The hash of the token of each person's seat."""
    owner_hash: str
    """The hash of the token of whoever made it."""

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

    def __init__(self, data: Path, records: Path) -> None:
        self._running = data / "matches" / "running"
        self._finished = data / "matches" / "finished"
        self._records = records
        for folder in (self._running, self._finished, records):
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise LudensError(f"cannot make the folder {folder}: {error.strerror or error}") from None

    def folder(self, ticket: Ticket) -> Path:
        """Where a running match is."""
        return self._running / ticket.id

    def add(self, ticket: Ticket, rules: str | None) -> None:
        """Keep a match that begins."""
        folder = self.folder(ticket)
        folder.mkdir(mode=0o700)
        if rules is not None:
            rules_path(folder, ticket.setup.game).write_text(rules, encoding="utf-8")
        _write_private(folder / _MATCH, ticket.as_json())

    def record_of(self, ticket: Ticket) -> str:
        """The name of the record of a running match; empty if nothing is recorded yet."""
        return next((path.name for path in self.folder(ticket).glob("*.jsonl")), "")

    def finish(self, ticket: Ticket, shown: Mapping[str, Any]) -> None:
        """A match is over: keep what was shown last, and put its record among the others."""
        folder = self.folder(ticket)
        _write_private(folder / _SHOWN, dict(shown))
        for path in folder.glob("*.jsonl"):
            shutil.move(path, self._records / path.name)
        if ticket.setup.own_rules:
            self._keep_rules(rules_path(folder, ticket.setup.game))
        folder.rename(self._finished / ticket.id)

    def _keep_rules(self, path: Path) -> None:
        """Put a client's rules where a replay finds them by the hash in the record."""
        kept = own_rules_path(self._records, hashlib.sha256(path.read_bytes()).hexdigest())
        kept.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, kept)

    def remove(self, name: str) -> None:
        """Forget a finished match; its record stays."""
        if self._is_finished(name):
            shutil.rmtree(self._finished / name, ignore_errors=True)

    def running(self) -> Iterator[Ticket]:
        """The matches that are not over."""
        for folder in sorted(self._running.iterdir()):
            ticket = _read_ticket(folder)
            if ticket is not None:
                yield ticket

    def finished(self, most: int) -> list[tuple[Ticket, dict[str, Any]]]:
        """The last matches that are over, the latest first, with what was shown."""
        names = sorted((folder.name for folder in self._finished.iterdir()), reverse=True)
        found = (self.finished_match(name) for name in names[:most])
        return [match for match in found if match is not None]

    def finished_match(self, name: str) -> tuple[Ticket, dict[str, Any]] | None:
        """A match that is over, and what was shown; None if there is none."""
        ticket = _read_ticket(self._finished / name) if self._is_finished(name) else None
        if ticket is None:
            return None
        try:
            shown: dict[str, Any] = json.loads((self._finished / name / _SHOWN).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return ticket, shown

    def _is_finished(self, name: str) -> bool:
        """True if a name from an address is that of a match, and no path."""
        return len(name) < 40 and name.replace("-", "").isalnum() and (self._finished / name).is_dir()


def _read_ticket(folder: Path) -> Ticket | None:
    try:
        return Ticket.from_json(json.loads((folder / _MATCH).read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, LudensError):
        return None  # a folder that was cut off while it was made, or is somebody else's


def _write_private(path: Path, data: Any) -> None:
    """Write a file that only its owner may read, whole or not at all."""
    beside = path.with_suffix(".new")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(data, file, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
