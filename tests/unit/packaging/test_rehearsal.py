"""A task that no answer can be scored on is not built, and the metric says why; one that can be scored is."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nature_gym.packaging.build import build
from nature_gym.packaging.faults import BuildError
from tests.unit.packaging.conftest import TRAIN, WriteTask

ROWS = 8


def _one_metric(metric: str, direction: str = "higher_is_better", **more: Any) -> Callable[[dict[str, Any]], None]:
    """The tiny task with one metric, and an answer of any values."""

    def change(task: dict[str, Any]) -> None:
        instance = task["instances"][0]
        use = instance["metrics"][0] | {"name": "score", "metric": metric, "direction": direction, **more}
        instance["metrics"] = [use]
        instance["answer"][0]["columns"][1] = {"name": "yield", "dtype": more.pop("dtype", "float")}
        use.pop("dtype", None)

    return change


def _table(values: list[Any]) -> dict[str, bytes]:
    rows = "".join(f"e{number},{310 + number},{number * 5 % 11},{value}\n" for number, value in enumerate(values))
    return {"lab/test.csv": f"run,temperature,time,yield\n{rows}".encode(), "lab/train.csv": TRAIN.encode()}


@pytest.mark.parametrize(
    ("metric", "direction", "values", "sentence"),
    [
        ("roc_auc", "higher_is_better", [0, 1, 2, 1, 0, 2, 1, 0], "must have two classes"),
        ("roc_auc", "higher_is_better", [1, 2, 2, 1, 1, 2, 1, 2], "which is positive is not told"),
        ("average_precision", "higher_is_better", [0.5, 1, 0, 1, 0, 0, 1, 1], "not whole"),
        ("r2", "higher_is_better", [7.5] * ROWS, "reference"),
        ("pearson", "higher_is_better", [7.5] * ROWS, "reference"),
        ("mape", "lower_is_better", [0, 1.5, 2, 3, 4, 5, 6, 7], "0"),
        ("log_loss", "lower_is_better", [0, 1, 2, 1, 0, 2, 1, 0], "beyond the 2 of the prediction"),
        ("log_loss", "lower_is_better", list("abababab"), "not its name"),
        ("rmse", "lower_is_better", list("abababab"), "real numbers"),
    ],
)
def test_what_no_answer_can_be_scored_against_is_refused_in_the_metrics_words(
    metric: str, direction: str, values: list[Any], sentence: str, write_task: WriteTask, tmp_path: Path
) -> None:
    with pytest.raises(BuildError, match=f"runs: score cannot be scored.*{sentence}"):
        build(write_task(_one_metric(metric, direction), _table(values)), tmp_path / "out")
    assert not (tmp_path / "out" / "tiny-0001").exists()


@pytest.mark.parametrize(
    ("metric", "direction", "values"),
    [
        ("roc_auc", "higher_is_better", [0, 1, 0, 1, 0, 1, 1, 0]),
        ("log_loss", "lower_is_better", [0, 1, 0, 1, 0, 1, 1, 0]),
        ("ndcg", "higher_is_better", [3, 0, 2, 0, 1, 0, 0, 2]),
        ("r2", "higher_is_better", ["", 1.5, 2.5, "", 3.5, 5, 6, 7]),
        ("silhouette", "higher_is_better", [0, 0, 0, 1, 1, 1, 2, 2]),
    ],
)
def test_what_can_be_scored_is_built(
    metric: str, direction: str, values: list[Any], write_task: WriteTask, tmp_path: Path
) -> None:
    build(write_task(_one_metric(metric, direction), _table(values)), tmp_path / "out")


def test_a_reference_of_two_named_classes_is_its_own_answer(write_task: WriteTask, tmp_path: Path) -> None:
    labels = _one_metric("f1_binary", dtype="string", options={"positive": "M"})
    build(write_task(labels, _table(list("MBMBMMBB"))), tmp_path / "out")


def _npy(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def _arrays(metric: str, shape: list[Any], direction: str) -> Callable[[dict[str, Any]], None]:
    def change(task: dict[str, Any]) -> None:
        instance = task["instances"][0]
        instance["reference"]["files"] = [{"file": "truth.npy", "take": "lab/truth.npy", "role": "answers"}]
        instance["answer"] = [{"file": "predictions.npy", "format": "npy", "shape": shape}]
        use = instance["metrics"][0] | {"name": "score", "metric": metric, "direction": direction}
        instance["metrics"] = [use | {"prediction": "predictions.npy", "reference": "truth.npy"}]

    return change


TURN = np.arange(30.0) / 10
LABELS = np.array([0, 2, 1, 0, 2, 1, 1, 0])


@pytest.mark.parametrize(
    ("metric", "direction", "shape", "truth", "sentence"),
    [
        ("rmse", "lower_is_better", ["n", 3], LABELS * 1.5, "shape"),
        ("rmse", "lower_is_better", ["n"], np.stack([LABELS, LABELS * 2.5], axis=1), "shape"),
        ("top_k_accuracy", "higher_is_better", ["n", 2], LABELS, "k is 5"),
        ("brier_multiclass", "lower_is_better", ["n", 2], LABELS, "beyond"),
        ("roc_auc_macro", "higher_is_better", ["n", 3], LABELS % 2, ""),
        ("roc_auc_macro", "higher_is_better", ["n", 3], LABELS, None),
        ("roc_auc_macro", "higher_is_better", ["n", "classes"], LABELS, None),
        ("tm_score", "higher_is_better", ["n", 3], np.arange(24.0).reshape(8, 3) ** 1.5, None),
        (
            "contact_precision",
            "higher_is_better",
            ["n", "n"],
            np.stack([np.cos(TURN), np.sin(TURN), TURN], axis=1),
            None,
        ),
        ("concordance_index", "higher_is_better", ["n"], np.stack([LABELS + 1, LABELS % 2], axis=1), None),
    ],
)
def test_answers_that_are_arrays_are_tried_in_the_shape_that_is_asked_for(
    metric: str, direction: str, shape: list[Any], truth: Any, sentence: str | None, write_task: WriteTask,
    tmp_path: Path,
) -> None:  # fmt: skip
    task = write_task(_arrays(metric, shape, direction), {"lab/truth.npy": _npy(truth)})
    if sentence is None:
        build(task, tmp_path / "out")
    else:
        with pytest.raises(BuildError, match=f"score cannot be scored.*{sentence}"):
            build(task, tmp_path / "out")


def test_a_reference_that_the_answers_own_limits_shut_out_is_refused(write_task: WriteTask, tmp_path: Path) -> None:
    def narrow(task: dict[str, Any]) -> None:
        task["instances"][0]["answer"][0]["columns"][1]["most"] = 50

    with pytest.raises(BuildError, match=r"RMSE cannot be scored.*above 50"):
        build(write_task(narrow), tmp_path / "out")
