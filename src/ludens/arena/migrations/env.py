"""The entry point of alembic: runs the missing steps on the store's connection."""

from alembic import context

from ludens.arena.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
