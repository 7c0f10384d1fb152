"""The settings of the web server: address, folders and limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits per server and per client."""

    matches: int = 100
    """Matches running at the same time."""
    matches_of_client: int = 25
    """Of these, by one client (address)."""
    request_bytes: int = 300_000
    """Size of the body of a request."""
    record_bytes: int = 8_000_000
    """Size of an uploaded record."""
    rule_characters: int = 200_000
    """Size of a rule sheet in GDL."""
    load_seconds: float = 30.0
    """Time to read rules that a client wrote or parametrised, in seconds. Compiling them has no limit: they are played
    interpreted meanwhile."""
    load_megabytes: int = 6_000
    """Address space of a process for such rules; compilers reserve much more than they use."""
    own_processes: int = 8
    """Processes for such rules at the same time."""
    own_processes_of_client: int = 4
    """Of these, for one client."""
    asked_megabytes: int = 2_048
    """Megabytes shared by players with an explicit ``memory`` option; others get little each."""
    seats: int = 32
    """Roles of a game: each seat receives its own drawing after every turn."""
    kept_matches: int = 2_000
    """Finished matches whose pages are kept, the latest ones; records stay."""
    uploads: int = 4
    """Records received at the same time."""
    clock_seconds: float = 60.0
    """The longest clock of a player that computes."""
    uploads_of_client: int = 2
    """Of these, of one client."""
    sockets_of_client: int = 300
    """WebSockets that one client may hold open."""
    connections_of_client: int = 200
    """Other connections that it may hold open."""
    header_seconds: float = 10.0
    """Time to send the head of a request, in seconds."""
    body_seconds: float = 10.0
    """Time to send its body, in seconds; more for a long one, at this pace:"""
    body_pace: int = 20_000
    """Bytes a second."""
    reading_seconds: float = 30.0
    """Seconds after which a client that does not read is dropped."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of `create_app`."""

    data: Path
    """The folder of matches; finished ones have their records in its folder ``records``."""
    host: str = "127.0.0.1"
    """The address on which the server listens, and which requests must name (against DNS rebinding)."""
    names: tuple[str, ...] = ()
    """Other names of the server that requests may use."""
    admin_token: str = ""
    """The token to stop and delete any match; disabled if empty."""
    workers: int | None = None
    """Processes that play matches; None to suit the machine, 0 to play in this process (for tests)."""
    limits: Limits = field(default_factory=Limits)

    @property
    def records(self) -> Path:
        """Where the records of finished matches are."""
        return self.data / "records"
