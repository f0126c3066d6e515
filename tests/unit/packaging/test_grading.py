"""An answer is validated whole before it is scored, and one that is not as asked for never gets a number."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.packaging import grading
from nature_gym.packaging.build import build
from nature_gym.packaging.grading import ValidationError, read_answer
from tests.unit.packaging.conftest import TEST, WriteTask

ROWS = [line.split(",") for line in TEST.splitlines()[1:]]
TRUTH = {row[0]: float(row[3]) / 2 for row in ROWS}
Evaluate = Callable[[Path, Path], dict[str, dict[str, Any]]]


@pytest.fixture
def package(write_task: WriteTask, tmp_path: Path) -> Path:
    text = "run,temperature,time,yield\n" + "".join(f"{r[0]},{r[1]},{r[2]},{TRUTH[r[0]]}\n" for r in ROWS)
    return build(write_task(files={"lab/test.csv": text.encode()}), tmp_path / "packages").path


def answer(rows: Mapping[str, object], heading: str = "run,yield") -> str:
    return heading + "\n" + "".join(f"{run},{value}\n" for run, value in rows.items())


def hand_in(folder: Path, content: str | bytes) -> Path:
    path = folder / "output" / "runs" / "predictions.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder / "output"


def test_the_ground_truth_scores_perfectly_in_any_order(package: Path, tmp_path: Path, evaluate: Evaluate) -> None:
    output = hand_in(tmp_path, answer(dict(reversed(TRUTH.items()))))
    assert evaluate(package, output) == {"runs": {"RMSE": 0.0, "R2": 1.0}}


def test_a_constant_answer_is_scored(package: Path, tmp_path: Path, evaluate: Evaluate) -> None:
    values = np.array(list(TRUTH.values()))
    result = evaluate(package, hand_in(tmp_path, answer(dict.fromkeys(TRUTH, 30.0))))["runs"]
    assert result["RMSE"] == pytest.approx(float(np.sqrt(np.mean((values - 30) ** 2))))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"\x80\x04pickle", "cannot be read"),
        ("run,yield\n", "lacks 8 ids"),
        (answer(TRUTH | {"e3": "nan"}), "not finite"),
        (answer(TRUTH | {"e3": "inf"}), "not finite"),
        (answer(TRUTH | {"e3": "soon"}), "not a number"),
        (answer(TRUTH | {"e3": ""}), "not a number"),
        (answer({run: value for run, value in TRUTH.items() if run != "e3"}), "lacks 1 ids"),
        (answer(TRUTH | {"e99": 1.0}), "nobody asked for"),
        (answer(TRUTH) + "e3,1.0\n", "more than once"),
        (answer({run.upper(): value for run, value in TRUTH.items()}), "lacks 8 ids"),
        (answer(TRUTH | {"e3": -0.5}), "below 0"),
        (answer(TRUTH | {"e3": 100.5}), "above 100"),
        (answer(TRUTH, "run,yeild"), "no column 'yield'"),
        (answer(TRUTH).replace("\n", ",1\n", 2), "more than one|cells|no column"),
        ("run,yield,yield\n" + "".join(f"{run},1,2\n" for run in TRUTH), "more than one column"),
    ],
)
def test_a_malformed_answer_gets_no_number(
    content: str | bytes, reason: str, package: Path, tmp_path: Path, evaluate: Evaluate
) -> None:
    result = evaluate(package, hand_in(tmp_path, content))["runs"]
    assert (result["RMSE"], result["R2"]) == (None, None)
    assert re.search(reason, result["error"]), result["error"]


def test_an_answer_that_is_missing_gets_no_number(package: Path, tmp_path: Path, evaluate: Evaluate) -> None:
    assert evaluate(package, tmp_path)["runs"]["error"] == "predictions.csv is missing"


@pytest.mark.parametrize("kind", ["file", "folder", "fifo"])
def test_a_link_to_the_answers_is_refused(kind: str, package: Path, tmp_path: Path, evaluate: Evaluate) -> None:
    folder = tmp_path / "output" / "runs"
    if kind == "folder":
        folder.parent.mkdir()
        real = tmp_path / "real"
        shutil.copytree(package / "evaluation/ground_truth/runs", real)
        (real / "yields.csv").rename(real / "predictions.csv")
        folder.symlink_to(real)
    elif kind == "file":
        folder.mkdir(parents=True)
        (folder / "predictions.csv").symlink_to(package / "evaluation/ground_truth/runs/yields.csv")
    else:
        folder.mkdir(parents=True)
        os.mkfifo(folder / "predictions.csv")
    result = evaluate(package, tmp_path / "output")["runs"]
    assert result["RMSE"] is None
    assert "link" in result["error"] or "not a file" in result["error"]


def test_the_evaluator_stands_alone_and_writes_json(package: Path, tmp_path: Path) -> None:
    import subprocess
    import sys

    output = hand_in(tmp_path, answer(TRUTH))
    command = [sys.executable, "-I", str(package / "evaluation/evaluator.py")]
    subprocess.run(command, check=True, cwd=tmp_path, env={"OUTPUT_DIR": str(output), "PATH": ""})
    assert json.loads((tmp_path / "score.json").read_text()) == {"runs": {"RMSE": 0.0, "R2": 1.0}}
    assert "nature_gym" not in (package / "evaluation/evaluator.py").read_text()


FORM: dict[str, Any] = {
    "format": "npy", "dtype": "float64", "shape": ["n", 2], "columns": [], "keys": [], "id": None, "ids_of": None,
    "rows": 3, "least": None, "most": None, "finite": True,
}  # fmt: skip


def _save(folder: Path, array: Any) -> None:
    buffer = io.BytesIO()
    np.save(buffer, array)
    (folder / "a.npy").write_bytes(buffer.getvalue())


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.zeros((4, 2)), "4 rows"),
        (np.zeros((3, 3)), "shape"),
        (np.zeros(3), "shape"),
        (np.zeros((3, 2), dtype=complex), "complex"),
        (np.array([["a", "b"]] * 3), "float64 is asked for"),
        (np.full((3, 2), np.nan), "not finite"),
        (np.array([{}] * 3, dtype=object), "cannot be read"),
    ],
)
def test_an_array_of_another_kind_is_refused(array: Any, reason: str, tmp_path: Path) -> None:
    _save(tmp_path, array)
    with pytest.raises(ValidationError, match=reason):
        read_answer(tmp_path, "a.npy", FORM, tmp_path)


@given(st.lists(st.floats(width=32), min_size=1, max_size=40), st.integers(1, 7))
def test_blocks_find_what_a_whole_look_finds(numbers: list[float], block: int) -> None:
    array = np.array(numbers)
    whole = bool(np.isfinite(array).all() and (array >= -5).all())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grading, "FINITE_BLOCK", block)
        try:
            grading.check_numbers(array, {"finite": True, "least": -5, "most": None}, "it")
            blocks = True
        except ValidationError:
            blocks = False
    assert blocks == whole


@given(st.permutations(range(6)))
def test_ids_bring_rows_into_the_references_order(order: list[int]) -> None:
    values = {"ids": [f"i{n}" for n in order], "v": list(order)}
    assert grading.in_order(values, [f"i{n}" for n in range(6)], "f")["v"] == list(range(6))


def test_samples_whose_label_is_missing_are_left_out() -> None:
    reference, prediction = grading.without_missing(np.array([1.0, np.nan, 3.0]), [1.0, 2.0, 4.0])
    assert reference.tolist() == [1.0, 3.0]
    assert prediction.tolist() == [1.0, 4.0]
    texts, others = grading.without_missing(np.array(["a", "", "b"]), np.array(["a", "b", "b"]))
    assert (texts.tolist(), others.tolist()) == (["a", "b"], ["a", "b"])


@pytest.mark.parametrize(
    ("text", "reason"),
    [("[1, NaN]", "NaN"), ('{"other": 1}', "no key"), ("[" * 100_000, "Recursion"), ("{", "JSON")],
)
def test_json_that_is_none_is_refused(text: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text)
    form = FORM | {"format": "json", "keys": ["v"], "shape": [], "rows": None}
    with pytest.raises(ValidationError, match=reason):
        read_answer(tmp_path, "a.json", form, tmp_path)


def test_records_of_json_are_matched_by_id(tmp_path: Path) -> None:
    (tmp_path / "truth.json").write_text(json.dumps([{"id": 1, "v": 5}, {"id": 2, "v": 6}]))
    (tmp_path / "a.json").write_text(json.dumps({"2": {"v": 1.5}, "1": {"v": 2.5}}))
    form = FORM | {"format": "json", "keys": ["v"], "id": "id", "ids_of": "truth.json", "shape": [], "rows": None}
    assert read_answer(tmp_path, "a.json", form, tmp_path)["v"].tolist() == [2.5, 1.5]


def test_an_archive_that_unpacks_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    np.savez_compressed(tmp_path / "a.npz", v=np.zeros((3, 2)), w=np.zeros(100_000))
    form = FORM | {"format": "npz", "keys": ["v"]}
    assert read_answer(tmp_path, "a.npz", form, tmp_path)["v"].shape == (3, 2)
    monkeypatch.setattr(grading, "LARGEST_ANSWER", 1000)
    with pytest.raises(ValidationError, match="GiB"):
        read_answer(tmp_path, "a.npz", form, tmp_path)
