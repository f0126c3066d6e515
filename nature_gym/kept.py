"""What was found out about contents, kept by their digests: it holds for ever, so it is found out once.

The file may be removed at any time, and then all is found out again. One that cannot be read or written is as good as
none: nothing here stops work.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import orjson


class Kept:
    """An SQLite file of JSON values by key. Another number of ``rules`` is another way of finding out."""

    def __init__(self, path: Path, rules: int) -> None:
        self._path = path
        self._rules = rules

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._path, timeout=60)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS found (key TEXT, rules INT, said BLOB, PRIMARY KEY (key, rules))"
        )
        return connection

    def get(self, keys: Iterable[str]) -> dict[str, Any]:
        """Key -> what was found, for those that are kept; a file that is damaged is begun anew."""
        found: dict[str, Any] = {}
        asked = "SELECT said FROM found WHERE key=? AND rules=?"
        try:
            with closing(self._open()) as connection:
                for key in keys:
                    row = connection.execute(asked, (key, self._rules)).fetchone()
                    if row is not None:
                        found[key] = orjson.loads(row[0])
        except (sqlite3.DatabaseError, orjson.JSONDecodeError):
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
        except OSError:
            pass
        return found

    def put(self, found: Mapping[str, Any]) -> None:
        """Keep these, in place of what was kept under their keys."""
        with suppress(sqlite3.DatabaseError, OSError), closing(self._open()) as connection, connection:
            connection.executemany(
                "INSERT OR REPLACE INTO found VALUES (?, ?, ?)",
                [(key, self._rules, orjson.dumps(said)) for key, said in found.items()],
            )
