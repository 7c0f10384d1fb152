"""The store of tournaments and matches: an SQLite file, or a PostgreSQL database by URL.

Every call opens and closes a connection: matches take much longer, and none is held meanwhile.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, Select, create_engine, event, func, insert, make_url, select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from ludens.arena.played_match import PlayedMatch
from ludens.arena.schema import MATCHES, TOURNAMENTS
from ludens.core import LudensError
from ludens.core.files import make_folder

_BUSY = 60.0
"""The timeout in seconds for an SQLite file that another process has locked."""
_LOCK = 0x1D5
"""The number of the advisory lock for migrations of a PostgreSQL database."""
_FIELDS = ("roles", "players", "goals", "points", "errors")


class StoreError(LudensError):
    """The store cannot be opened, read or written."""


@dataclass(frozen=True, slots=True)
class Overview:
    """An overview of a tournament."""

    number: int
    name: str
    began: datetime
    matches: int
    """The number of finished matches."""
    latest: datetime | None
    """The end of the latest one."""


class Store:
    """Tournaments and matches. A match is saved durably and only once, whichever process saves it."""

    def __init__(self, place: str | Path) -> None:
        """Open a file, or the database of a URL such as ``postgresql://user@host/name``; run missing migrations."""
        self.place = _hide_password(str(place))
        """Its path or URL as given, without a password."""
        self._engine = _engine(place)
        with self._failures():
            _bring_up_to_date(self._engine)

    def begin(self, name: str, specification: str) -> int:
        """The number of the tournament with a name; creates it if there is none.

        Raises `StoreError` if one with that name has another specification.
        """
        with self._failures():
            try:
                with self._engine.begin() as connection:
                    values = {"name": name, "specification": specification, "began": datetime.now(UTC)}
                    connection.execute(insert(TOURNAMENTS).values(values))
            except IntegrityError:
                pass  # it exists already
            with self._engine.connect() as connection:
                row = connection.execute(select(TOURNAMENTS).where(TOURNAMENTS.c.name == name)).one()
        if row.specification != specification:
            raise StoreError(
                f"{self.place} has a tournament {name!r} with another specification; give this one another name, "
                "or choose another store"
            )
        return int(row.id)

    def tournaments(self) -> dict[str, int]:
        """The numbers of all tournaments by their names, in the order in which they began."""
        with self._failures(), self._engine.connect() as connection:
            rows = connection.execute(select(TOURNAMENTS.c.name, TOURNAMENTS.c.id).order_by(TOURNAMENTS.c.id)).all()
        return {name: int(number) for name, number in rows}

    def overview(self) -> list[Overview]:
        """All tournaments, the latest first."""
        counted = func.count(MATCHES.c.id), func.max(MATCHES.c.ended)
        wanted = (
            select(TOURNAMENTS.c.id, TOURNAMENTS.c.name, TOURNAMENTS.c.began, *counted)
            .outerjoin(MATCHES, MATCHES.c.tournament == TOURNAMENTS.c.id)
            .group_by(TOURNAMENTS.c.id)
            .order_by(TOURNAMENTS.c.id.desc())
        )
        with self._failures(), self._engine.connect() as connection:
            return [Overview(*row) for row in connection.execute(wanted)]

    def specification(self, tournament: int) -> str:
        """The specification of a tournament."""
        with self._failures(), self._engine.connect() as connection:
            wanted = select(TOURNAMENTS.c.specification).where(TOURNAMENTS.c.id == tournament)
            return str(connection.execute(wanted).scalar_one())

    def save(self, tournament: int, played: PlayedMatch) -> bool:
        """Save a match; returns False if the tournament already has one with that key.

        Raises `StoreError` if it cannot be stored.
        """
        values: dict[str, Any] = {field: list(getattr(played, field)) for field in _FIELDS}
        for field in ("key", "game", "turns", "seconds", "clock", "seed", "reason", "record"):
            values[field] = getattr(played, field)
        values |= {"tournament": tournament, "ended": datetime.now(UTC)}
        with self._failures():
            try:
                with self._engine.begin() as connection:
                    connection.execute(insert(MATCHES).values(values))
            except IntegrityError:
                # Other reasons, such as a deleted tournament, must not look like success.
                if not self._has(tournament, played.key):
                    raise
                return False
        return True

    def _has(self, tournament: int, key: str) -> bool:
        wanted = select(MATCHES.c.id).where(MATCHES.c.tournament == tournament, MATCHES.c.key == key)
        with self._engine.connect() as connection:
            return connection.execute(wanted).first() is not None

    def matches(self, tournament: int | None = None) -> list[PlayedMatch]:
        """The matches of a tournament, or all, in the order in which they ended; without their records."""
        columns = [column for column in MATCHES.c if column.name != "record"]
        wanted: Select[Any] = select(*columns).order_by(MATCHES.c.id)
        if tournament is not None:
            wanted = wanted.where(MATCHES.c.tournament == tournament)
        with self._failures(), self._engine.connect() as connection:
            return [_match_from_row(row) for row in connection.execute(wanted)]

    def record(self, tournament: int, key: str) -> str:
        """The record of a match as text. Raises `StoreError` if there is no such match."""
        wanted = select(MATCHES.c.record).where(MATCHES.c.tournament == tournament, MATCHES.c.key == key)
        with self._failures(), self._engine.connect() as connection:
            content = connection.execute(wanted).scalar_one_or_none()
        if content is None:
            raise StoreError(f"{self.place} has no match {key!r} in that tournament")
        return gzip.decompress(content).decode()

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Turns database errors into `StoreError` with one sentence."""
        try:
            yield
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).strip().split("\n", 1)[0]
            raise StoreError(f"the store {self.place} failed: {reason}") from error


def _match_from_row(row: Any) -> PlayedMatch:
    return PlayedMatch(
        key=row.key,
        game=row.game,
        turns=row.turns,
        seconds=row.seconds,
        clock=row.clock,
        seed=row.seed,
        reason=row.reason,
        record=b"",
        **{field: tuple(getattr(row, field)) for field in _FIELDS},
    )


def _hide_password(place: str) -> str:
    """The place as messages show it, without the database password."""
    try:
        return make_url(place).render_as_string(hide_password=True) if "://" in place else place
    except SQLAlchemyError:
        return "the database"


def _engine(place: str | Path) -> Engine:
    text = str(place)
    if "://" in text:
        address = text.replace("postgresql://", "postgresql+psycopg://", 1)
        try:
            return create_engine(address, poolclass=NullPool)
        except (SQLAlchemyError, ImportError) as error:
            raise StoreError(
                f"{_hide_password(text)} cannot be opened ({error}); PostgreSQL needs pip install 'ludens[postgresql]'"
            ) from None
    path = Path(text).expanduser()
    make_folder(path.parent)
    engine = create_engine(
        URL.create("sqlite", database=str(path)), connect_args={"timeout": _BUSY}, poolclass=NullPool
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")

    return engine


def _bring_up_to_date(engine: Engine) -> None:
    """Run missing migrations; one process at a time."""
    config = Config()
    config.set_main_option("script_location", "ludens.arena:migrations")
    newest = ScriptDirectory.from_config(config).get_current_head()
    with engine.connect() as connection:
        if MigrationContext.configure(connection).get_current_revision() == newest:
            return
    with engine.connect() as connection:
        _lock(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()


def _lock(connection: Connection) -> None:
    """Take the migration lock, which the end of the transaction releases."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
