"""Small tasks over files that a test writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nature_gym.packaging.specification import TaskSpecification

TaskOf = Callable[..., TaskSpecification]


def document(**instance: Any) -> dict[str, Any]:
    """A whole task with one instance, whose fields are given; what is not said is the least there can be."""
    tables = instance.pop("tables", {})
    source = instance.pop("source", {"path": "data"})
    files = instance.pop("files", [{"file": "all.csv", "take": "data/all.csv", "role": "inputs"}])
    return {
        "id": "test-task",
        "name": "A test",
        "domain": {"primary": "Other", "sub": "Tests", "tags": ["a", "b", "c"]},
        "problem": {"background": "b", "objective": "o", "input": "i", "output": "o"},
        "sources": {"data": source},
        "tables": tables,
        "instances": [
            {
                "name": "main",
                "files": files,
                "reference": instance.pop("reference", {"kind": "label"}),
                "answer": [{"file": "answer.csv", "format": "csv"}],
                "metrics": [
                    {
                        "name": "RMSE",
                        "metric": "rmse",
                        "primary": True,
                        "direction": "lower_is_better",
                        "prediction": "answer.csv:x",
                        "reference": "all.csv:x",
                    }
                ],
                **instance,
            }
        ],
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of the source ``data``."""
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def task_of() -> TaskOf:
    """Makes a task of one instance's fields."""
    return lambda **instance: TaskSpecification.model_validate(document(**instance))
