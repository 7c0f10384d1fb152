"""Migrations of stores from earlier versions, run by alembic."""
