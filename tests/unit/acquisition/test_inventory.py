"""The inventory: whole, remembered by digest, and safe from files that kill their readers."""

from __future__ import annotations

import gc
import os
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import h5py
import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from nature_gym.acquisition import inspecting
from nature_gym.acquisition.inspecting import Inspectors
from nature_gym.acquisition.inventory import inventory_of, take_inventory
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


def test_processes_are_kept_from_folder_to_folder_and_replaced_after_so_many_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []
    popen = subprocess.Popen

    def counted(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        started.append(command)
        return popen(command, **options)

    monkeypatch.setattr(subprocess, "Popen", counted)
    monkeypatch.setattr(inspecting, "_LOOKS", 3)
    own = load_settings(home=tmp_path / "home", workers=2)
    inspectors = Inspectors(1, 20.0)
    for number in range(4):
        (tmp_path / f"{number}.csv").write_text(f"a,b\n{number},2\n")
        (entry,) = take_inventory({"": tmp_path / f"{number}.csv"}, own, inspectors=inspectors).files
        assert entry.format == "csv"
    assert len(started) == 2


def test_a_reader_that_is_slow_to_start_is_no_answer_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with Inspectors(1, 20.0) as inspectors:
        monkeypatch.setattr(inspecting, "_START_SECONDS", 0.0)
        (late,) = inspectors.look([tmp_path / "a.csv"])
        monkeypatch.setattr(inspecting, "_START_SECONDS", 60.0)
        (found,) = inspectors.look([tmp_path / "a.csv"])
    assert late["passing"]
    assert "did not start" in late["problem"]
    assert found["format"] == "csv"


def test_processes_end_with_whoever_had_them(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    inspectors = Inspectors(1, 20.0)
    inspectors.look([tmp_path / "a.csv"])
    (process,) = _children()
    del inspectors
    gc.collect()
    assert process not in _children()


def _children() -> set[str]:
    """Inspectors among this process's children, by their ids."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = stat.read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and b"acquisition.inspector" in (stat.parent / "cmdline").read_bytes():
                found.add(stat.parent.name)
    return found


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
