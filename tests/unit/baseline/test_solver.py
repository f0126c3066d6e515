"""The solver stands by itself, and writes each format as it is asked for."""

from __future__ import annotations

import csv
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from nature_gym.baseline.asked import asked_files
from nature_gym.baseline.solver import NO_ANSWER, NoBaselineError, solver_for, solver_source

Solve = Callable[..., Path]
TEST = "sample_id,x\n" + "".join(f"s{one},{one}\n" for one in range(7))
TRAIN = "sample_id,x,grade,y\n" + "".join(f"t{one},{one},{'ab'[one % 3 == 0]},{one / 2}\n" for one in range(20))


@pytest.fixture
def solve(tmp_path: Path) -> Solve:
    def run(section: str, data: Mapping[str, str | bytes], strategy: str = "varied", code: int = 0) -> Path:
        for name, content in data.items():
            path = tmp_path / "data" / "one" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        program = tmp_path / "run.py"
        program.write_text(solver_source(asked_files(f"# T\n\n## 5. Output Format\n\n{section}\n"), ["one"]))
        given = {
            "DATA_DIR": str(tmp_path / "data"), "OUTPUT_DIR": str(tmp_path / strategy), "STRATEGY": strategy,
            "PATH": os.environ["PATH"],
        }  # fmt: skip
        # Isolated: nothing of ours can be imported.
        done = subprocess.run(
            [sys.executable, "-I", str(program)], env=given, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stderr
        (tmp_path / "stderr").write_text(done.stderr)
        return tmp_path / strategy / "one"

    return run


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


KEYED = """`output/{instance}/p.csv`

| Column | Dtype | Values |
|---|---|---|
| `sample_id` | string | |
| `grade` | string | |
| `y` | float | |
| `share` | float | from 2 to 3 |
"""


KEYS = "| Key | Dtype |\n|---|---|\n| id | string |\n| y | float |\n"


def test_a_keyed_table_has_the_ids_to_be_answered_and_values_that_were_shown(solve: Solve) -> None:
    found = rows(solve(KEYED, {"train.csv": TRAIN, "test.csv": TEST}) / "p.csv")
    assert [one["sample_id"] for one in found] == [f"s{one}" for one in range(7)]
    assert {one["grade"] for one in found} <= {"a", "b"}
    assert all(float(one["y"]) in {place / 2 for place in range(20)} for one in found)
    assert all(2 <= float(one["share"]) <= 3 for one in found)


def test_constant_is_the_commonest_and_the_mean(solve: Solve) -> None:
    found = rows(solve(KEYED, {"train.csv": TRAIN, "test.csv": TEST}, "constant") / "p.csv")
    assert {(one["grade"], one["y"], one["share"]) for one in found} == {("a", "4.75", "2.5")}


def test_it_writes_the_same_again(solve: Solve) -> None:
    data = {"train.csv": TRAIN, "test.csv": TEST}
    first = (solve(KEYED, data) / "p.csv").read_bytes()
    assert (solve(KEYED, data) / "p.csv").read_bytes() == first


def test_an_array_follows_the_file_that_is_named(solve: Solve) -> None:
    section = "`output/{instance}/p.npy`: int64 array of shape (n,), values are 3 or 5, in the order of `test.csv`"
    array = np.load(solve(section, {"test.csv": TEST, "train.csv": TRAIN}) / "p.npy")
    assert array.dtype == np.int64
    assert array.shape == (7,)
    assert set(array.tolist()) <= {3, 5}


def test_shares_sum_to_one(solve: Solve) -> None:
    section = "`output/{instance}/p.npy`: float32 array of shape (7, 4); rows sum to 1"
    array = np.load(solve(section, {"test.csv": TEST}) / "p.npy")
    assert array.shape == (7, 4)
    assert np.allclose(array.sum(axis=1), 1)


def test_an_archive_has_its_arrays(solve: Solve) -> None:
    section = "`output/{instance}/p.npz` with\n\n- `mean`: float32, shape (4, 3)\n- `kinds`: int64, shape (4,)\n"
    with np.load(solve(section, {"test.csv": TEST}) / "p.npz") as found:
        assert {name: (found[name].shape, found[name].dtype.name) for name in found.files} == {
            "mean": ((4, 3), "float32"),
            "kinds": ((4,), "int64"),
        }


def test_json_has_the_form_that_is_shown(solve: Solve) -> None:
    section = '`output/{instance}/p.json`:\n\n```json\n{"rate": 0.1, "steps": [1, 2, 3], "name": "x"}\n```\n'
    found = json.loads((solve(section, {"test.csv": TEST}) / "p.json").read_text())
    assert list(found) == ["rate", "steps", "name"]
    assert isinstance(found["rate"], float)
    assert len(found["steps"]) == 3


def test_json_by_ids_has_the_ids_of_the_data(solve: Solve) -> None:
    section = '`output/{instance}/p.json`:\n\n```json\n{"sample_1": 0.1, "sample_2": 0.2, ...}\n```\n'
    found = json.loads((solve(section, {"test.csv": TEST.replace("sample_id", "id")}) / "p.json").read_text())
    assert list(found) == [f"s{one}" for one in range(7)]


def test_sequences_have_the_length_and_letters(solve: Solve) -> None:
    section = "`output/{instance}/p.fasta`, FASTA, 5 records of RNA, each of length between 6 and 9."
    lines = (solve(section, {"test.csv": TEST}) / "p.fasta").read_text().splitlines()
    assert len(lines) == 10
    assert all(6 <= len(one) <= 9 and set(one) <= set("ACGU") for one in lines[1::2])


@pytest.mark.parametrize(
    ("section", "name", "begins"),
    [
        ("`output/{instance}/p.smi`, 3 lines of SMILES", "p.smi", b"C\nCC\nCCC\n"),
        ("`output/{instance}/p.pdb` in PDB format, of length 12", "p.pdb", b"ATOM      1  CA"),
        ("`output/{instance}/p.txt`, 2 lines of floats from 1 to 1", "p.txt", b"1.0\n1.0\n"),
        ("`output/{instance}/p.h5ad`, matrix of shape (6, 2), float32", "p.h5ad", b"\x89HDF"),
        ("`output/{instance}/p.png`, image of shape (4, 5)", "p.png", b"\x89PNG"),
        (f"`output/{{instance}}/p.jsonl`, keys:\n\n{KEYS}", "p.jsonl", b'{"id": "s0", "y": '),
    ],
)  # fmt: skip
def test_smallest_objects(section: str, name: str, begins: bytes, solve: Solve) -> None:
    assert (solve(section, {"test.csv": TEST.replace("sample_id", "id")}) / name).read_bytes().startswith(begins)


def test_rows_are_told_apart_by_the_columns_that_the_data_have(solve: Solve) -> None:
    pairs = "user,item\n" + "".join(f"u{one % 3},i{one}\n" for one in range(6))
    section = "`output/{instance}/p.csv` with the columns `user`, `item`, `rating`; rating from 1 to 5"
    found = rows(solve(section, {"test_pairs.csv": pairs, "train.csv": "user,item,rating\nu0,i9,4.5\n"}) / "p.csv")
    assert [(one["user"], one["item"]) for one in found] == [(f"u{one % 3}", f"i{one}") for one in range(6)]
    assert {one["rating"] for one in found} == {"4.5"}


def test_packed_tables_are_read(solve: Solve) -> None:
    section = "`output/{instance}/p.csv` with the columns `sample_id`, `y`"
    found = rows(solve(section, {"test.csv.gz": gzip.compress(TEST.encode()), "train.csv": TRAIN}) / "p.csv")
    assert [one["sample_id"] for one in found] == [f"s{one}" for one in range(7)]


def test_sequences_are_as_long_as_what_they_answer_and_counted_as_said(solve: Solve) -> None:
    section = (
        "`output/{instance}/d.fasta`, RNA, as long as its structure, in the order of `folds.txt`: `d_1`, `d_2`, ..."
    )
    lines = (solve(section, {"folds.txt": "((..))\n(((...)))\n"}) / "d.fasta").read_text().splitlines()
    assert lines[::2] == [">d_1", ">d_2"]
    assert [len(one) for one in lines[1::2]] == [6, 9]


def test_lists_by_id_are_as_long_as_their_sequences(solve: Solve) -> None:
    section = "`output/{instance}/p.json`, an object: protein id → list of integers, one per residue, values are 0 or 1"
    data = json.dumps([{"id": "a", "sequence": "MKV"}, {"id": "b", "sequence": "MKVLA"}])
    found = json.loads((solve(section, {"query.json": data}) / "p.json").read_text())
    assert {key: len(one) for key, one in found.items()} == {"a": 3, "b": 5}
    assert all(type(value) is int and value in (0, 1) for one in found.values() for value in one)


def test_texts_that_nobody_tells_are_named(solve: Solve, tmp_path: Path) -> None:
    section = "`output/{instance}/p.csv` with the columns `sample_id`, `gene`; gene is a string"
    solve(section.replace("`gene`; gene is a string", "`y`"), {"test.csv": TEST, "train.csv": TRAIN})
    assert "guess" not in (tmp_path / "stderr").read_text()
    table = "`output/{instance}/p.csv`\n\n| Column | Dtype |\n|---|---|\n| sample_id | string |\n| gene | string |\n"
    solve(table, {"test.csv": TEST, "train.csv": TRAIN})
    assert (tmp_path / "stderr").read_text() == "one: guess: gene\n"


def test_kinds_of_cells_are_texts(solve: Solve) -> None:
    h5py = pytest.importorskip("h5py")
    section = "`output/{instance}/c.h5ad`, `obs['grade']` (string) and `obsm['X_emb']` of shape (7, 3), float32"
    with h5py.File(solve(section, {"test.csv": TEST, "train.csv": TRAIN}) / "c.h5ad") as found:
        assert found["obsm/X_emb"].shape == (7, 3)
        assert set(found["obs/grade"].asstr()[:]) <= {"a", "b"}


@pytest.mark.parametrize(
    ("section", "reason"),
    [
        ("`output/{instance}/p.csv` with the columns `key, y`", "has the ids"),
        ("`output/{instance}/p.npy`, a float64 array", "shape of p.npy is not said"),
        ("`output/{instance}/p.npy`: float64, shape (n,), as `absent.npy`", "number of entries"),
        ("`output/{instance}/p.csv`", "columns of p.csv are not said"),
        ("`output/{instance}/p.npy`: float64, shape (3,), from 5 to 1", "no value is at least 5"),
        ("`output/{instance}/p.sdf`, structures", "format is not known"),
    ],
)
def test_what_is_left_open_is_told(section: str, reason: str, solve: Solve, tmp_path: Path) -> None:
    solve(section, {"a.json": "[1]"}, code=NO_ANSWER)
    assert reason in (tmp_path / "stderr").read_text()


def test_a_file_that_cannot_be_read_is_told(solve: Solve, tmp_path: Path) -> None:
    solve(KEYED, {"test.json": "{"}, code=NO_ANSWER)
    assert "test.json cannot be read" in (tmp_path / "stderr").read_text()


def test_nothing_that_is_pickled_is_opened(solve: Solve, tmp_path: Path) -> None:
    class Runs:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.mkdir, (str(tmp_path / "canary"),)

    np.save(tmp_path / "x.npy", np.array([Runs()], dtype=object), allow_pickle=True)
    solve(KEYED, {"test.csv": TEST, "train.npy": (tmp_path / "x.npy").read_bytes()})
    assert not (tmp_path / "canary").exists()


def test_a_readme_without_files_or_instances_has_no_solver() -> None:
    with pytest.raises(NoBaselineError, match="names no file"):
        solver_for("# T\n")
    with pytest.raises(NoBaselineError, match="no instance"):
        solver_for("# T\n\n## 5. Output Format\n\n`output/x.csv`\n")
