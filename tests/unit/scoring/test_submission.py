"""Result packages: one of ours is in order, and each way in which one is not is told at its file."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from nature_gym.errors import UsageError
from nature_gym.scoring.results import Result
from nature_gym.scoring.submission import (
    About,
    Conditions,
    Submission,
    problems_of,
    read_submission,
    result_document,
    write_package,
)

SUBMISSION = Submission(
    submission=About(
        model="none", agent="tabular 1", organization="Ours", submission_date=dt.date(2026, 1, 2), contact="a@b.example"
    ),
    evaluation=Conditions(
        timeout_seconds=14_400,
        web_search=False,
        compute="2 cores",
        judge_model="forensic",
        human_intervention=False,
        deviations_from_reference="",
    ),
)
RESULTS = [
    Result("t1", "succeeded", 0.25, "valid"),
    Result("t2", "agent_error", None, "not_applicable"),
    Result("t3", "timed_out", -0.1, "invalid", "hard-coded"),
]


def _evidence(result: Result) -> dict[str, bytes]:
    files = {"result.json": result_document(result)}
    if result.best_score is not None:
        files |= {"submissions.jsonl": b'{"attempt": 1}\n', "judge_verdict.json": b"{}", "trajectory.jsonl": b""}
    return files


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    write_package(folder, SUBMISSION, RESULTS, {result.case_id: _evidence(result) for result in RESULTS})
    return folder


def test_a_package_of_ours_is_in_order(package: Path) -> None:
    assert problems_of(package, ["t1", "t2", "t3"]) == []
    assert read_submission(package) == SUBMISSION
    assert (package / "results.csv").read_text().splitlines()[0] == (
        "case_id,final_status,best_score,judge_verdict,judge_reason"
    )


def test_nothing_that_is_there_is_written_over(package: Path) -> None:
    with pytest.raises(UsageError, match="there already"):
        write_package(package, SUBMISSION, [], {})
    assert len(list(package.parent.iterdir())) == 1


def _edit(file: str, old: str, new: str) -> Callable[[Path], None]:
    def edited(package: Path) -> None:
        text = (package / file).read_text()
        assert old in text
        (package / file).write_text(text.replace(old, new))

    return edited


def _link(package: Path) -> None:
    (package / "raw-results/t1/result.json").unlink()
    (package / "raw-results/t1/result.json").symlink_to("/etc/passwd")


def _fifo(package: Path) -> None:
    (package / "submission.yaml").unlink()
    os.mkfifo(package / "submission.yaml")


FAULTS: list[tuple[Callable[[Path], object], str, str]] = [
    (lambda package: (package / "submission.yaml").unlink(), "submission.yaml", "is missing"),
    (_edit("submission.yaml", "web_search: false", "web: false"), "submission.yaml", "evaluation.web_search"),
    (_edit("submission.yaml", "2026-01-02", "soon"), "submission.yaml", "submission.submission_date"),
    (_edit("submission.yaml", "submission:", "submission: ["), "submission.yaml", "no YAML"),
    (_fifo, "submission.yaml", "no regular file"),
    (_edit("results.csv", "judge_reason", "reason"), "results.csv", "must be case_id,final_status"),
    (_edit("results.csv", "t3,timed_out", "t4,timed_out"), "results.csv", "t3"),
    (_edit("results.csv", "0.250000", "0.350000"), "raw-results/t1/result.json", "best_score is 0.25"),
    (_edit("results.csv", "invalid,hard-coded", "invalid,"), "results.csv", "needs its judge_reason"),
    (_edit("results.csv", "succeeded", ""), "results.csv", "final_status is empty"),
    (_edit("results.csv", ",not_applicable", ",valid"), "results.csv", "not_applicable where there is no score"),
    (_edit("results.csv", "0.250000,valid", "0.250000,maybe"), "results.csv", "must be valid, invalid"),
    (_link, "raw-results/t1/result.json", "no regular file"),
    (_edit("raw-results/t1/result.json", "{", "{{"), "raw-results/t1/result.json", "cannot be read"),
    (lambda package: (package / "raw-results/t1/trajectory.jsonl").unlink(), "raw-results/t1", "no trajectory"),
    (lambda package: (package / "raw-results/x").mkdir(), "raw-results/x", "of no task"),
    (_edit("raw-results/t1/submissions.jsonl", "1}", "1}\n{"), "raw-results/t1/submissions.jsonl", "cannot be read"),
]


@pytest.mark.parametrize(("break_it", "file", "message"), FAULTS, ids=[f"{file}: {text}" for _, file, text in FAULTS])
def test_each_fault_is_told_at_its_file(
    package: Path, break_it: Callable[[Path], object], file: str, message: str
) -> None:
    break_it(package)
    told = problems_of(package, ["t1", "t2", "t3"])
    assert any(problem.file == file and message in problem.message for problem in told), told


def test_an_id_that_leads_out_of_the_package_is_no_folder(package: Path) -> None:
    _edit("results.csv", "t1,", "../t1,")(package)
    assert any("no folder's name" in problem.message for problem in problems_of(package))


def test_results_say_the_same_score_in_both_places(package: Path) -> None:
    document = json.loads((package / "raw-results/t3/result.json").read_text())
    assert document == {"case_id": "t3", "final_status": "timed_out", "best_score": -0.1}
