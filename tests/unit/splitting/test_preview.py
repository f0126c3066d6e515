"""A preview shows what would be made, writes nothing, and says what it has not looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nature_gym.digests import digest_folder
from nature_gym.splitting import preview
from nature_gym.splitting.preview import preview_task
from tests.unit.splitting.conftest import TaskOf

SPLIT: dict[str, Any] = {
    "kind": "expression",
    "of": "data/all.csv",
    "parts": {"train": "age < 30", "test": "age >= 30"},
}
FILES: list[dict[str, Any]] = [
    {"file": "train.csv", "take": "data/all.csv", "part": "main/train", "role": "development",
     "steps": [{"rows": "y > 2"}, {"keep": ["id", "y"]}]},
    {"file": "all.csv", "take": "data/all.csv", "role": "inputs"},
]  # fmt: skip


def rows(count: int) -> str:
    return "id,age,y\n" + "".join(f"p{n},{n},{n % 7}\n" for n in range(count))


def test_counts_steps_and_first_rows_are_those_of_the_operations(tmp_path: Path, data: Path, task_of: TaskOf) -> None:
    (data / "all.csv").write_text(rows(40))
    before = digest_folder(tmp_path)
    found = preview_task(task_of(splits={"main": SPLIT}, files=FILES), tmp_path, rows=2)
    assert found.splits[0].counts == {"train": 30, "test": 10, "": 0}
    first = found.files[0]
    assert [(step.operation.split(":")[0], step.rows) for step in first.steps] == [
        ("part main/train", 30), ("rows", 16), ("keep", None),
    ]  # fmt: skip
    assert first.head == ({"id": "p3", "y": "3"}, {"id": "p4", "y": "4"})
    assert (first.side, found.files[1].rows_in) == ("visible", 40)
    assert found.errors == []
    assert digest_folder(tmp_path) == before


def test_arrays_of_two_sides_in_one_file_have_the_rows_of_those_that_are_kept(
    tmp_path: Path, data: Path, task_of: TaskOf
) -> None:
    np.savez(data / "all.npz", x_train=np.ones((6, 2)), y_train=np.ones(6), x_test=np.ones((3, 2)), y_test=np.ones(3))
    files = [{"file": "train.npz", "take": "data/all.npz", "role": "inputs", "steps": [{"keep": ["x_train"]}]}]
    found = preview_task(task_of(files=files), tmp_path, rows=2)
    assert (found.errors, found.files[0].rows_in) == ([], 6)
    assert found.files[0].arrays == {"x_train": (2, 2)}


def test_of_a_large_text_the_beginning_is_looked_at_and_that_is_said(
    tmp_path: Path, data: Path, task_of: TaskOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview, "LARGE", 2000)
    monkeypatch.setattr(preview, "BEGINNING", 1000)
    (data / "all.csv").write_text(rows(1000))
    found = preview_task(task_of(splits={"main": SPLIT}, files=FILES), tmp_path)
    assert found.splits[0].sampled
    assert 40 < sum(found.splits[0].counts.values()) < 200
    assert found.errors == []


def test_what_goes_wrong_is_in_the_preview_of_its_file_and_split(tmp_path: Path, data: Path, task_of: TaskOf) -> None:
    (data / "all.csv").write_text(rows(40))
    split = {**SPLIT, "parts": {"train": "age < 30", "test": "ages >= 30"}}
    files = [{**FILES[0], "part": "main/train"}, {**FILES[1], "steps": [{"drop": ["z"]}]}]
    found = preview_task(task_of(splits={"main": split}, files=files), tmp_path)
    assert "no column" in found.splits[0].error
    assert "has no column 'z'" in found.files[1].error
    assert len(found.errors) == 3
