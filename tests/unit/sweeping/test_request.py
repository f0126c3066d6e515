"""What a sweep is asked for, in words; what it will take at most; and where the paper is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nature_gym.agents.registry import agent_named
from nature_gym.errors import UsageError
from nature_gym.packaging.package import Package
from nature_gym.records import Papers
from nature_gym.sweeping.folders import TrialFolders
from nature_gym.sweeping.identity import evaluation_digest, task_digest
from nature_gym.sweeping.papers import paper_files
from nature_gym.sweeping.plan import Conditions, Plan, by_name, estimate, trials_of
from nature_gym.sweeping.request import agents_in, seconds_of
from tests.unit.sweeping.trials import stored


def make(folder: Path, gpu: str = "none") -> Package:
    for name, text in {
        "problem/README.md": "read", "evaluation/evaluator.py": "", "environment/packages.json": "[]",
        "metadata.json": json.dumps({"compute_resource_requirements": {"gpu_compute": gpu}}),
    }.items():  # fmt: skip
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return Package(folder)


@pytest.mark.parametrize(("text", "seconds"), [("4h", 14400), ("90m", 5400), ("1.5h", 5400), ("30s", 30), ("45", 45)])
def test_spans_of_time(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "h", "0", "0h", "-4h", "4d", "4h30m", "nan"])
def test_what_is_no_span_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        seconds_of(text)


def test_a_comma_within_a_command_parts_no_agents() -> None:
    assert agents_in(["constant, command:python3 -c 'print(1, 2)',constant"]) == [
        "constant", "command:python3 -c 'print(1, 2)'", "constant",
    ]  # fmt: skip


def test_what_an_agent_is_given_makes_the_trial_and_the_evaluator_does_not(tmp_path: Path) -> None:
    first = task_digest(make(tmp_path / "p"))
    scored = evaluation_digest(Package(tmp_path / "p"))
    (tmp_path / "p" / "evaluation" / "evaluator.py").write_text("mended")
    (tmp_path / "p" / "metadata.json").write_text("{}")
    assert task_digest(Package(tmp_path / "p")) == first
    assert evaluation_digest(Package(tmp_path / "p")) != scored
    (tmp_path / "p" / "problem" / "README.md").write_text("rewritten")
    assert task_digest(Package(tmp_path / "p")) != first


def test_two_packages_of_one_name_are_refused(tmp_path: Path) -> None:
    packages = [make(tmp_path / "a" / "p"), make(tmp_path / "b" / "p")]
    with pytest.raises(UsageError, match="Two packages are named 'p'"):
        trials_of(packages, ["constant"], [0], Conditions())


def test_an_estimate_adds_up_hours_gpu_hours_and_the_dearest_hour_seen(tmp_path: Path) -> None:
    packages = [make(tmp_path / "p"), make(tmp_path / "q", gpu="high")]
    trials = trials_of(packages, ["constant", "command:true"], range(3), Conditions(budget=7200.0))
    # Of a stored trial of another budget: 0.1 h of solving cost 2 dollars.
    stored(tmp_path / "home", "p", "constant", 0, [0.1])
    folders = TrialFolders(tmp_path / "home")
    told = estimate(Plan(tuple(trials)), by_name(packages), agent_named, folders, parallel=4)
    assert (told["trials"], told["hours"], told["wall_hours"], told["gpu_hours"]) == (12, 24.0, 6.0, 12.0)
    assert told["cost_ceiling"] == 0.0, "agents that reach no host cost nothing"


def test_the_paper_is_given_or_looked_up_and_else_asked_for(tmp_path: Path) -> None:
    package, papers = make(tmp_path / "p"), Papers(tmp_path / "papers")
    for name in ("mine.pdf", "mine.md"):
        (tmp_path / name).write_text("x")
    assert paper_files(package, papers, tmp_path / "mine.pdf") == {"paper.pdf": tmp_path / "mine.pdf"}
    assert paper_files(package, papers, tmp_path / "mine.md") == {"paper.md": tmp_path / "mine.md"}
    (tmp_path / "p" / "provenance.json").write_text(json.dumps({"paper": {"id": "10.5555_x"}}))
    with pytest.raises(UsageError, match="not here"):
        paper_files(Package(tmp_path / "p"), papers)
