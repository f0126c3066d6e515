"""Trials recorded as they happen: a program runs on a real package, and what it leaves is kept as the desk keeps it."""

from __future__ import annotations

import csv
import json
import os
import random
import runpy
import shutil
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd  # noqa: F401 -- loaded once for all programs
import pytest
import scipy.optimize  # noqa: F401
import sklearn.ensemble  # noqa: F401

from nature_gym.agents.events import Event, write_events
from nature_gym.evaluation.events import SOURCE, TrialRecord
from nature_gym.evaluation.intake import answer_digests, take_in
from nature_gym.evaluation.sources import FOLDER, SourceKeeper
from nature_gym.evaluation.state import Attempt
from nature_gym.files import write_json
from nature_gym.judging import forensic
from nature_gym.judging.case import Case, open_case
from nature_gym.judging.verdict import Verdict
from nature_gym.packaging.package import Package
from nature_gym.store import Store
from nature_gym.sweeping.answers import keep

EXAMPLES = Path(__file__).parents[3] / "task_packages" / "examples"
COHORT, FILMS, SAMPLES = (EXAMPLES / name for name in ("demo-d8158413", "demo-48a07731", "demo-7f972ad0"))
README = """# {title}

## 5. Output Format

| File | Format |
|---|---|
| `{file}` | {form} |

## 6. Submission Guidelines

```python
INSTANCES = ["{instance}"]
```
"""


@dataclass
class Recorder:
    """Records one trial: :meth:`attempt` for each answer, :meth:`case` at the end."""

    package: Path
    root: Path

    def __post_init__(self) -> None:
        self.folder, self.workspace = self.root / "trial", self.root / "workspace"
        self.workspace.mkdir(parents=True)
        self.store = Store(self.root / "store")
        self.keeper = SourceKeeper(self.workspace, self.folder / FOLDER, "output")
        self.count = 0
        write_json(self.folder / "trial.json", {"hosts": [], "spec": {"agent": "script", "policy": {"pass_": "sweep"}}})

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            (self.workspace / name).write_text(text, encoding="utf-8")

    def run(self, *programs: str) -> None:
        """Run programs of the workspace, each in a process of its own that need not load the libraries again."""
        for program in programs:
            assert run_forked(self._run_here, program) == 0, (self.root / "failed").read_text()[-2000:]

    def _run_here(self, program: str) -> None:
        os.environ.update(
            DATA_DIR=str(self.package / "problem" / "data"), OUTPUT_DIR=str(self.workspace / "output"),
            OMP_NUM_THREADS="1",
        )  # fmt: skip
        os.chdir(self.workspace)
        sys.path.insert(0, str(self.workspace))
        sys.argv, sys.dont_write_bytecode = [program], True
        warnings.simplefilter("ignore")
        try:
            runpy.run_path(program, run_name="__main__")
        except BaseException:
            (self.root / "failed").write_text(traceback.format_exc())
            raise

    def attempt(self, gap: float = 0.1) -> None:
        self.count += 1
        number = self.count
        answer: Mapping[str, Any] = {}
        if (self.workspace / "output").is_dir():
            taken = take_in(self.workspace, "output", self.root / f"taken{number}")
            answer = answer_digests(self.root / f"taken{number}", taken)
            keep(self.root / f"taken{number}", self.store, 1 << 28)
            shutil.rmtree(self.root / f"taken{number}")
        record = TrialRecord(self.folder)
        record.attempt(number).mkdir(parents=True)
        write_json(record.attempt(number) / SOURCE, self.keeper.snapshot().as_json())
        record.write(Attempt(number, 10.0 * number, "scored", 10.0 * number + 1, 1.0, gap, {"answer": answer}))

    def trajectory(self, *events: Event) -> None:
        write_events(self.folder / "trajectory.jsonl", events)

    def egress(self, *requests: Mapping[str, Any]) -> None:
        (self.folder / "egress.jsonl").write_text("".join(json.dumps(one) + "\n" for one in requests))

    def case(self) -> Case:
        found = open_case(self.folder, Package(self.package), self.store)
        assert found is not None
        return found

    def verdict(self) -> Verdict:
        return forensic.judge(self.case())


def run_forked(work: Callable[[str], None], program: str) -> int:
    """Do something in a child of this process; its exit code."""
    child = os.fork()
    if child == 0:
        try:
            work(program)
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


Record = Callable[[Path], Recorder]


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Record:
    """Opens recorders: ``record(package)``."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    return lambda package: Recorder(package, tmp_path / "recorded")


def truth() -> dict[str, float]:
    """The reference of the cohort, by patient."""
    with (COHORT / "evaluation" / "ground_truth" / "cohort" / "progression.csv").open() as file:
        return {row["patient_id"]: float(row["progression"]) for row in csv.DictReader(file)}


def make_clusters(folder: Path) -> Path:
    """A package with nothing to learn from: cells to be grouped."""
    rng = random.Random(5)
    rows = [(f"c{n:03}", n % 3, [rng.gauss(4 * (n % 3), 1) for _ in range(4)]) for n in range(90)]
    readme = README.format(title="Cells", file="clusters.csv", form="csv: `cell`, `cluster`", instance="tissue")
    truth = "".join(f"{name},{k}\n" for name, k, _ in rows)
    _write(folder, readme, {
        "problem/data/tissue/cells.csv": "cell,a,b,c,d\n" + "".join(
            f"{name},{','.join(f'{value:.3f}' for value in values)}\n" for name, _, values in rows),
        "evaluation/ground_truth/tissue/clusters.csv": "cell,cluster\n" + truth,
    })  # fmt: skip
    return folder


def make_decay(folder: Path) -> Path:
    """A package in the published format: a course to be continued."""
    times = [0.1 * n for n in range(60)]
    values = [3.2 * 2.718281828 ** (-0.7 * t) for t in times]
    noise = random.Random(1)
    _write(folder, README.format(title="A reactor", file="course.npy", form="npy", instance="reactor"), {
        "problem/data/reactor/train.csv": "t,c\n" + "".join(
            f"{t:.2f},{v + noise.gauss(0, 0.01):.4f}\n" for t, v in zip(times[:40], values[:40], strict=True)),
        "problem/data/reactor/test.csv": "t\n" + "".join(f"{t:.2f}\n" for t in times[40:]),
        "evaluation/ground_truth/reactor/course.json": json.dumps(values[40:]),
    })  # fmt: skip
    return folder


def _write(folder: Path, readme: str, files: Mapping[str, str]) -> None:
    for name, text in {"problem/README.md": readme, "evaluation/evaluator.py": "", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
