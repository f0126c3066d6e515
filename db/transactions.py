"""Transactions: many readers, one writer at a time, and errors that say what to do.

The one idea: whoever writes the index first gets its only writing place, and reads the folders while
holding it. So what is written last was read last, and two processes that bring the index up
to date at the same time leave what either would have left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlmodel import Session

from db.address import shown, without_secrets
from nature_gym.errors import InfrastructureError

WAIT_SECONDS = 60
"""How long a writer waits for the one before it."""
WRITES = "naturegym_writes"
"""The execution option that makes SQLite take the writing place at the start of a transaction."""
_LOCK = 0x6E617467796D
"""PostgreSQL's advisory locks are numbers; this one is ours."""


@contextmanager
def reported(engine: Engine) -> Iterator[None]:
    """Turn what a driver raises into an InfrastructureError that names the database, without its password.

    Rows that break a constraint pass through: that is a defect of ours, and no trouble with the database.
    """
    try:
        yield
    except (IntegrityError, DataError):
        raise
    except (DBAPIError, PoolTimeoutError) as error:
        said = str(error.orig) if isinstance(error, DBAPIError) else str(error)
        reason = " ".join(without_secrets(said, engine.url).split())
        raise InfrastructureError(f"the database {shown(engine.url)}: {reason}", hint=_advice(engine, said)) from error


@contextmanager
def writing(engine: Engine, *, foreign_keys: bool = True) -> Iterator[Connection]:
    """A transaction that alone may write; it is committed when the block is left, and undone when the block raises.

    Without ``foreign_keys`` SQLite keeps silent about them, which changes of a table's shape need there.
    """
    with reported(engine), engine.connect().execution_options(**{WRITES: True}) as connection:
        sqlite = engine.dialect.name == "sqlite"
        if sqlite and not foreign_keys:
            _set_foreign_keys(connection, "OFF")
        try:
            with connection.begin():
                if not sqlite:
                    connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{WAIT_SECONDS}s'")
                    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
                yield connection
        finally:
            if sqlite and not foreign_keys:
                _set_foreign_keys(connection, "ON")


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session for queries, which see one state of the database from the first to the last."""
    options = {} if engine.dialect.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}
    with reported(engine), engine.connect().execution_options(**options) as connection, Session(connection) as session:
        yield session


def _set_foreign_keys(connection: Connection, state: str) -> None:
    """Past SQLAlchemy, which would begin a transaction; inside one, SQLite ignores this setting."""
    cursor = connection.connection.cursor()
    cursor.execute(f"PRAGMA foreign_keys = {state}")
    cursor.close()


def _advice(engine: Engine, said: str) -> str:
    if "locked" in said or "lock timeout" in said:
        return "Another process has been writing for a long time; try again when it has ended."
    if engine.dialect.name != "sqlite":
        return "See that the server runs and that NATUREGYM_DATABASE_URL is right; no record is lost."
    if "not a database" in said or "malformed" in said:
        return (
            f"Where {engine.url.database} is NatureGym's own, move it away and run 'naturegym db rebuild': the records "
            "are in the folders. Else correct NATUREGYM_DATABASE_URL."
        )
    return "See that the disk has room and that the file may be written; no record is lost."
