"""Files of values: what a header is, what ids are, and what is refused."""

from __future__ import annotations

import pickle
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nature_gym.errors import FindingsError, UsageError
from nature_gym.metrics.tables import aligned, read_table


def table(folder: Path, text: str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "values", "kind"),
    [
        ("1\n2\n3\n", [1, 2, 3], "i"),
        ("y\n1\n2\n", [1, 2], "i"),
        ("y\n1.5\n2\n", [1.5, 2.0], "f"),
        ("y\n1\n\n2\n", [1, 2], "i"),
        ("y\r\n1\r\n2\r\n", [1, 2], "i"),
        ("\ufeffy\n1\n", [1], "i"),
        ("label\ncat\ndog\n", ["cat", "dog"], "U"),
        ("flag\nTrue\nfalse\n", [1, 0], "i"),
        ("a,b\n1,2\n3,4\n", [[1, 2], [3, 4]], "i"),
        ('text\n"a, b"\n"c ""d"""\n', ["a, b", 'c "d"'], "U"),
        ("y\n9999999999999999999999\n", [1e22], "f"),
        ("s\n1_000\n", ["1_000"], "U"),
    ],
)
def test_a_csv_file_is_read(tmp_path: Path, text: str, values: list[object], kind: str) -> None:
    found = read_table(table(tmp_path, text))
    assert found.values.tolist() == values
    assert found.values.dtype.kind == kind


def test_an_empty_cell_is_a_missing_value(tmp_path: Path) -> None:
    values = read_table(table(tmp_path, "a,b\n1,\n,4\n")).values
    np.testing.assert_array_equal(values, [[1.0, np.nan], [np.nan, 4.0]])


@pytest.mark.parametrize("name", ["id", "ID", "", "index", "sample_id", "Name", "protein"])
def test_ids_bring_rows_into_the_order_of_the_reference(tmp_path: Path, name: str) -> None:
    reference = read_table(table(tmp_path, f"{name},y\na,1\nb,2\nc,3\n", "r.csv"))
    prediction = read_table(table(tmp_path, f"{name},y\nc,30\na,10\nb,20\n", "p.csv"))
    assert reference.ids == ("a", "b", "c")
    assert aligned(reference, prediction)[1].tolist() == [10, 20, 30]


def test_columns_are_matched_by_name(tmp_path: Path) -> None:
    reference = read_table(table(tmp_path, "id,x,y\n1,1,2\n", "r.csv"))
    prediction = read_table(table(tmp_path, "id,y,x\n1,20,10\n", "p.csv"))
    assert aligned(reference, prediction)[1].tolist() == [[10, 20]]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("a,1\nb,2\n", "lacks 1 ids, the first of them 'c'"),
        ("a,1\nb,2\nc,3\nd,4\n", "1 ids that the reference lacks, such as 'd'"),
        ("a,1\nb,2\nc,3\nc,3\n", "prediction has the id 'c' 2 times"),
    ],
)
def test_ids_that_do_not_fit_are_told(tmp_path: Path, rows: str, sentence: str) -> None:
    reference = read_table(table(tmp_path, "id,y\na,1\nb,2\nc,3\n", "r.csv"))
    with pytest.raises(FindingsError, match=sentence):
        aligned(reference, read_table(table(tmp_path, f"id,y\n{rows}", "p.csv")))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "empty"),
        ("y\n", "no rows"),
        ("a,b\n1,2\n3\n", "3th"),
        ("a,b,c\n1,x,2\n", "column b beside numbers"),
    ],
)
def test_what_is_no_table_is_told(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(FindingsError, match=sentence):
        read_table(table(tmp_path, text))


def test_other_bytes_are_told(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"y\n\xff\xfe\x00\n")
    with pytest.raises(FindingsError, match="UTF-8"):
        read_table(path)
    with pytest.raises(UsageError, match="no file"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(UsageError, match="neither"):
        read_table(table(tmp_path, "1", "t.txt"))


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "objects.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(FindingsError, match="pickled objects"):
        read_table(tmp_path / "objects.npy")
    (tmp_path / "bare.npy").write_bytes(pickle.dumps([1, 2]))
    with pytest.raises(FindingsError, match="cannot be read"):
        read_table(tmp_path / "bare.npy")


@pytest.mark.parametrize("cut", [0, 5, 60, 130])
def test_a_file_that_is_cut_short_is_told(tmp_path: Path, cut: int) -> None:
    np.save(tmp_path / "whole.npy", np.arange(10.0))
    (tmp_path / "cut.npy").write_bytes((tmp_path / "whole.npy").read_bytes()[:cut])
    with pytest.raises(FindingsError, match="cannot be read"):
        read_table(tmp_path / "cut.npy")


def test_an_array_of_records_is_none_of_ours(tmp_path: Path) -> None:
    np.save(tmp_path / "records.npy", np.zeros(2, dtype=[("a", float)]))
    with pytest.raises(FindingsError, match="no array of numbers"):
        read_table(tmp_path / "records.npy")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.sampled_from(["npy", "csv"]))
def test_any_bytes_are_read_or_told(tmp_path: Path, content: bytes, ending: str) -> None:
    path = tmp_path / f"any.{ending}"
    path.write_bytes(content)
    with suppress(FindingsError):
        assert read_table(path).values.dtype.kind in "biufU"
