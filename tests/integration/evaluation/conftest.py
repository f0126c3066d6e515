"""Real desks: a small package, the database, and the evaluator in its sandbox."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from db.engine import open_database
from db.trials import Trials
from nature_gym.evaluation.desk import Desk
from nature_gym.evaluation.evaluator import Evaluator
from nature_gym.evaluation.trial import Task, Trial
from nature_gym.metrics.entry import HIGHER
from nature_gym.sandbox.choosing import back_end
from nature_gym.sandbox.interface import Sandbox
from nature_gym.scoring.gap import Anchor

EVALUATOR = """
import json
import os
from pathlib import Path

INSTANCES = ["a", "b"]
TRUTH = Path(__file__).parent / "ground_truth"


def run_evaluation():
    result = {}
    for name in INSTANCES:
        path = Path(os.environ["OUTPUT_DIR"]) / name / "answer.json"
        try:
            with open(path) as file:
                answer = json.load(file)
        except (OSError, ValueError):
            result[name] = {"Score": None, "error": f"{path} is missing, or no JSON"}
            continue
        with open(TRUTH / name / "truth.json") as file:
            truth = json.load(file)
        result[name] = {"Score": sum(one == other for one, other in zip(answer, truth)) / len(truth)}
    return result
"""
TRUTH = [1, 0, 1, 1]


class Workspace:
    """An agent's workspace."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "output").mkdir(parents=True)

    def answer(self, **answers: list[int]) -> None:
        """Write answers, by instance."""
        for name, values in answers.items():
            folder = self.folder / "output" / name
            folder.mkdir(exist_ok=True)
            draft = folder / ".answer.json"
            draft.write_text(str(values), encoding="utf-8")
            draft.rename(folder / "answer.json")


def write_evaluation(folder: Path, source: str = EVALUATOR) -> Path:
    for name in ("a", "b"):
        truth = folder / "evaluation" / "ground_truth" / name
        truth.mkdir(parents=True)
        (truth / "truth.json").write_text(str(TRUTH), encoding="utf-8")
    (folder / "evaluation" / "evaluator.py").write_text(source, encoding="utf-8")
    return folder / "evaluation"


def make_task(folder: Path, source: str = EVALUATOR) -> Task:
    anchor = Anchor("Score", HIGHER, 0.5)
    return Task("Small", write_evaluation(folder, source), {"a": anchor, "b": anchor})


@pytest.fixture(scope="session")
def sandbox() -> Sandbox:
    """The sandbox that runs evaluators here."""
    found = back_end("bubblewrap")
    if reason := found.missing():
        pytest.skip(f"no sandbox to run an evaluator in: {reason}")
    return found


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def either_state(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Trials]:
    """The state on each kind of database."""
    postgres = request.param == "postgresql"
    engine = open_database(
        str(request.getfixturevalue("postgres_url")) if postgres else f"sqlite:///{tmp_path / 'state.db'}"
    )
    yield Trials(engine)
    engine.dispose()


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Trials]:
    """The state on SQLite."""
    engine = open_database(f"sqlite:///{tmp_path / 'state.db'}")
    yield Trials(engine)
    engine.dispose()


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


OpenDesk = Callable[..., Desk]


@pytest.fixture
def open_desk(
    tmp_path: Path, workspace: Workspace, state: Trials, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OpenDesk]:
    """Opens desks: ``open_desk(source of the evaluator, as_processes=..., fields of the trial...)``."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    with contextlib.ExitStack() as stack:

        def opened(source: str = EVALUATOR, *, as_processes: bool = False, **fields: object) -> Desk:
            folder = tmp_path / "trial"
            evaluation = tmp_path / "package"
            task = (
                make_task(evaluation, source)
                if not evaluation.exists()
                else Task("Small", evaluation / "evaluation", dict.fromkeys(("a", "b"), Anchor("Score", HIGHER, 0.5)))
            )
            given = {"scoring_seconds": 20.0, "submissions_per_minute": 1000, **fields}
            trial = Trial("t", task, folder, workspace.folder, **given)  # type: ignore[arg-type]
            desk = stack.enter_context(
                Desk(
                    trial,
                    state,
                    lambda one: Evaluator(
                        one.task.evaluation, one.folder / "scoring", sandbox,
                        memory=one.scoring_memory, as_processes=as_processes,
                    ),
                )
            )  # fmt: skip
            desk.open()
            return desk

        yield opened
