"""What the build could not use, or nobody could read back, is refused at its line while the task is edited."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nature_gym.metrics.registry import metrics
from nature_gym.packaging.task_file import TaskFileError, read_task
from tests.unit.packaging.conftest import WriteTask


def _set(value: Any, *place: str | int) -> Callable[[dict[str, Any]], None]:
    def change(task: dict[str, Any]) -> None:
        inner: Any = task
        for step in place[:-1]:
            inner = inner[step]
        inner[place[-1]] = value

    return change


METRIC = ("instances", 0, "metrics", 0)
ANSWER = ("instances", 0, "answer", 0)


@pytest.mark.parametrize(
    ("value", "place", "reason"),
    [
        ("Yield\0of it", ("name",), "U\\+0000"),
        ("colour \x1b[31m", ("problem", "background"), "U\\+001B"),
        ("half a \ud800 pair", ("problem", "background"), "half of a character"),
        ("    ", ("name",), "blank"),
        (" ", (*METRIC, "name"), "blank"),
        ("R`2`", (*METRIC, "name"), "has no '`'"),
        ("R\n2", (*METRIC, "name"), "has no"),
        ("R|2", (*METRIC, "name"), "has no '|'"),
        ("R*", (*METRIC, "name"), "has no"),
        ("R2", (*METRIC, "name"), "two metrics"),
        ('my "best".csv', (*ANSWER, "file"), "letters, digits"),
        ("a|b.csv", (*ANSWER, "file"), "letters, digits"),
        ("a`b.csv", (*ANSWER, "file"), "letters, digits"),
        ([{"value": "about three", "method": "Z"}], (*METRIC, "anchor"), "cannot be read as a score"),
        ({"value": "-", "method": "Z"}, (*METRIC, "baseline"), "cannot be read as a score"),
        ("rmsee", (*METRIC, "metric"), "rmse"),
        ("predictions.csv:yield,run", (*METRIC, "prediction"), "one value a sample"),
        ("yields.csv:yield,run", (*METRIC, "reference"), "one value a sample"),
    ],
)
def test_it_is_refused_with_its_place(value: Any, place: tuple[str | int, ...], reason: str,
                                      write_task: WriteTask) -> None:  # fmt: skip
    def change(task: dict[str, Any]) -> None:
        if reason == "one value a sample":
            task["instances"][0]["metrics"][0] |= {"metric": "r2", "direction": "higher_is_better"}
        _set(value, *place)(task)

    path = write_task(change)
    with pytest.raises(TaskFileError, match=reason) as caught:
        read_task(path)
    if reason == "two metrics":
        place = ("instances", 0, "metrics", 1, "name")
    (complaint,) = caught.value.complaints
    assert complaint.where.startswith(".".join(map(str, place)))
    line = path.read_text(encoding="utf-8").splitlines()[complaint.line - 1]
    assert line.lstrip(" -").startswith("value" if "read as a score" in reason else f"{place[-1]}:")


def test_a_draft_with_open_questions_may_still_hold_such_things(write_task: WriteTask) -> None:
    def change(task: dict[str, Any]) -> None:
        task["questions"] = ["Which score is it?"]
        task["instances"][0]["metrics"][0]["anchor"][0]["value"] = "see the figure"

    assert read_task(write_task(change)).questions


def test_what_names_the_data_may_be_called_anything(write_task: WriteTask) -> None:
    path = write_task(_set([{"drop": ["a\x01b"]}], "instances", 0, "files", 1, "steps"))
    assert read_task(path).id == "tiny-0001"


def test_metrics_of_one_value_a_sample_refuse_columns() -> None:
    told = [metric for metric in metrics().values() if metric.one_a_sample == (True, True)]
    assert {metric.name for metric in told} >= {"accuracy", "roc_auc", "r2", "spearman", "wasserstein"}
    assert not {"rmse", "ndcg", "masked_rmse", "log_loss"} & {metric.name for metric in told}
    for metric in told:
        reference, prediction = np.asarray(metric.example.reference), np.asarray(metric.example.prediction)
        if reference.dtype.kind in "biuf":
            with pytest.raises(ValueError, match="reference"):
                metric.function(np.stack([reference] * 2, 1), np.stack([prediction] * 2, 1))
