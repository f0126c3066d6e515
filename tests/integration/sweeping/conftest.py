"""Small packages, agents of a few lines, and the ground that trials stand on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from db.engine import open_database
from db.trials import Trials
from nature_gym.agents.events import Event
from nature_gym.agents.interface import Launch, View
from nature_gym.packaging.package import Package
from nature_gym.sandbox.choosing import back_end
from nature_gym.store import Store
from nature_gym.sweeping.spec import Policy, TrialSpec
from nature_gym.sweeping.trial_run import Ground
from nature_gym.sweeping.watching import Watch

EVALUATOR = """
import json
import os
from pathlib import Path

INSTANCES = ["a"]
TRUTH = Path(__file__).parent / "ground_truth"


def run_evaluation():
    with open(Path(os.environ["OUTPUT_DIR"]) / "a" / "answer.json") as file:
        answer = json.load(file)
    with open(TRUTH / "a" / "truth.json") as file:
        truth = json.load(file)
    return {"a": {"Score": sum(one == other for one, other in zip(answer, truth)) / len(truth)}}
"""
METADATA = {
    "task_name": "Small",
    "domain_metadata": {"primary_domain": "Testing"},
    "compute_resource_requirements": {"gpu_compute": "none"},
    "performance_entries": [
        {
            "dataset_name": "a",
            "metrics": [
                {
                    "name": "Score",
                    "is_primary": True,
                    "metric_direction": "higher_is_better",
                    "sota_score": [{"value": "0.5", "method": "x"}],
                }
            ],
        }
    ],
}
SUBMIT = """
import json, os, urllib.error, urllib.request
from pathlib import Path

def submit(answer):
    folder = Path(os.environ["OUTPUT_DIR"], "a")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "answer.json").write_text(json.dumps(answer))
    body = json.dumps({"eval_token": os.environ["EVAL_TOKEN"]}).encode()
    request = urllib.request.Request(os.environ["EVAL_SERVICE_URL"] + "/evaluate", body)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)
"""


def make_package(folder: Path, *, readme: str = "# Task\n") -> Package:
    """A package whose anchor is 0.5 and whose truth is 1, 0, 1, 1."""
    for path, text in {
        "problem/README.md": readme,
        "problem/data/a/x.json": "[1, 2, 3, 4]",
        "evaluation/evaluator.py": EVALUATOR,
        "evaluation/ground_truth/a/truth.json": "[1, 0, 1, 1]",
        "metadata.json": json.dumps(METADATA),
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return Package(folder)


@dataclass
class Script:
    """An agent that is a few lines of Python, with ``submit(answer)`` at hand."""

    source: str = ""
    name: str = "script"
    hosts: tuple[str, ...] = ()
    views: list[View] = field(default_factory=list)

    def missing(self) -> str:
        return ""

    def version(self) -> str:
        return "1"

    def launch(self, view: View) -> Launch:
        self.views.append(view)
        source = f"SEED = {view.seed}\n{SUBMIT}\n{self.source}"
        return Launch(["python3", "main.py"], {}, self.hosts, {"main.py": source.encode()})

    def events(self, stdout: Path, stderr: Path) -> Iterator[Event]:
        for line in stdout.read_text(errors="replace").splitlines():
            yield Event("text", line, cost=0.25)


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    sandbox = back_end("bubblewrap")
    if reason := sandbox.missing():
        pytest.skip(f"no sandbox to run an agent in: {reason}")
    engine = open_database(f"sqlite:///{tmp_path / 'home' / 'naturegym.db'}")
    yield Ground(sandbox, Trials(engine), Store(tmp_path / "home" / "store"), Watch())
    engine.dispose()


@pytest.fixture
def package(tmp_path: Path) -> Package:
    return make_package(tmp_path / "packages" / "small-1")


def make_spec(**changes: object) -> TrialSpec:
    given = {"package": "small-1", "task_digest": "sha256:0", "agent": "script", "seed": 0, "budget": 60.0}
    return TrialSpec(**{**given, "policy": Policy(scoring_seconds=30.0), **changes})  # type: ignore[arg-type]
