"""Small corpora for the tests of the index: publish, fail, break and remove, and look at all rows."""

from __future__ import annotations

import datetime as dt
import shutil
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, select

from db.tables import Table
from nature_gym.files import to_json
from nature_gym.records import RECORD, PaperFolder, Papers, StageError, StageRecord
from nature_gym.runs import RUN, RunRecord

WHEN = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)
A, B, C = "10.5555_a", "10.5555_b", "W3"


class Corpus:
    """The folders of a home."""

    def __init__(self, home: Path) -> None:
        self.papers = Papers(home / "papers")
        self.runs = home / "runs"

    def publish(self, paper: str, stage: str, *, work: Any = None, **changes: Any) -> None:
        fields = {
            "paper": paper, "stage": stage, "status": "done", "verdict": "done", "inputs": "sha256:0", "rules": "1",
            "started": WHEN, "finished": WHEN + dt.timedelta(seconds=2),
        }  # fmt: skip
        folder = self.papers[paper]
        with folder.draft(stage) as draft:
            if work is not None:
                content = work if isinstance(work, bytes) else to_json({"id": paper, **work})
                (draft.folder / "work.json").write_bytes(content)
            folder.publish(draft, StageRecord.model_validate({**fields, **changes}))

    def fail(self, paper: str, stage: str, reason: str = "the disk is full") -> None:
        folder = self.papers[paper]
        folder.fail(StageError(paper=paper, stage=stage, error="OSError", reason=reason, at=WHEN))

    def break_record(self, paper: str, stage: str) -> None:
        (self.papers[paper].path / stage / RECORD).write_bytes(b'{"paper": ')

    def retract(self, paper: str, stage: str) -> None:
        (self.papers[paper].path / stage).unlink(missing_ok=True)

    def remove(self, paper: str) -> None:
        shutil.rmtree(self.papers[paper].path, ignore_errors=True)

    def run(self, name: str, **changes: Any) -> None:
        fields = {"id": name, "kind": "harvest", "state": "running", "started": WHEN, "pid": 1, **changes}
        folder = self.runs / name
        folder.mkdir(parents=True, exist_ok=True)
        temporary = folder / "new"
        temporary.write_bytes(to_json(RunRecord.model_validate(fields).model_dump(mode="json")))
        temporary.rename(folder / RUN)

    def folder(self, paper: str) -> PaperFolder:
        return self.papers[paper]


def all_rows(engine: Engine) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table, by table, in the order of the keys."""
    with engine.connect() as connection:
        return {
            table.name: sorted(
                (dict(row) for row in connection.execute(select(table)).mappings()),
                key=lambda row: [row[column.name] for column in table.primary_key],
            )
            for table in Table.metadata.sorted_tables
        }


def clear(engine: Engine) -> None:
    with engine.begin() as connection:
        for table in reversed(Table.metadata.sorted_tables):
            connection.execute(table.delete())
