from __future__ import annotations

from pathlib import Path

import pytest

from nature_gym.cut.folder import cut_folder
from tests.unit.cut.trees import grow


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("data/test.csv", "id,label\n1,0\n"),
        ("data/test_labels.npy", "x"),
        ("data/all.csv", "id,x,diagnosis\n1,2,0\n"),
        ("data/Y", "1 2 3\n"),
        ("data/measurements.npz", "x"),
        ("data/folds/fold_1.csv", "id,x,label\n1,2,0\n"),
        ("data/folds/fold_1.npz", "x"),
    ],
)
def test_a_kept_file_that_may_hold_answers_is_warned_of(tmp_path: Path, path: str, content: str) -> None:
    cut = cut_folder(grow(tmp_path, {path: content}))
    assert cut.files[0].kept
    assert any("evaluation answers" in each and path in each for each in cut.warnings)


@pytest.mark.parametrize(
    "path", ["data/train.csv", "data/splits/test_idx.txt", "data/vocab.txt", "results/test.csv", "README.md"]
)
def test_what_holds_none_or_is_dropped_is_not_warned_of(tmp_path: Path, path: str) -> None:
    assert cut_folder(grow(tmp_path, {path: "a,b\n1,2\n"})).warnings == []


def test_what_the_evaluation_reads_is_warned_of(tmp_path: Path) -> None:
    files = {"evaluate.py": "import json\nopen('data/reference.json')\n", "data/reference.json": "[]"}
    assert any("the evaluation reads it" in each for each in cut_folder(grow(tmp_path, files)).warnings)


def test_development_sets_of_texts_and_archives_of_others_are_warned_of(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "data/dev.txt": "a sentence\t1\n", "external/umls.zip": b"PK\x03\x04", "data/train.txt": "b\t0\n",
    }  # fmt: skip
    root = grow(tmp_path, files)
    warnings = " ".join(cut_folder(root).warnings)
    assert "data/dev.txt" in warnings
    assert "external/umls.zip" in warnings
    assert "data/train.txt" not in warnings
