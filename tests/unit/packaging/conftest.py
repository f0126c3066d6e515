"""A tiny task on disk, and evaluators loaded as a judge would load them."""

from __future__ import annotations

import copy
import importlib.util
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

TASK: dict[str, Any] = {
    "format": 1,
    "id": "tiny-0001",
    "name": "Yield of a reaction from its conditions",
    "domain": {"primary": "Chemistry", "sub": "Reaction engineering", "tags": ["regression", "yield", "tables"]},
    "problem": {
        "background": "Yields depend on conditions.",
        "objective": "Predict the yield of each run.",
        "input": "Temperature and time of each run.",
        "output": "One number a run.",
    },
    "paper": {
        "doi": "10.5555/s41467-099-12345-6",
        "title": "Zubrowka nets forecast reaction yields across many solvents",
        "authors": ["Ada Quillfeather"],
        "journal": "Nature Communications",
        "repositories": ["https://github.com/quill-lab/zubrowka"],
    },
    "method": {"name": "ZubroNet", "variants": ["ZubroNet-small"]},
    "sources": {"lab": {"path": "lab", "licence": "CC-BY-4.0"}},
    "instances": [
        {
            "name": "runs",
            "files": [
                {"file": "train.csv", "take": "lab/train.csv", "role": "development"},
                {"file": "test.csv", "take": "lab/test.csv", "steps": [{"drop": ["yield"]}], "role": "inputs"},
            ],
            "reference": {
                "kind": "label",
                "files": [
                    {
                        "file": "yields.csv", "take": "lab/test.csv", "role": "answers",
                        "steps": [{"keep": ["run", "yield"]}],
                    }
                ],
            },
            "answer": [
                {
                    "file": "predictions.csv",
                    "format": "csv",
                    "id": "run",
                    "ids_of": "yields.csv",
                    "columns": [{"name": "run", "dtype": "string"}, {"name": "yield", "least": 0, "most": 100}],
                }
            ],
            "metrics": [
                {
                    "name": "RMSE", "metric": "rmse", "primary": True, "direction": "lower_is_better",
                    "prediction": "predictions.csv:yield", "reference": "yields.csv:yield",
                    "anchor": [{"value": "3.2", "method": "ZubroNet"}],
                },
                {
                    "name": "R2", "metric": "r2", "direction": "higher_is_better",
                    "prediction": "predictions.csv:yield", "reference": "yields.csv:yield",
                },
            ],
        }
    ],
}  # fmt: skip
TRAIN = "run,temperature,time,yield\n" + "".join(f"t{n},{300 + n},{n * 7 % 13},{20.5 + n}\n" for n in range(12))
TEST = "run,temperature,time,yield\n" + "".join(f"e{n},{310 + n},{n * 5 % 11},{31.25 + n * n}\n" for n in range(8))

WriteTask = Callable[..., Path]


@pytest.fixture
def write_task(tmp_path: Path) -> WriteTask:
    """Writes the tiny task, changed by a function of its content and with other files; the path of its task.yaml."""
    count = itertools.count()

    def write(change: Callable[[dict[str, Any]], None] = lambda _: None, files: dict[str, bytes] | None = None) -> Path:
        task = copy.deepcopy(TASK)
        change(task)
        root = tmp_path / f"task{next(count)}"
        for name, content in {"lab/train.csv": TRAIN.encode(), "lab/test.csv": TEST.encode(), **(files or {})}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        path = root / "task.yaml"
        path.write_text(yaml.safe_dump(task, sort_keys=False, allow_unicode=True), encoding="utf-8")
        return path

    return write


def load_evaluator(package: Path) -> Any:
    """The evaluator of a package as a module."""
    spec = importlib.util.spec_from_file_location("evaluator_under_test", package / "evaluation" / "evaluator.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def evaluate(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, Path], dict[str, dict[str, Any]]]:
    """Runs a package's evaluator on a folder with answers."""

    def run(package: Path, output: Path) -> dict[str, dict[str, Any]]:
        monkeypatch.setenv("OUTPUT_DIR", str(output))
        result: dict[str, dict[str, Any]] = load_evaluator(package).run_evaluation()
        return result

    return run
