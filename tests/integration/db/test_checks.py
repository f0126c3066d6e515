"""Runs of the checks in the index: it holds what the record files hold, whatever it held before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select

from checks.history import History
from checks.running import run_checks
from db.checks import RUNS, refresh_checks
from tests.unit.checks.packages import cells, written


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "checks")


def rows(engine: Engine) -> list[dict[str, Any]]:
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(select(RUNS).order_by(RUNS.c.at)).mappings()]


def test_a_record_becomes_a_row_and_a_record_that_is_gone_none(
    engine: Engine, history: History, tmp_path: Path
) -> None:
    assert refresh_checks(engine, history.root) == 0
    package = written(tmp_path / "p", cells())
    first = history.keep(run_checks(package, static=True), "sha256:a")
    (package / "problem/.DS_Store").write_text("x")
    second = history.keep(run_checks(package, static=True), "sha256:b")
    assert refresh_checks(engine, history.root) == 2
    good, bad = rows(engine)
    assert (good["package"], good["path"], good["digest"], good["at"]) == ("p", str(package), "sha256:a", first.at)
    assert (good["failed"], good["failing"]) == (0, [])
    assert (bad["failed"], bad["failing"]) == (1, ["C3.2"])
    assert bad["passed"] + bad["failed"] + bad["warned"] + bad["skipped"] == 36
    history.place(first).unlink()
    assert refresh_checks(engine, history.root) == refresh_checks(engine, history.root) == 1
    assert [row["id"] for row in rows(engine)] == [history.place(second).relative_to(history.root).as_posix()]


@pytest.mark.parametrize("content", ["{", "[]", '{"report": {"checks": []}}', '{"report": 3, "at": "x"}'])
def test_a_record_that_cannot_be_read_stops_no_other(
    content: str, engine: Engine, history: History, tmp_path: Path
) -> None:
    history.keep(run_checks(written(tmp_path / "p", cells()), static=True), "sha256:a")
    broken = history.root / "q.0/r.json"
    broken.parent.mkdir()
    broken.write_text(content)
    assert refresh_checks(engine, history.root) == 1
    assert [row["package"] for row in rows(engine)] == ["p"]
