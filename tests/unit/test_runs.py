import datetime as dt
import os
import signal
from pathlib import Path

import pytest

from nature_gym.errors import InfrastructureError
from nature_gym.runs import all_runs, mark_crashed, running


def test_a_run_that_ends_well_says_what_it_did(tmp_path: Path) -> None:
    with running(tmp_path, "harvest", {"venues": "nature-family"}) as run:
        assert [record.state for record in all_runs(tmp_path)] == ["running"]
        run.note(counts={"new": 3}, flow_run="abc")
    (record,) = all_runs(tmp_path)
    assert (record.state, record.counts, record.flow_run) == ("completed", {"new": 3}, "abc")
    assert record.parameters == {"venues": "nature-family"}
    assert record.finished is not None


@pytest.mark.parametrize(
    ("error", "state"),
    [(ValueError("a defect"), "failed"), (KeyboardInterrupt(), "cancelled"), (SystemExit(143), "cancelled")],
)
def test_a_run_that_is_left_by_an_error_says_which(tmp_path: Path, error: BaseException, state: str) -> None:
    def work() -> None:
        with running(tmp_path, "harvest"):
            raise error

    with pytest.raises(type(error)):
        work()
    (record,) = all_runs(tmp_path)
    assert record.state == state
    assert record.reason in {"a defect", "interrupted"}


def test_a_run_whose_process_was_killed_is_found_and_marked_once(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        with running(tmp_path, "harvest"):
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert [record.state for record in all_runs(tmp_path)] == ["running"]
    at = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
    assert [record.state for record in mark_crashed(tmp_path, clock=lambda: at)] == ["crashed"]
    assert [record.finished for record in all_runs(tmp_path)] == [at]
    assert mark_crashed(tmp_path) == []


def test_a_living_run_is_not_taken_for_dead(tmp_path: Path) -> None:
    with running(tmp_path, "harvest"):
        assert mark_crashed(tmp_path) == []
    assert [record.state for record in all_runs(tmp_path)] == ["completed"]


def test_a_folder_without_a_record_is_passed_over_and_a_broken_one_named(tmp_path: Path) -> None:
    (tmp_path / "killed-before-its-first-word").mkdir()
    assert all_runs(tmp_path) == []
    assert all_runs(tmp_path / "nowhere") == []
    (tmp_path / "killed-before-its-first-word" / "run.json").write_text("{")
    with pytest.raises(InfrastructureError, match=r"run\.json"):
        all_runs(tmp_path)
