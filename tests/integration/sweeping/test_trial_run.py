"""One trial, from a fresh folder to its status, in real boxes."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from nature_gym.packaging.package import Package
from nature_gym.sweeping.folders import TrialFolder, TrialFolders
from nature_gym.sweeping.trial_run import Ground, Report, run_trial
from tests.integration.sweeping.conftest import Script, make_spec


def run(tmp_path: Path, package: Package, ground: Ground, source: str, **options: Any) -> tuple[Report, TrialFolder]:
    paper = options.pop("paper", None)
    spec, folders = make_spec(**options), TrialFolders(tmp_path / "home")
    report = run_trial(spec, package, Script(source), folders.begin(spec), ground, paper=paper)
    found = folders.get(spec.id)
    assert found is not None
    return report, found


def said(trial: TrialFolder) -> list[Any]:
    return [json.loads(line) for line in (trial.path / "stdout").read_text().splitlines()]


def test_an_agent_sees_its_task_submits_and_succeeds(tmp_path: Path, package: Package, ground: Ground) -> None:
    source = "print(json.dumps(submit([1, 0, 1, 0]))); print(json.dumps(submit([1, 0, 1, 1])))"
    report, trial = run(tmp_path, package, ground, source)
    assert (report.status, report.reason) == ("succeeded", "")
    assert [one[1]["aggregate_improvement"] for one in said(trial)] == [pytest.approx(0.5), pytest.approx(1.0)]
    assert trial.status == "succeeded"
    assert trial.record["best"] == {"attempt": 2, "gap": pytest.approx(1.0)}
    assert trial.record["spec"]["agent"] == "script"
    assert {"set_up", "solving", "finishing"} == set(trial.record["phases"])
    assert trial.record["spent"]["cost"] == pytest.approx(0.5)
    assert trial.record["comparable"]
    assert len((trial.path / "trajectory.jsonl").read_bytes().splitlines()) == 2
    assert len((trial.path / "submissions.jsonl").read_bytes().splitlines()) == 2
    sources = json.loads((trial.path / "attempts" / "2" / "source.json").read_bytes())
    assert "main.py" in sources["files"]


def test_nothing_inside_tells_the_package_or_the_trial(tmp_path: Path, package: Package, ground: Ground) -> None:
    source = """
def everything():
    yield from (str(path) for path in Path("/task").rglob("*"))
    for name in ("mountinfo", "environ", "cmdline", "status", "cgroup"):
        yield Path("/proc/self", name).read_text(errors="replace")
        yield Path("/proc/1", name).read_text(errors="replace")
print(json.dumps("\\n".join(everything())))
"""
    report, trial = run(tmp_path, package, ground, source)
    assert report.status == "succeeded", (trial.path / "stderr").read_text()
    (text,) = said(trial)
    assert "/task/problem/README.md" in text
    for word in ("small-1", trial.id, "metadata", "ground_truth", "evaluation/", str(tmp_path)):
        assert word not in text


def test_the_task_is_read_only_and_no_paper_is_there(tmp_path: Path, package: Package, ground: Ground) -> None:
    source = """
try:
    Path("/task/problem/README.md").write_text("mine")
    print(json.dumps("written"))
except OSError as error:
    print(json.dumps(sorted(os.listdir("/task"))))
