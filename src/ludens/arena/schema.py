"""The current tables of the store; ``migrations`` upgrades earlier ones."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()

TOURNAMENTS = Table(
    "tournaments",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("specification", Text, nullable=False),
    Column("began", DateTime(timezone=True), nullable=False),
)

MATCHES = Table(
    "matches",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("tournament", Integer, ForeignKey("tournaments.id", ondelete="CASCADE"), nullable=False),
    Column("key", String(200), nullable=False),
    Column("game", Text, nullable=False),
    Column("roles", JSON, nullable=False),
    Column("players", JSON, nullable=False),
    Column("goals", JSON, nullable=False),
    Column("points", JSON, nullable=False),
    Column("errors", JSON, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("clock", Float, nullable=False),
    Column("seed", Integer, nullable=False),
    Column("reason", String(40), nullable=False),
    Column("ended", DateTime(timezone=True), nullable=False),
    Column("record", LargeBinary, nullable=False),
    UniqueConstraint("tournament", "key", name="one_match_for_each_key"),
)
