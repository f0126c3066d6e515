"""What Alembic runs to apply revisions, on the connection that it was given or on the database of the settings."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection

from db.migrations import VERSION_TABLE
from db.tables import Table


def _apply(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Table.metadata,
        version_table=VERSION_TABLE,
        # SQLite changes a table by copying it; revisions say so with batch_alter_table.
        render_as_batch=True,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


def _main() -> None:
    connection: Connection | None = context.config.attributes.get("connection")
    if connection is not None:
        _apply(connection)
        return
    # For whoever writes a revision and calls Alembic's own commands.
    from db.engine import make_engine
    from db.transactions import writing
    from nature_gym.config import load_settings

    engine = make_engine(load_settings().database)
    with writing(engine, foreign_keys=False) as own:
        _apply(own)
    engine.dispose()


_main()
