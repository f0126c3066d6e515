"""The inventory: whole, remembered by digest, and safe from files that kill their readers."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import h5py
import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from nature_gym.acquisition.inspecting import Inspectors
from nature_gym.acquisition.inventory import inventory_of
from nature_gym.config import load_settings
from nature_gym.errors import UsageError


def test_each_file_is_in_it_once_and_is_looked_into_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "data"
    (folder / "deep").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("x")
    (folder / "train.csv").write_text("a,b\n1,2\n")
    (folder / "deep" / ("ü" * 120 + ".csv")).write_text("a,b\n1,2\n")
    (folder / "link").symlink_to("/etc/passwd")
    own = load_settings(home=tmp_path / "home")
    looked: list[int] = []
    look = Inspectors.look

    def counted(self: Inspectors, paths: Sequence[Path]) -> list[dict[str, Any]]:
        looked.append(len(paths))
        return look(self, paths)

    monkeypatch.setattr(Inspectors, "look", counted)
    first = inventory_of(folder, own)
    assert [entry.path for entry in first.files] == ["deep/" + "ü" * 120 + ".csv", "train.csv"]
    assert {entry.format for entry in first.files} == {"csv"}
    assert inventory_of(folder, own) == first
    assert looked == [1]


def test_names_that_are_no_text_are_told_all_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    Path(str(folder) + "/gr\udcf6sse.csv").write_text("a,b\n1,2\n")
    (entry,) = inventory_of(folder, load_settings(home=tmp_path / "home")).files
    assert entry.path == "gr\\xf6sse.csv"
    assert entry.readable


def test_what_is_remembered_may_be_damaged(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    own = load_settings(home=tmp_path / "home")
    first = inventory_of(tmp_path / "a.csv", own)
    (own.home / "inventory.db").write_bytes(b"no database" * 1000)
    assert inventory_of(tmp_path / "a.csv", own) == first
    assert inventory_of(tmp_path / "a.csv", own) == first
    with sqlite3.connect(own.home / "inventory.db") as connection:
        assert connection.execute("SELECT count(*) FROM found").fetchone() == (1,)
    connection.close()


def test_a_reader_that_hangs_costs_its_file_alone(tmp_path: Path) -> None:
    pipe = tmp_path / "endless.csv"
    os.mkfifo(pipe)
    (tmp_path / "good.csv").write_text("a,b\n1,2\n")
    with Inspectors(1, seconds=1.0) as inspectors:
        hung, good = inspectors.look([pipe, tmp_path / "good.csv"])
    assert not hung["readable"]
    assert "longer than 1 s" in hung["problem"]
    assert good["format"] == "csv"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        inventory_of(tmp_path / "nowhere", load_settings(home=tmp_path / "home"))


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("seed") / "a.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("g/x", (50, 3), "f4", chunks=(10, 3), compression="gzip")
        file["names"] = ["a", "b"]
        file.attrs["what"] = "x"
    return path.read_bytes()


@settings(max_examples=60)
@given(edits=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=20))
def test_damaged_hdf5_never_harms_more_than_its_reader(
    seed: bytes, edits: list[tuple[int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Its library is C, and may crash: here it does so in a process of its own."""
    body = bytearray(seed)
    for place, value in edits:
        body[place % len(body)] = value
    path = tmp_path_factory.mktemp("fuzz") / "a.h5"
    path.write_bytes(body)
    (found,) = _inspectors().look([path])
    assert found["readable"] or found["problem"]


_SHARED: list[Inspectors] = []


def _inspectors() -> Inspectors:
    if not _SHARED:
        _SHARED.append(Inspectors(1, 20.0))
    return _SHARED[0]


@pytest.fixture(scope="module", autouse=True)
def _stop() -> object:
    yield
    for inspectors in _SHARED:
        inspectors.__exit__(None, None, None)
    _SHARED.clear()