"""
    _, trial = run(tmp_path, package, ground, source)
    assert said(trial) == [["problem"]]


def test_in_a_reproduce_pass_the_paper_lies_beside_the_task(tmp_path: Path, package: Package, ground: Ground) -> None:
    (tmp_path / "text.md").write_text("Our method is BREW.", encoding="utf-8")
    source = "print(json.dumps(Path('/task/paper.md').read_text()))"
    _, trial = run(tmp_path, package, ground, source, paper={"paper.md": tmp_path / "text.md"})
    assert said(trial) == ["Our method is BREW."]


def test_at_the_deadline_the_box_ends_and_what_was_scored_stays(
    tmp_path: Path, package: Package, ground: Ground
) -> None:
    source = "submit([1, 0, 1, 1])\nimport time\nwhile True: time.sleep(1)"
    report, trial = run(tmp_path, package, ground, source, budget=2.0)
    assert report.status == trial.status == "timed_out"
    assert trial.record["best"]["gap"] == pytest.approx(1.0)
    assert report.phases["solving"] < 10


def test_a_program_that_fails_is_the_agents_error(tmp_path: Path, package: Package, ground: Ground) -> None:
    report, trial = run(tmp_path, package, ground, "submit([1, 0, 1, 1]); raise SystemExit(7)")
    assert (report.status, report.reason) == ("agent_error", "its program ended with 7")
    assert trial.record["exit"]["code"] == 7
    assert trial.record["best"]["gap"] == pytest.approx(1.0)


def test_an_evaluator_that_cannot_start_is_no_fault_of_the_agent(
    tmp_path: Path, package: Package, ground: Ground
) -> None:
    (package.path / "metadata.json").write_text("{}", encoding="utf-8")
    report, trial = run(tmp_path, Package(package.path), ground, "submit([1])")
    assert report.status == trial.status == "infra_error"
    assert "performance_entries" in report.reason


def test_when_the_sweep_is_stopped_a_trial_ends_as_cancelled(tmp_path: Path, package: Package, ground: Ground) -> None:
    timer = threading.Timer(1.0, ground.cancelled.set)
    timer.start()
    report, trial = run(tmp_path, package, ground, "import time\nwhile True: time.sleep(1)")
    timer.join()
    assert report.status == trial.status == "cancelled"


def test_an_agent_without_hosts_reaches_none_and_the_log_says_what_it_tried(
    tmp_path: Path, package: Package, ground: Ground
) -> None:
    source = """
import socket
way = socket.create_connection(("127.0.0.1", 8322))
way.sendall(b"CONNECT example.org:443 HTTP/1.1\\r\\n\\r\\n")
print(json.dumps(way.recv(100).decode().split("\\r\\n")[0]))
"""
    _, trial = run(tmp_path, package, ground, source)
    assert said(trial)[0].startswith("HTTP/1.1 403")
    (line,) = (trial.path / "egress.jsonl").read_bytes().splitlines()
    assert (json.loads(line)["host"], json.loads(line)["verdict"]) == ("example.org", "refused")


def test_the_streams_are_bounded_and_counted(
    tmp_path: Path, package: Package, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nature_gym.sweeping import evidence

    monkeypatch.setattr(evidence.Streams.__init__, "__kwdefaults__", {"largest": 1000})
    report, trial = run(tmp_path, package, ground, "print('x' * 5000)")
    assert report.status == "succeeded"
    assert (trial.path / "stdout").stat().st_size == 1000
    assert trial.record["streams"]["stdout"] == {"bytes": 5001, "kept": 1000}


def test_submitted_answers_are_kept_by_digest(tmp_path: Path, package: Package, ground: Ground) -> None:
    _, trial = run(tmp_path, package, ground, "submit([1, 1, 1, 1])")
    attempt = json.loads((trial.path / "attempts" / "1" / "attempt.json").read_bytes())
    (digest,) = [one["sha256"] for one in attempt["result"]["answer"].values()]
    assert json.loads(ground.store.read(f"sha256:{digest}")) == [1, 1, 1, 1]


def test_the_token_and_keys_of_the_host_are_taken_out_of_what_was_printed(
    tmp_path: Path, package: Package, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "a-key-of-this-host")
    source = "print(json.dumps(os.environ['EVAL_TOKEN'])); print(json.dumps('a-key-of-this-host'))"
    _, trial = run(tmp_path, package, ground, source)
    assert said(trial) == ["[removed]", "[removed]"]
    assert "a-key" not in (trial.path / "trajectory.jsonl").read_text()
