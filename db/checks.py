"""Runs of the checks in the index: one row a record, brought up to date by the names of the records' files.

A record is written once and never changed, so its name tells all: what the index lacks is read, and what is gone is
removed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Engine, delete, insert, select
from sqlalchemy import Table as SqlTable

from db.tables import Table
from db.transactions import writing

RUNS: SqlTable = Table.metadata.tables["check_run"]
BATCH = 500


def refresh_checks(engine: Engine, records: Path) -> int:
    """Make the rows those of the record files below ``records``; how many rows there are then.

    Records that cannot be read have no row. Raises InfrastructureError where the database fails.
    """
    found = {path.relative_to(records).as_posix(): path for path in sorted(records.glob("*/*.json"))}
    with writing(engine) as connection:
        known = set(connection.scalars(select(RUNS.c.id)))
        gone = sorted(known - found.keys())
        for start in range(0, len(gone), BATCH):
            connection.execute(delete(RUNS).where(RUNS.c.id.in_(gone[start : start + BATCH])))
        rows = [row for name in found if name not in known for row in _row(name, found[name])]
        for start in range(0, len(rows), BATCH):
            connection.execute(insert(RUNS), rows[start : start + BATCH])
    return len(known) - len(gone) + len(rows)


def _row(name: str, path: Path) -> Iterator[dict[str, Any]]:
    """The row of a record; none where it cannot be read."""
    try:
        record = orjson.loads(path.read_bytes())
        results = record["report"]["checks"]
        statuses = [one["status"] for one in results]
        row: dict[str, Any] = {key: str(record[key]) for key in ("package", "path", "digest", "rules")}
        row |= {"id": name, "at": dt.datetime.fromisoformat(record["at"])}
        row |= {word: statuses.count(kind) for word, kind in _COUNTS.items()}
        row["failing"] = [one["id"] for one in results if one["status"] == "fail"]
        if row["at"].tzinfo is None:
            return
    except (OSError, ValueError, TypeError, KeyError):
        return
    yield row


_COUNTS = {"passed": "pass", "failed": "fail", "warned": "warn", "skipped": "skip"}
