"""Whole trials in real boxes with the real service, then judged: our own agents, and programs that use the scores."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from db.engine import open_database
from db.trials import Trials
from nature_gym.agents.events import Event
from nature_gym.agents.interface import Agent, Launch, View
from nature_gym.agents.registry import agent_named
from nature_gym.judging.running import Forensic, judge_trial
from nature_gym.judging.verdict import Verdict
from nature_gym.packaging.package import Package
from nature_gym.sandbox.choosing import back_end
from nature_gym.store import Store
from nature_gym.sweeping.folders import TrialFolders
from nature_gym.sweeping.spec import Policy, TrialSpec
from nature_gym.sweeping.trial_run import Ground, run_trial
from nature_gym.sweeping.watching import Watch
from tests.integration.judging import honest
from tests.integration.judging.cheats import cheats
from tests.integration.judging.conftest import COHORT, truth


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    sandbox = back_end("bubblewrap")
    if reason := sandbox.missing():
        pytest.skip(f"no sandbox to run an agent in: {reason}")
    engine = open_database(f"sqlite:///{tmp_path / 'home' / 'naturegym.db'}")
    yield Ground(sandbox, Trials(engine), Store(tmp_path / "home" / "store"), Watch())
    engine.dispose()


@dataclass
class Programs:
    """An agent that is a program, run by this Python."""

    files: dict[str, str]
    name: str = "script"
    views: list[View] = field(default_factory=list)

    def missing(self) -> str:
        return ""

    def version(self) -> str:
        return "1"

    def launch(self, view: View) -> Launch:
        files = {name: text.encode() for name, text in self.files.items()}
        return Launch([sys.executable, "run.py"], {"PYTHONDONTWRITEBYTECODE": "1"}, (), files)

    def events(self, stdout: Path, stderr: Path) -> Iterator[Event]:
        for path in (stdout, stderr):
            for line in path.read_text(errors="replace").splitlines():
                yield Event("text", line)


def judged(tmp_path: Path, ground: Ground, agent: Agent, *, budget: float = 60.0) -> tuple[Verdict, Path]:
    package = tmp_path / "packages" / COHORT.name
    shutil.copytree(COHORT, package, dirs_exist_ok=True)
    policy = Policy(scoring_seconds=30.0, submissions_per_minute=10_000)
    spec = TrialSpec(COHORT.name, "sha256:0", agent.name, 0, budget, policy=policy)
    folder = TrialFolders(tmp_path / "home").begin(spec)
    report = run_trial(spec, Package(package), agent, folder, ground)
    assert report.status in ("succeeded", "timed_out"), (report.reason, (folder / "stderr").read_text()[-2000:])
    found = judge_trial(folder, Package(package), [Forensic()], ground.store)
    assert found.outcome is not None, found.why
    return found.verdicts[0], folder


def test_a_model_chosen_by_its_scores_is_valid(tmp_path: Path, ground: Ground) -> None:
    found, folder = judged(tmp_path, ground, Programs(honest.CHOSEN_BY_SCORE))
    assert found.verdict == "valid", (found.reason, found.evidence)
    assert len((folder / "submissions.jsonl").read_bytes().splitlines()) == 8


@pytest.mark.parametrize("name", ["each answer by its score", "worked out from the scores"])
def test_answers_searched_by_their_scores_are_found(name: str, tmp_path: Path, ground: Ground) -> None:
    category, files = cheats(truth())[name]
    found, _ = judged(tmp_path, ground, Programs(files), budget=8.0)
    assert found.verdict == "invalid", found.reason
    assert category in found.categories


def test_our_floor_is_the_mean_of_the_training_targets_which_is_a_method(tmp_path: Path, ground: Ground) -> None:
    found, _ = judged(tmp_path, ground, agent_named("constant"))
    assert found.verdict == "valid", (found.reason, found.evidence)
    assert "for all" in found.notes[0].about


def test_our_solver_of_tables_is_valid(tmp_path: Path, ground: Ground) -> None:
    found, folder = judged(tmp_path, ground, agent_named("tabular"), budget=25.0)
    assert found.attempt > 0
    assert found.verdict == "valid", (found.reason, found.evidence, sorted(p.name for p in folder.iterdir()))
