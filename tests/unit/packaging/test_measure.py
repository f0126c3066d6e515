"""Counts, shapes and ranges are those of the data, whatever the format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.digests import digest_folder
from nature_gym.kept import Kept
from nature_gym.packaging import measure as measuring
from nature_gym.packaging.drawn_tree import tree
from nature_gym.packaging.measure import measure, measure_folder, number_text


def test_a_table_is_measured_by_its_columns(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,n,x,kind\na,1,0.5,up\nb,30,,down\nc,7,-2.25,up\n")
    found = measure(tmp_path / "t.csv", "t.csv")
    assert found.rows == 3
    by_name = {column.name: column for column in found.columns}
    assert (by_name["n"].dtype, by_name["n"].low, by_name["n"].high) == ("int", "1", "30")
    assert (by_name["x"].dtype, by_name["x"].low, by_name["x"].high, by_name["x"].missing) == (
        "float",
        "-2.25",
        "0.5",
        1,
    )
    assert by_name["kind"].values == ("down", "up")


@pytest.mark.parametrize("name", ["{}", '"', "a,b", "select", "x; DROP TABLE t", "é😀"])
def test_columns_may_have_any_name(name: str, tmp_path: Path) -> None:
    quoted = name.replace('"', '""')
    (tmp_path / "t.csv").write_text(f'id,"{quoted}"\n1,2\n3,4\n')
    assert [column.name for column in measure(tmp_path / "t.csv", "t.csv").columns] == ["id", name]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_an_array_has_the_range_of_its_numbers(numbers: list[float]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.npy")
        np.save(path, np.array([*numbers, np.nan]))
        (column,) = measure(path, "a.npy").columns
    assert (column.low, column.high) == (number_text(min(numbers)), number_text(max(numbers)))
    assert (column.shape, column.missing) == ((len(numbers) + 1,), 1)


def test_archives_hdf5_and_json_are_measured_by_their_keys(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", x=np.zeros((5, 2)), names=np.array(["p"] * 5))
    with h5py.File(tmp_path / "b.h5", "w") as file:
        file["g/y"] = np.arange(4)
    (tmp_path / "c.json").write_text('{"n": 1, "list": [1, 2]}')
    found = {one.file: one for one in measure_folder(tmp_path)}
    assert [(column.name, column.dtype) for column in found["a.npz"].columns] == [("names", "string"), ("x", "float64")]
    assert found["b.h5"].columns[0].shape == (4,)
    assert [column.dtype for column in found["c.json"].columns] == ["list of 2", "int"]


@pytest.mark.parametrize("name", ["a.csv", "a.npz", "a.npy", "a.h5", "a.parquet", "a.json"])
def test_a_file_that_is_not_what_its_name_says_has_a_size(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"\x93\xff\x00 no such thing")
    assert measure(tmp_path / name, name).size == 17


def test_a_tree_shows_every_file_in_order() -> None:
    assert tree({"d/b/x.csv": 1, "d/a.txt": 1}) == "d/\n├── a.txt\n└── b/\n    └── x.csv"


def test_what_was_measured_of_a_content_is_not_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, kept = tmp_path / "data", Kept(tmp_path / "kept.db", 1)
    folder.mkdir()
    (folder / "a.csv").write_text("x,kind\n1,up\n2,down\n")
    np.save(folder / "b.npy", np.zeros((3, 2)))
    first = measure_folder(folder, digest_folder(folder), kept)
    assert first == measure_folder(folder)
    (folder / "a.csv").rename(folder / "c.csv")
    (folder / "a.csv").write_text("x,kind\n1,up\n5,down\n")
    measured = []

    def counted(path: Path, name: str) -> Any:
        measured.append(name)
        return measure(path, name)

    monkeypatch.setattr(measuring, "measure", counted)
    assert measure_folder(folder, digest_folder(folder), kept) == measure_folder(folder)
    assert measured[:1] == ["a.csv"]
    assert sorted(measured[1:]) == ["a.csv", "b.npy", "c.csv"]


def test_columns_of_lists_have_no_range(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    query = "SELECT [1.5, 2] AS v, MAP([1], [2]) AS m, 3::UTINYINT AS n, 1.25::DECIMAL(8,2) AS d"
    duckdb.sql(f"COPY ({query}) TO '{path}' (FORMAT parquet)")
    by_name = {column.name: column for column in measure(path, "a.parquet").columns}
    assert (by_name["v"].low, by_name["m"].low) == ("", "")
    assert (by_name["n"].dtype, by_name["n"].low, by_name["d"].dtype, by_name["d"].low) == ("int", "3", "float", "1.25")
