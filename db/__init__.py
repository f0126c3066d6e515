"""The database: SQLModel tables, the engine, Alembic migrations. An index of the record folders, never the record."""
