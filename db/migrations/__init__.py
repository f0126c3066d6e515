"""The tables' revisions: which one a database has, and the way from there to this program's.

Revisions only go up. There is no way down, since none is needed: an older program makes its own
database from the record folders. To add one, write ``versions/NNNN_words.py`` after the pattern of those
that are there and name it in REVISIONS; the tests go up from each revision with rows in place, and
compare where they arrive with ``db.tables``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Column, Connection, Engine, MetaData, Table, Text, inspect, select

from db.address import shown
from db.transactions import reported, writing
from nature_gym.errors import InfrastructureError

if TYPE_CHECKING:
    from alembic.config import Config

REVISIONS = ("0001", "0002", "0003", "0004")
"""All revisions, oldest first. Said here too, so that a look at a database need not load Alembic."""
HEAD = REVISIONS[-1]

VERSION_TABLE = "naturegym_revision"
"""Not Alembic's usual name: other programs in the same database (Prefect) use that one."""
_VERSION = Table(VERSION_TABLE, MetaData(), Column("version_num", Text))


def current_revision(engine: Engine) -> str | None:
    """The revision of a database's tables; None where it has none of ours."""
    with reported(engine), engine.connect() as connection:
        return _revision(connection)


def require_current(engine: Engine) -> None:
    """Make the tables where there are none; raise InfrastructureError where they are of another revision than ours."""
    revision = current_revision(engine)
    if revision is None:
        upgrade(engine)
    elif revision != HEAD:
        _refuse_newer(engine, revision)
        raise InfrastructureError(
            f"the database {shown(engine.url)} has tables of revision {revision}, and this program needs {HEAD}",
            hint="Run 'naturegym db upgrade'.",
        )


def upgrade(engine: Engine, revision: str = HEAD) -> tuple[str | None, str]:
    """Bring the tables up to ``revision``, all the way or not at all; the revisions before and after.

    Two processes may do so at the same time: the second finds nothing left to do.
    """
    with writing(engine, foreign_keys=False) as connection:
        before = _revision(connection)
        if before is not None:
            _refuse_newer(engine, before)
            if REVISIONS.index(before) >= REVISIONS.index(revision):
                return before, before
        from alembic import command

        command.upgrade(alembic_config(connection), revision)
        _check_foreign_keys(connection)
    return before, revision


def alembic_config(connection: Connection | None = None) -> Config:
    """Alembic's configuration, made in memory; with a connection, its work is part of that transaction."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table(_VERSION.name):
        return None
    return connection.scalar(select(_VERSION.c.version_num))


def _refuse_newer(engine: Engine, revision: str) -> None:
    if revision not in REVISIONS:
        raise InfrastructureError(
            f"the database {shown(engine.url)} was made by a newer version of NatureGym (its tables are of revision "
            f"{revision}, this program knows them up to {HEAD})",
            hint="Update NatureGym, or name another database in NATUREGYM_DATABASE_URL and run 'naturegym db rebuild'.",
        )


def _check_foreign_keys(connection: Connection) -> None:
    """SQLite was told to keep silent about foreign keys during the upgrade; see that they hold."""
    if connection.dialect.name == "sqlite" and (broken := connection.exec_driver_sql("PRAGMA foreign_key_check").all()):
        raise InfrastructureError(
            f"after the upgrade {len(broken)} rows would point to rows that are not there; nothing was changed",
            hint="Remove the database's file and run 'naturegym db rebuild'; the records are in the folders.",
        )
