"""The flows that check packages, through a Prefect server: what is stale, what is kept, and what its UI shows."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from sqlalchemy import select

from checks.history import history_of
from db.checks import RUNS
from db.engine import open_database
from flows.launch import run_flow
from nature_gym.config import Settings
from nature_gym.runs import all_runs
from tests.unit.checks.packages import STYLES, written

COMMAND = Path(sys.executable).with_name("naturegym")


@pytest.fixture
def packages(settings: Settings) -> Path:
    """Three packages in the home, one of them with a fault."""
    for name, make in STYLES.items():
        files = make()
        if name == "flow":
            files["problem/data/T1/predictions.csv"] = "x"
        written(settings.packages / name, files)
    written(settings.packages / ".half-made", STYLES["cells"]())
    return settings.packages


def check_corpus(*options: str) -> tuple[int, Any]:
    done = subprocess.run(
        [COMMAND, "check", "corpus", "--static", *options, "--json"], capture_output=True, check=False
    )
    assert done.stdout, done.stderr.decode()
    return done.returncode, orjson.loads(done.stdout)


def indexed(settings: Settings) -> dict[str, list[str]]:
    """Package -> the checks that failed, as the database has it."""
    engine = open_database(settings.database)
    try:
        with engine.connect() as connection:
            return {row.package: row.failing for row in connection.execute(select(RUNS))}
    finally:
        engine.dispose()


def test_a_corpus_is_checked_where_it_was_edited_and_shown_in_prefect(
    settings: Settings, packages: Path, prefect: Callable[..., Any]
) -> None:
    code, told = check_corpus()
    assert (code, told["state"], told["counts"]) == (1, "Completed", {"checked": 3, "failing": 1})
    states = {run["name"]: run["state_type"] for run in prefect("task_runs/filter")}
    assert states == {"check cells": "COMPLETED", "check flow": "FAILED", "check fold": "COMPLETED"}
    texts = {one["key"]: one for one in prefect("artifacts/filter") if one["type"] == "markdown"}
    assert set(texts) == {"check-corpus", "check-cells", "check-flow", "check-fold"}
    overview = texts["check-corpus"]["data"]
    first = overview.splitlines()[2]
    assert first.startswith("| [flow](/artifacts/key/check-flow) |")
    assert "C3.2" in first
    record = history_of(settings.home).place(history_of(settings.home).of(packages / "flow")[0])
    assert record.as_uri() in texts["check-flow"]["data"]
    assert "predictions" in texts["check-flow"]["data"]

    assert indexed(settings) == {"cells": [], "flow": ["C1.8", "C3.2"], "fold": []}
    code, told = check_corpus()
    assert (code, told["counts"]) == (1, {"unchanged": 3, "failing": 1})
    (packages / "flow/problem/data/T1/predictions.csv").unlink()
    code, told = check_corpus()
    assert (code, told["counts"]) == (0, {"unchanged": 2, "checked": 1})
    assert check_corpus("--all")[1]["counts"] == {"checked": 3}
    assert [len(history_of(settings.home).of(packages / name)) for name in ("cells", "flow")] == [2, 3]


def test_one_package_by_its_flow(settings: Settings, packages: Path, prefect: Callable[..., Any]) -> None:
    good = run_flow("flows.check:check_package", settings, {"package": str(packages / "cells"), "static": True})
    bad = run_flow("flows.check:check_package", settings, {"package": str(packages / "flow"), "static": True})
    assert (good.state, good.run.counts) == ("Completed", {"clean": 1})
    assert (bad.state, bad.run.counts) == ("Failed", {"failing": 1})
    assert [run.kind for run in all_runs(settings.runs)] == ["check-package"] * 2
    runs = {run["name"]: run["state"]["message"] for run in prefect("flow_runs/filter")}
    assert "2 failed" in runs["check flow"]
    assert {one["key"] for one in prefect("artifacts/filter")} == {"check-cells", "check-flow"}
