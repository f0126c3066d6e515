"""Connections to the database, set up the same way wherever they are made.

SQLite by default: write-ahead log, so that readers and the writer do not wait for each other, and
foreign keys enforced. PostgreSQL by address, for several machines on one corpus.
"""

from __future__ import annotations

import importlib.util
import sqlite3
import time
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import URL, Connection, Engine, create_engine, event

from db.address import SQLITE, parse
from db.migrations import require_current
from db.transactions import WAIT_SECONDS, WRITES
from nature_gym.errors import InfrastructureError, UsageError


def open_database(address: str) -> Engine:
    """The database at ``address``, its tables made where it is new.

    Raises InfrastructureError where it cannot be reached, and where its tables are of another
    revision than this program's: an older one wants ``db upgrade``, a newer one a newer program.
    """
    engine = make_engine(address)
    try:
        require_current(engine)
    except BaseException:
        engine.dispose()
        raise
    return engine


def make_engine(address: str) -> Engine:
    """An engine for ``address``, whatever state its tables are in. Makes the folder of an SQLite file."""
    url = parse(address)
    return _sqlite(url) if url.drivername == SQLITE else _postgresql(url)


def _sqlite(url: URL) -> Engine:
    path = Path(url.database or "")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InfrastructureError(
            f"the database's folder {path.parent} cannot be made: {error.strerror}",
            hint="Set NATUREGYM_HOME to a folder that you may write to.",
        ) from error
    engine = create_engine(
        url, json_serializer=_to_json, json_deserializer=orjson.loads, connect_args={"timeout": WAIT_SECONDS}
    )
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: sqlite3.Connection, _: object) -> None:
    # From here on transactions begin where we say (_begin_sqlite), also for changes of tables.
    connection.isolation_level = None
    _use_write_ahead_log(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """The file remembers it. SQLite does not wait where two first connections both want to switch, so we do."""
    deadline = time.monotonic() + WAIT_SECONDS
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or (
                time.monotonic() > deadline
            ):
                raise
            time.sleep(0.01)
        else:
            break  # a file system that cannot do it (a network share) keeps the old journal, which is slower


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes the writing place at once: waiting for it later, SQLite would have to refuse it."""
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _postgresql(url: URL) -> Engine:
    if importlib.util.find_spec("psycopg") is None:
        raise UsageError(
            "PostgreSQL needs the package psycopg, which is not installed",
            hint="Run `make postgres` in the NatureGym folder: it adds the driver to .venv.",
        )
    options: dict[str, Any] = {} if "connect_timeout" in url.query else {"connect_timeout": 10}
    return create_engine(
        url, json_serializer=_to_json, json_deserializer=orjson.loads, pool_pre_ping=True, connect_args=options
    )


def _to_json(value: Any) -> str:
    return orjson.dumps(value).decode()
