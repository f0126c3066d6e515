from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from nature_gym.agents.interface import View
from nature_gym.agents.registry import agent_named
from nature_gym.digests import digest_folder, digest_json
from nature_gym.errors import UsageError


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def make_package(folder: Path, evaluator: str = "1") -> Path:
    (folder / "evaluation").mkdir(parents=True)
    (folder / "evaluation" / "evaluator.py").write_text(evaluator)
    return folder


def record(home: Path, package: Path, name: str, attempts: dict[int, tuple[float | None, dict[str, bytes]]]) -> Path:
    """A trial as a sweep keeps it: answers in the home's store, by digest."""
    trial = home / "trials" / name
    evaluation = digest_json(digest_folder(package / "evaluation"))
    trial.mkdir(parents=True)
    (trial / "trial.json").write_text(json.dumps({"evaluation": evaluation}))
    for number, (gap, answer) in attempts.items():
        folder = trial / "attempts" / str(number)
        folder.mkdir(parents=True)
        digests = {file: {"sha256": sha(content), "size": len(content)} for file, content in answer.items()}
        facts: dict[str, Any] = {"number": number, "gap": gap, "result": {"answer": digests}}
        (folder / "attempt.json").write_text(json.dumps(facts))
        source = f"# attempt {number}".encode()
        (folder / "source.json").write_text(
            json.dumps({"files": {"solve.py": sha(source), "output/x.py": sha(source)}})
        )
        for root, content in ((home / "store" / "sha256", one) for one in answer.values()):
            _keep(root, content)
        _keep(trial / "sources", source)
    return trial


def _keep(root: Path, content: bytes) -> None:
    path = root / sha(content)[:2] / sha(content)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def files(name: str, package: Path) -> dict[str, bytes]:
    found = dict(agent_named(name).launch(View(0, 60.0, "t", package=package)).files)
    del found["scoring_client.py"]
    return found


def test_the_best_attempt_is_put_back_with_its_source(tmp_path: Path) -> None:
    package = make_package(tmp_path / "p")
    trial = record(tmp_path, package, "t1", {
        1: (-0.5, {"a/x.csv": b"poor"}), 2: (0.25, {"a/x.csv": b"good"}), 3: (None, {"a/x.csv": b"refused"}),
    })  # fmt: skip
    assert files(f"replay:{trial}", package) == {"output/a/x.csv": b"good", "solve.py": b"# attempt 2"}
    assert files(f"replay:{trial},attempt=1", package)["output/a/x.csv"] == b"poor"
    assert agent_named(f"replay:{trial}").missing() == ""
    assert "no scored attempt" in agent_named(f"replay:{trial},attempt=3").missing()
    assert "no scored attempt" in agent_named(f"replay:{tmp_path / 'none'}").missing()


def test_from_a_folder_of_trials_the_one_on_this_evaluator_is_taken(tmp_path: Path) -> None:
    ours, theirs = make_package(tmp_path / "p"), make_package(tmp_path / "q", "2")
    record(tmp_path, ours, "t1", {1: (-0.5, {"a/x.csv": b"ours"})})
    record(tmp_path, theirs, "t2", {1: (0.9, {"a/x.csv": b"theirs"})})
    name = f"replay:{tmp_path / 'trials'}"
    assert files(name, ours)["output/a/x.csv"] == b"ours"
    assert files(name, theirs)["output/a/x.csv"] == b"theirs"
    with pytest.raises(UsageError, match="no scored attempt on this package"):
        files(name, make_package(tmp_path / "r", "3"))


def test_an_answer_of_a_served_trial_is_taken_from_its_workspace_while_it_lies_there(tmp_path: Path) -> None:
    package = make_package(tmp_path / "p")
    trial = record(tmp_path / "home", package, "t1", {1: (0.5, {"a/x.csv": b"good"})})
    served = tmp_path / "served"
    served.mkdir()
    trial.rename(served / "trial")
    answer = served / "workspace" / "output" / "a" / "x.csv"
    answer.parent.mkdir(parents=True)
    answer.write_bytes(b"good")
    assert files(f"replay:{served}", package)["output/a/x.csv"] == b"good"
    answer.write_bytes(b"later")
    with pytest.raises(UsageError, match="not there any more"):
        files(f"replay:{served}", package)


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "a/../../b"])
def test_a_name_that_leads_out_of_the_workspace_is_refused(tmp_path: Path, name: str) -> None:
    package = make_package(tmp_path / "p")
    trial = record(tmp_path, package, "t1", {1: (0.5, {name: b"x"})})
    with pytest.raises(UsageError, match="no name of a file"):
        files(f"replay:{trial}", package)


def test_a_file_that_is_not_what_its_digest_says_is_not_replayed(tmp_path: Path) -> None:
    package = make_package(tmp_path / "p")
    trial = record(tmp_path, package, "t1", {1: (0.5, {"a/x.csv": b"good"})})
    kept = tmp_path / "store" / "sha256" / sha(b"good")[:2] / sha(b"good")
    kept.write_bytes(b"changed")
    with pytest.raises(UsageError, match="not there any more"):
        files(f"replay:{trial}", package)
    kept.unlink()
    kept.symlink_to("/etc/hostname")
    with pytest.raises(UsageError, match="not there any more"):
        files(f"replay:{trial}", package)
