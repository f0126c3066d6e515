"""Tables: forms, types, expressions, and columns written without a letter changed."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.packaging.operations import TableForm
from nature_gym.splitting import tables
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.tables import Table

MakeTable = Callable[..., Table]


@pytest.fixture
def table(tmp_path: Path) -> MakeTable:
    def make(content: bytes, name: str = "a.csv", **told: object) -> Table:
        (tmp_path / name).write_bytes(content)
        return Table(tmp_path / name, TableForm.model_validate(told))

    return make


@pytest.mark.parametrize(
    ("content", "columns", "rows"),
    [
        (b"\xef\xbb\xbfa,b\r\n1,2\r\n", ["a", "b"], 1),
        (b"a,a,,\n1,2,3,4\n", ["a", "a.1", "Unnamed: 2", "Unnamed: 3"], 1),
        (b"a,b\nr1,1,2\nr2,3,4\n", ["Unnamed: 0", "a", "b"], 2),
        (b"1,2\n3,4\n", ["column0", "column1"], 2),
        (b"0,1,2\n7,8,9\n", ["0", "1", "2"], 1),
        (b"name,animal\nann,cat\n", ["name", "animal"], 1),
        (b"a;b\n1;2,5\n", ["a", "b"], 1),
        (b"a\n1\n\n2\n", ["a"], 2),
        ("größe,Ω\n1,2\n".encode(), ["größe", "Ω"], 1),
    ],
)
def test_columns_are_called_as_pandas_calls_them(
    table: MakeTable, content: bytes, columns: list[str], rows: int
) -> None:
    found = table(content)
    assert (found.columns, found.rows) == (columns, rows)


def test_what_cannot_be_seen_can_be_told(table: MakeTable) -> None:
    found = table(b"ann|cat\nbob|dog\n", header=False, delimiter="|")
    assert (found.columns, found.rows) == (["column0", "column1"], 2)


@pytest.mark.parametrize(
    ("cells", "sql_type"),
    [
        (["1", "2", ""], "BIGINT"),
        (["1", "2.5", "NA"], "DOUBLE"),
        (["1", "1e3", "nan"], "DOUBLE"),
        (["1_000", "2"], "VARCHAR"),
        (["0x10", "2"], "VARCHAR"),
        (["true", "False"], "BOOLEAN"),
        (["2020-01-31", "2021-12-01"], "DATE"),
        (["2020-01-31 10:00:00", "2021-12-01"], "TIMESTAMP"),
        (["1"] * 20_000 + ["x"], "VARCHAR"),
        (["", "NA"], "VARCHAR"),
    ],
)
def test_a_column_has_a_type_where_all_of_its_values_have_it(table: MakeTable, cells: list[str], sql_type: str) -> None:
    found = table("\n".join(["x,y", *(f"{cell},1" for cell in cells)]).encode() + b"\n")
    assert found.types()[0] == ("x", sql_type)


def test_an_expression_sees_the_types_of_the_whole_column_not_of_its_beginning(table: MakeTable) -> None:
    """Ten thousand whole numbers come first, then fractions: rounding them would move rows."""
    found = table(b"x,y\n" + b"1,1\n" * 12_000 + b"1.4,1\n1.6,1\n")
    assert found.holds("x > 1").sum() == 2
    assert found.holds("x > 1.5").sum() == 1


def test_missing_numbers_are_null_and_nan_is_not_the_largest(table: MakeTable) -> None:
    found = table(b"x,y\n1,1\nnan,1\nNA,1\n,1\n5,1\n")
    assert found.holds("x > 2").tolist() == [False, False, False, False, True]
    assert found.holds("x IS NULL").tolist() == [False, True, True, True, False]


def test_rows_that_lack_cells_can_be_read(table: MakeTable) -> None:
    found = table(b'a,b,c\n1,2,3\n4\n5,"6\n7",8\n')
    assert found.holds("b IS NULL").tolist() == [False, True, False]
    assert found.values("a").tolist() == [1, 4, 5]


def test_records_that_duckdb_sees_otherwise_are_refused_not_shifted(table: MakeTable) -> None:
    found = table(b"a,b\n1,2\r3,4\n5,6\n")
    with pytest.raises(SplitError, match="records, of which"):
        found.holds("a > 1")


@pytest.mark.parametrize("content", [b"", b"a\0b\n1\n", "a,b\n".encode("utf-16"), b"a,b\r1,2\r"])
def test_what_is_no_table_is_said_so(table: MakeTable, content: bytes) -> None:
    with pytest.raises(SplitError):
        _ = table(content).columns


def test_latin_1_is_kept_in_rows_and_read_in_columns(table: MakeTable, tmp_path: Path) -> None:
    found = table("x,y\ncafé,1\nthé,2\n".encode("latin-1"))
    assert found.holds("x = 'café'").tolist() == [True, False]
    found.write_rows(np.array([True, False]), tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_bytes() == "x,y\ncafé,1\n".encode("latin-1")


CELL = st.text(alphabet="ab01.,\"\n é'", max_size=5)


@given(rows=st.lists(st.tuples(CELL.filter(bool), CELL, CELL), min_size=1, max_size=10), data=st.data())
def test_columns_that_pass_through_keep_every_cell_as_it_is_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("columns")
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([("a", "b", "c"), *rows])
    (folder / "a.csv").write_text(out.getvalue(), encoding="utf-8", newline="")
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))), dtype=bool)
    table = Table(folder / "a.csv", TableForm(delimiter=",", header=True))
    columns = [("c", "t.c"), ("a", "t.a")]
    assert table.write_columns(keep, columns, folder / "b.csv", "csv") == int(keep.sum())
    with (folder / "b.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.reader(file))
    assert found == [["c", "a"], *([c, a] for (a, _, c), kept in zip(rows, keep, strict=True) if kept)]


def test_numbers_keep_their_digits(table: MakeTable, tmp_path: Path) -> None:
    found = table(b"x,y\n0.10000000000000000000001,1e-3\n1.50,007\n")
    found.write_columns(None, [("y", "t.y"), ("x", "t.x")], tmp_path / "b.csv", "csv")
    assert (tmp_path / "b.csv").read_bytes() == b"y,x\n1e-3,0.10000000000000000000001\n007,1.50\n"


def test_parquet_keeps_rows_order_and_types(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "a.parquet"
    duckdb.execute(
        "COPY (SELECT range AS id, range * 0.1 AS x, 'n' || range AS name, DATE '2020-01-01' + range::INT AS day "
        f"FROM range(300000)) TO '{path}'"
    )
    table = Table(path)
    keep = table.holds("id % 3 = 1 AND x > 5")
    assert table.write_rows(keep, tmp_path / "b.parquet") == keep.sum()
    found = duckdb.execute(f"SELECT id FROM '{tmp_path / 'b.parquet'}'").fetchnumpy()["id"]
    assert np.array_equal(found, np.flatnonzero(keep))
    assert Table(tmp_path / "b.parquet").types() == table.types()


def test_json_lines_are_split_as_they_are_written(table: MakeTable, tmp_path: Path) -> None:
    found = table(b'{"a": 1, "b": "x"}\n{"a": 2,  "b": null}\n', "a.jsonl")
    assert found.holds("a = 2").tolist() == [False, True]
    found.write_rows(np.array([False, True]), tmp_path / "b.jsonl")
    assert (tmp_path / "b.jsonl").read_bytes() == b'{"a": 2,  "b": null}\n'


@pytest.mark.parametrize(
    "values", [["10", "9", "2"], ["b", "a", "B"], ["1.5", "1", ""], ["x", "", "10"], ["True", "False"]]
)
def test_categories_are_in_the_order_of_pandas(table: MakeTable, values: list[str]) -> None:
    found = table("\n".join(["v,w", *(f"{value},1" for value in values)]).encode() + b"\n")
    column = pd.read_csv(found.path)["v"]
    codes = pd.Categorical(column).codes
    categories = found.categories("v")
    expected = np.where(codes < 0, codes.max() + 1, codes)
    assert categories.codes.tolist() == expected.tolist()


def test_wide_tables_are_read(table: MakeTable) -> None:
    width = 3000
    head = ",".join(f"g{n}" for n in range(width))
    found = table("\n".join([head, *(",".join([str(row)] * width) for row in range(20))]).encode() + b"\n")
    assert found.holds("g2999 > 9").sum() == 10
    assert len(found.columns) == width


CELLS = [
    "",
    "1",
    "-7",
    "2.5",
    "1e400",
    "nan",
    "NA",
    "true",
    "False",
    "2020-01-31",
    "2020-01-31 10:00",
    "x",
    "1_0",
    "0x1",
]


@given(st.lists(st.tuples(*[st.sampled_from(CELLS)] * 2), min_size=1, max_size=12), st.integers(1, 13))
def test_extents_are_those_of_all_rows_however_few_are_looked_at_first(rows: list[tuple[str, str]], first: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder, "t.csv")
        path.write_text("a,b\n" + "".join(f"{a},{b}\n" for a, b in rows))
        patch.setattr(tables, "_FIRST", first)
        table = Table(path)
        count, extents = table.extents(most=3)
        guessed = Table(path).types()
        patch.setattr(tables, "_FIRST", 1_000)
        assert [(one.name, one.sql_type) for one in extents] == Table(path).types() == guessed
        assert count == len(rows)
        for place, one in enumerate(extents):
            cells = [row[place] for row in rows]
            if one.sql_type in ("BIGINT", "DOUBLE"):
                numbers = [float(cell) for cell in cells if cell not in ("", "nan", "NA")]
                assert (one.low, one.high) == ((min(numbers), max(numbers)) if numbers else (None, None))
                assert one.missing == len(rows) - len(numbers)
            if one.sql_type == "VARCHAR":
                texts = sorted({cell for cell in cells if cell})
                assert one.values == (tuple(texts) if len(texts) <= 3 else ())
                assert one.missing == cells.count("")


def test_texts_are_told_only_where_all_rows_have_few(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "same,p\n" * 12_000 + "".join(f"t{n},q\n" for n in range(5_000)))
    _, (a, b) = Table(path).extents(most=12)
    assert (a.values, b.values) == ((), ("p", "q"))
