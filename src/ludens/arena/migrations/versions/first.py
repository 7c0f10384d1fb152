"""Tournaments and their matches."""

import sqlalchemy as sa
from alembic import op

revision = "first"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From nothing."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(200), nullable=False, unique=True),
        sa.Column("specification", sa.Text, nullable=False),
        sa.Column("began", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("tournament", sa.Integer, sa.ForeignKey("tournaments.id", ondelete="CASCADE"), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        *(sa.Column(name, sa.JSON, nullable=False) for name in ("roles", "players", "goals", "points", "errors")),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("clock", sa.Float, nullable=False),
        sa.Column("seed", sa.Integer, nullable=False),
        sa.Column("reason", sa.String(40), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("tournament", "key", name="one_match_for_each_key"),
    )


def downgrade() -> None:
    """Drop all tables."""
    op.drop_table("matches")
    op.drop_table("tournaments")
