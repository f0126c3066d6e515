"""What is asked for, and is kept from the inputs, is a TARGET of the data to learn from; the task may say otherwise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nature_gym.packaging.build import build
from tests.unit.packaging.conftest import WriteTask


def _noted(**note: str) -> Callable[[dict[str, Any]], None]:
    def change(task: dict[str, Any]) -> None:
        task["instances"][0]["files"][0]["fields"] = [{"name": "yield", **note}]

    return change


def _renamed_answer(task: dict[str, Any]) -> None:
    instance = task["instances"][0]
    instance["answer"][0]["columns"][1]["name"] = "guess"
    for use in instance["metrics"]:
        use["prediction"] = "predictions.csv:guess"


def _undropped_time(task: dict[str, Any]) -> None:
    task["instances"][0]["answer"][0]["columns"].append({"name": "time"})


@pytest.mark.parametrize(
    ("change", "role"),
    [
        (lambda _: None, "TARGET"),
        (_noted(meaning="In percent."), "TARGET"),
        (_noted(role="META"), "META"),
        (_noted(role="INPUT"), "INPUT"),
        (_renamed_answer, "TARGET"),
        (_undropped_time, "TARGET"),
    ],
)
def test_the_role_of_a_column(
    change: Callable[[dict[str, Any]], None], role: str, write_task: WriteTask, tmp_path: Path
) -> None:
    built = build(write_task(change), tmp_path / "out")
    text = (built.path / "problem/data_description.md").read_text()
    train = next(part for part in text.split("### ") if "train.csv" in part.partition("\n")[0])
    roles = {cells[1].strip(" `"): cells[2].strip() for cells in (line.split("|") for line in train.splitlines()) if
             len(cells) > 5}  # fmt: skip
    assert roles["yield"] == role
    assert (roles["temperature"], roles["time"], roles["run"]) == ("INPUT", "INPUT", "INPUT")
