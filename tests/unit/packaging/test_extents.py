"""One look tells of a table what the look that leaves nothing to certainty tells."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nature_gym.packaging import extents as module
from nature_gym.packaging.extents import extents
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.tables import Table

LATER = ["", "7", "7.5", "-3e5", "1_000", "0x1F", "nan", "NA", "inf", "true", "word", "a, b", 'say "so"', "a\nb",
         "2020-01-02", " 4 ", "1e400", "99999999999999999999", "Infinity",
         "t_1", "null", "+5", ".5", "\N{ROCKET}"]  # fmt: skip
FIRST = [["1", "2", "30"], ["1.5", "2", "-0.25"], ["wood", "stone", "wood"], ["1.5", "", "2.5"], ["w", "7", ""]]


def _write(path: Path, columns: list[list[str]]) -> Table:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([f"c{place}" for place in range(len(columns))])
    writer.writerows(zip(*columns, strict=True))
    path.write_text(out.getvalue(), encoding="utf-8")
    return Table(path)


@given(
    st.lists(
        st.tuples(st.sampled_from(FIRST), st.lists(st.sampled_from(LATER), min_size=3, max_size=3)),
        min_size=2,
        max_size=6,
    ),
    st.booleans(),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_looks_find_the_same(tmp_path: Path, columns: list[tuple[list[str], list[str]]], at_once: bool) -> None:
    table = _write(tmp_path / "t.csv", [first + later for first, later in columns])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SAMPLE", 3)
        patch.setattr(module, "LARGEST_AT_ONCE", 1 << 20 if at_once else 0)
        found = extents(table, 4)
    assert repr(found) == repr(Table(table.path).extents(4))


def test_a_table_as_it_seems_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = _write(tmp_path / "t.csv", [["1", "2"], ["0.5", "-1"], ["wood", "wood"]])
    monkeypatch.setattr(Table, "extents", lambda *_: pytest.fail("looked at again"))
    rows, (whole, real, text) = extents(table, 12)
    assert rows == 2
    assert (whole.sql_type, whole.low, whole.high) == ("BIGINT", 1, 2)
    assert (real.sql_type, real.low, real.high) == ("DOUBLE", -1.0, 0.5)
    assert (text.sql_type, text.values) == ("VARCHAR", ("wood",))


@pytest.mark.parametrize("odd", ["caf\xe9".encode("latin-1"), b"x" * 3000, b"a,b", b'"a'])
def test_a_table_that_is_not_as_most_are_is_looked_at_again(
    odd: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONGEST_LINE", 2000)
    monkeypatch.setattr(module, "SAMPLE", 2)
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n0.5,wood\n1.5,stone\n2.5," + odd + b"\n3.5,tin\n")
    try:
        wanted = repr(Table(path).extents(4))
    except SplitError:
        with pytest.raises(SplitError):
            extents(Table(path), 4)
    else:
        assert repr(extents(Table(path), 4)) == wanted
