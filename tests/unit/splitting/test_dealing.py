"""Dealing rows out: every file gets its rows and the heading, digests are those of the files, errors come through."""

from __future__ import annotations

import errno
import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.digests import digest_file
from nature_gym.splitting import dealing, lines
from nature_gym.splitting.dealing import Deal, deal_rows
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.flags import Flags, packed_in_sql
from nature_gym.splitting.lines import Form

LINE = st.sampled_from(["a,b", 'a,"b\nb"', "", 'a,"b""b"', "é,ü"])


@given(rows=st.lists(LINE, min_size=1, max_size=30), block=st.integers(1, 60), data=st.data())
def test_each_row_goes_to_the_files_that_its_code_names_whatever_the_size_of_blocks(
    tmp_path_factory: pytest.TempPathFactory, rows: list[str], block: int, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("dealing")
    (folder / "all.csv").write_bytes("".join(f"{row}\n" for row in ["x,y", *rows]).encode())
    records = [row for row in rows if row]  # blank lines are no rows
    codes = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(records), max_size=len(records))), np.uint8)
    odd = codes % 2 == 1
    deals = [*(Deal(folder / f"{code}.csv", codes, code) for code in (0, 1)), Deal.of_mask(folder / "odd.csv", odd)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines._blocks, "__defaults__", (block,))
        found = deal_rows(folder / "all.csv", deals, Form())
    for deal, dealt in zip(deals, found, strict=True):
        wanted = [row for row, chosen in zip(records, deal.mask(), strict=True) if chosen]
        assert deal.target.read_bytes() == "".join(f"{row}\n" for row in ["x,y", *wanted]).encode()
        assert dealt.rows == deal.count() == len(wanted)
        assert dealt.digest == digest_file(deal.target)


def test_compressed_files_have_the_digest_of_what_lies_on_the_disk(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"a\n1\n2\n")
    (dealt,) = deal_rows(tmp_path / "a.csv", [Deal(tmp_path / "b.csv.gz", np.zeros(2, np.uint8), 0)], Form())
    assert dealt.digest == digest_file(tmp_path / "b.csv.gz")
    assert gzip.decompress((tmp_path / "b.csv.gz").read_bytes()) == b"a\n1\n2\n"


def test_a_disk_that_is_full_while_rows_are_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_bytes(b"a\n" + b"1\n" * 1000)

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(dealing._Digesting, "_write", full)
    with pytest.raises(OSError, match="No space"):
        deal_rows(tmp_path / "a.csv", [Deal(tmp_path / "b.csv", np.zeros(1000, np.uint8), 0)], Form())


def test_a_file_that_has_grown_is_not_split_by_what_was_counted_before(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"a\n1\n2\n3\n")
    with pytest.raises(SplitError, match="more rows than it had"):
        deal_rows(tmp_path / "a.csv", [Deal(tmp_path / "b.csv", np.zeros(2, np.uint8), 0)], Form())


@given(rows=st.lists(st.lists(st.booleans(), min_size=19, max_size=19), min_size=1, max_size=9))
def test_truths_come_out_of_their_bytes_as_they_went_in(rows: list[list[bool]]) -> None:
    truths = np.array(rows)
    packed = [np.packbits(truths[:, n : n + 8], axis=1, bitorder="little")[:, 0] for n in range(0, 19, 8)]
    flags = Flags(packed, 19)
    assert np.array_equal(np.array(list(flags)).T, truths)
    assert np.array_equal(flags[-1], truths[:, 18])
    assert len(flags.without_last()) == 18
    assert len(packed_in_sql(["true"] * 19)) == 3
