"""Records of delimited text: each found where Python's csv module finds it, and taken to the byte."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.splitting import lines
from nature_gym.splitting.dealing import take_rows
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.lines import Form, head_records, survey

CELL = st.text(alphabet='ab,"\n é', max_size=6)
TABLE = st.lists(st.lists(CELL, min_size=2, max_size=2).filter(any), min_size=1, max_size=12)


def as_csv(rows: list[list[str]], end: str = "\n") -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator=end).writerows(rows)
    return out.getvalue().encode()


@given(rows=TABLE, end=st.sampled_from(["\n", "\r\n"]), block=st.integers(1, 40), data=st.data())
def test_any_rows_of_any_table_are_taken_byte_for_byte_whatever_the_size_of_blocks(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], end: str, block: int, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("lines")
    (folder / "all.csv").write_bytes(as_csv([["x", "y"], *rows], end))
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))), dtype=bool)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines._blocks, "__defaults__", (block,))
        assert survey(folder / "all.csv", Form()).rows == len(rows)
        assert take_rows(folder / "all.csv", keep, folder / "some.csv", Form()) == int(keep.sum())
    wanted = [row for row, kept in zip(rows, keep, strict=True) if kept]
    assert (folder / "some.csv").read_bytes() == as_csv([["x", "y"], *wanted], end)


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        (b'a,b\n1,5" pipe\n2,3" pipe\n', 2),
        (b'a,b\n1,5" pipe\n2,x\n', 2),
        (b'a,b\n1,"x ""y"""\n2,"multi\nline"\n', 2),
        (b"a,b\n\n1,2\n\r\n3,4\n\n", 2),
        (b"a,b\n1,2", 1),
        (b"a,b\n", 0),
        (b"", 0),
    ],
)
def test_marks_within_cells_and_blank_lines_are_no_records_ends(tmp_path: Path, content: bytes, rows: int) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    assert survey(path, Form()).rows == rows


def test_a_last_line_without_an_end_gets_one(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"a\n1\n2")
    take_rows(tmp_path / "a.csv", np.array([False, True]), tmp_path / "b.csv", Form())
    assert (tmp_path / "b.csv").read_bytes() == b"a\n2\n"


def test_a_mark_that_is_never_closed_is_told_and_not_read_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "LONGEST", 1000)
    monkeypatch.setattr(lines._blocks, "__defaults__", (100,))
    (tmp_path / "a.csv").write_bytes(b'a\n"' + b"x\n" * 5000)
    with pytest.raises(SplitError, match="record of more than"):
        survey(tmp_path / "a.csv", Form())


def test_compressed_text_is_read_and_written_the_same_each_time(tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"a\n1\n2\n3\n"))
    for name in ("b.csv.gz", "c.csv.gz"):
        take_rows(tmp_path / "a.csv.gz", np.array([True, False, True]), tmp_path / name, Form())
    assert gzip.decompress((tmp_path / "b.csv.gz").read_bytes()) == b"a\n1\n3\n"
    assert (tmp_path / "b.csv.gz").read_bytes() == (tmp_path / "c.csv.gz").read_bytes()


@pytest.mark.parametrize("damaged", [b"\x1f\x8b\x08\x00rubbish", b"no gzip at all"])
def test_damaged_compression_is_the_files_fault(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "a.csv.gz").write_bytes(damaged)
    with pytest.raises(SplitError, match="cannot be unpacked"):
        survey(tmp_path / "a.csv.gz", Form())


def test_other_encodings_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("a\ncafé\n".encode("latin-1"))
    assert not survey(tmp_path / "a.csv", Form()).is_utf8
    assert head_records(tmp_path / "a.csv", Form(), 5) == [b"a", b"caf\xe9"]
