"""Which database: an SQLAlchemy address, checked early, and shown without what is secret in it."""

from __future__ import annotations

from sqlalchemy.engine.url import URL, make_url
from sqlalchemy.exc import ArgumentError

from nature_gym.errors import UsageError

SQLITE = "sqlite"
POSTGRESQL = "postgresql+psycopg"
_DRIVERS = {
    "sqlite": SQLITE,
    "sqlite+pysqlite": SQLITE,
    "postgres": POSTGRESQL,
    "postgresql": POSTGRESQL,
    "postgresql+psycopg": POSTGRESQL,
}
_HINT = (
    "Set NATUREGYM_DATABASE_URL to sqlite:////folder/naturegym.db or "
    "postgresql+psycopg://user:password@host/database, or leave it unset."
)
_HIDDEN = "***"


def parse(address: str) -> URL:
    """The address, with the driver that we use. Raises UsageError for what is not SQLite in a file or PostgreSQL.

    No message repeats the address as it was given: it may hold a password.
    """
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise UsageError("the database's address cannot be read", hint=_HINT) from None
    driver = _DRIVERS.get(url.drivername)
    if driver is None:
        raise UsageError(f"{url.drivername!r} is not a kind of database that can be used here", hint=_HINT)
    if driver == SQLITE and url.database in (None, "", ":memory:"):
        raise UsageError("a database in memory would forget everything at the end of a command", hint=_HINT)
    if driver == POSTGRESQL and not url.database:
        raise UsageError("the database's address names no database", hint=_HINT)
    return url.set(drivername=driver)


def shown(url: URL) -> str:
    """The address for people to read: no password, neither before the host nor among the options."""
    secret = [name for name in url.query if "pass" in name.lower()]
    return url.update_query_dict(dict.fromkeys(secret, _HIDDEN)).render_as_string(hide_password=True)


def without_secrets(message: str, url: URL) -> str:
    """``message``, as a driver wrote it, with the secrets of ``url`` taken out."""
    secrets = [str(url.password)] if url.password else []
    for name, value in url.query.items():
        if "pass" in name.lower():
            secrets += [value] if isinstance(value, str) else list(value)
    for secret in filter(None, secrets):
        message = message.replace(secret, _HIDDEN)
    return message
