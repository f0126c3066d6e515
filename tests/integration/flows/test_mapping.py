from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text

from db.engine import open_database
from nature_gym.records import Papers
from nature_gym.runs import all_runs

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from nature_gym.config import Settings

    from .conftest import Command


def worked(home: Path) -> list[str]:
    """The papers that the stage worked on, each time it did."""
    log = home / "worked.log"
    return log.read_text().split() if log.exists() else []


def state_of_only_flow_run(ask: Callable[..., Any]) -> tuple[str, str]:
    (run,) = ask("flow_runs/filter")
    return run["state_type"], run["state"]["message"]


def test_each_paper_gets_what_is_its_and_only_our_faults_fail_the_flow(
    settings: Settings,
    prefect: Callable[..., Any],
    make_papers: Callable[..., list[str]],
    command: Callable[..., Command],
) -> None:
    make_papers("10.1_a", "10.1_b-reject", "10.1_c-unusable", "10.1_d-error")
    end = command("singly").end()
    assert (end["event"], end["state"], end["recorded"], end["errors"]) == ("end", "Failed", True, "")
    assert end["run"]["state"] == "completed"
    assert end["run"]["counts"] == {"done": 2, "failed": 1, "error": 1}
    states = {run["name"]: (run["state_type"], run["state"]["message"]) for run in prefect("task_runs/filter")}
    assert states == {
        "singly 10.1_a": ("COMPLETED", "passed"),
        "singly 10.1_b-reject": ("COMPLETED", "rejected: no machine learning"),
        "singly 10.1_c-unusable": ("FAILED", "PaperError: it is truncated"),
        "singly 10.1_d-error": ("FAILED", "InfrastructureError: the disk failed"),
    }
    assert state_of_only_flow_run(prefect) == ("FAILED", "2 done, 1 unusable, 1 could not be worked on")
    assert all("singly" in run["tags"] for run in prefect("task_runs/filter"))
    (run,) = all_runs(settings.runs)
    assert [run.flow_run] == [flow_run["id"] for flow_run in prefect("flow_runs/filter")]


def test_unusable_papers_in_a_chunk_are_counted_and_leave_it_completed(
    prefect: Callable[..., Any], make_papers: Callable[..., list[str]], command: Callable[..., Command]
) -> None:
    make_papers(*(f"10.1_{number:02}" for number in range(19)), "10.1_19-unusable")
    assert command("noop").end()["state"] == "Completed"
    runs = sorted(prefect("task_runs/filter"), key=lambda run: str(run["name"]))
    assert [(run["name"], run["state_type"], run["state"]["message"]) for run in runs] == [
        ("noop 10 papers from 10.1_00", "COMPLETED", "10 done"),
        ("noop 10 papers from 10.1_10", "COMPLETED", "9 done, 1 failed"),
    ]


def test_what_is_current_costs_no_task_run_and_what_failed_for_us_is_tried_again(
    settings: Settings,
    naturegym_home: Path,
    prefect: Callable[..., Any],
    make_papers: Callable[..., list[str]],
    command: Callable[..., Command],
) -> None:
    make_papers("10.1_a", "10.1_b-unusable", "10.1_c-error")
    command("singly").end()
    end = command("singly").end()
    assert end["run"]["counts"] == {"current": 2, "error": 1}
    assert sorted(worked(naturegym_home)) == ["10.1_a", "10.1_b-unusable", "10.1_c-error", "10.1_c-error"]
    assert prefect("task_runs/count") == 4
    assert command("singly", papers=["10.1_a"], force=True).end()["run"]["counts"] == {"done": 1}


def test_the_index_has_what_a_flow_did(
    settings: Settings, make_papers: Callable[..., list[str]], command: Callable[..., Command]
) -> None:
    make_papers("10.1_a", "10.1_b-reject")
    command("noop").end()
    engine = open_database(settings.database)
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT paper_id, verdict FROM paper_stage ORDER BY paper_id")).all()
        runs = connection.execute(text("SELECT kind, state FROM run")).all()
    engine.dispose()
    assert rows == [("10.1_a", "passed"), ("10.1_b-reject", "rejected")]
    assert runs == [("noop", "completed")]


@pytest.mark.slow
def test_5500_papers_are_all_recorded_by_us_and_their_task_runs_by_prefect(
    settings: Settings,
    prefect: Callable[..., Any],
    make_papers: Callable[..., list[str]],
    command: Callable[..., Command],
) -> None:
    ids = make_papers(*(f"10.1_{number:04}" for number in range(5500)))
    end = command("noop").end()
    assert (end["state"], end["recorded"], end["run"]["counts"]) == ("Completed", True, {"done": 5500})
    papers = Papers(settings.papers)
    assert all((record := papers[paper].record("noop")) is not None and record.verdict == "passed" for paper in ids)
    assert prefect("task_runs/count", task_runs={"state": {"type": {"any_": ["COMPLETED"]}}}) == 110
    assert prefect("task_runs/count") == 110


@pytest.mark.slow
def test_dask_carries_the_same_flow(
    prefect: Callable[..., Any],
    make_papers: Callable[..., list[str]],
    command: Callable[..., Command],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("prefect_dask")
    monkeypatch.setenv("NATUREGYM_TASK_RUNNER", "dask")
    make_papers("10.1_a", "10.1_b-reject", "10.1_c-error")
    end = command("singly").end()
    assert (end["state"], end["run"]["counts"]) == ("Failed", {"done": 2, "error": 1})
    assert prefect("task_runs/count") == 3


def test_a_full_disk_stops_the_run_with_one_sentence(
    prefect: Callable[..., Any],
    naturegym_home: Path,
    make_papers: Callable[..., list[str]],
    command: Callable[..., Command],
) -> None:
    make_papers("10.1_a")
    (naturegym_home / "papers" / "10.1_b").write_text("not a folder, so nothing can be recorded in it")
    end = command("singly", papers=["10.1_a", "10.1_b"]).end()
    assert (end["event"], end["code"]) == ("error", 3)
    assert end["message"].startswith("records cannot be written: ")
    assert "Make room" in end["hint"]
    assert (naturegym_home / "papers" / "10.1_a" / "singly" / "worked.txt").exists()
    assert state_of_only_flow_run(prefect)[0] == "FAILED"
