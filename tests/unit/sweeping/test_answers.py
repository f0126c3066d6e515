"""Answers kept by digest, within bounds, and put back as they were; streams within theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from nature_gym.agents.events import Event
from nature_gym.digests import PREFIX, digest_file
from nature_gym.errors import InfrastructureError
from nature_gym.store import Store
from nature_gym.sweeping import evidence
from nature_gym.sweeping.answers import NotKeptError, keep, put_back
from nature_gym.sweeping.evidence import Streams, write_trajectory
from nature_gym.sweeping.room import furnished


def answer(folder: Path) -> dict[str, dict[str, str]]:
    for name, text in {"a/x.csv": "1,2", "b/y.csv": "3"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return {
        path.relative_to(folder).as_posix(): {"sha256": digest_file(path).removeprefix(PREFIX)}
        for path in folder.rglob("*.csv")
    }


def test_an_answer_comes_back_as_it_was_and_costs_once(tmp_path: Path) -> None:
    store, record = Store(tmp_path / "store"), answer(tmp_path / "one")
    assert keep(tmp_path / "one", store, 100) == 4
    assert keep(tmp_path / "one", store, 100) == 0
    put_back(record, store, tmp_path / "back")
    assert {path.relative_to(tmp_path / "back").as_posix(): path.read_text()
            for path in (tmp_path / "back").rglob("*.csv")} == {"a/x.csv": "1,2", "b/y.csv": "3"}  # fmt: skip


def test_one_that_is_too_large_is_not_kept_and_cannot_come_back(tmp_path: Path) -> None:
    store, record = Store(tmp_path / "store"), answer(tmp_path / "one")
    assert keep(tmp_path / "one", store, 3) == 0
    with pytest.raises(NotKeptError):
        put_back(record, store, tmp_path / "back")


@pytest.mark.parametrize("name", ["../x", "/etc/x", ""])
def test_a_record_leads_out_of_no_folder(tmp_path: Path, name: str) -> None:
    store = Store(tmp_path / "store")
    digest = store.put_bytes(b"x").digest.removeprefix(PREFIX)
    with pytest.raises(NotKeptError):
        put_back({name: {"sha256": digest}}, store, tmp_path / "back")
    with pytest.raises(NotKeptError):
        put_back({}, store, tmp_path / "back")


def test_of_a_stream_the_beginning_is_kept_and_the_rest_counted(tmp_path: Path) -> None:
    with Streams(tmp_path, largest=5) as streams:
        for piece in (b"abc", b"def", b"ghi"):
            streams.take("stdout", piece)
    assert (tmp_path / "stdout").read_bytes() == b"abcde"
    assert streams.as_json()["stdout"] == {"bytes": 9, "kept": 5}


def test_a_trajectory_without_end_is_bounded_and_its_cost_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "MOST_EVENTS", 3)
    spent = write_trajectory(tmp_path / "t", (Event("text", "x", cost=0.5) for _ in range(10)))
    assert (spent.events, spent.cost, spent.complete) == (10, 5.0, False)
    assert len((tmp_path / "t").read_bytes().splitlines()) == 3


@pytest.mark.parametrize("name", ["../x", "/x", ""])
def test_an_adapter_puts_files_into_the_workspace_alone(name: str) -> None:
    with furnished() as room:
        room.put("a/b.py", b"#!x")
        assert (room.workspace / "a" / "b.py").stat().st_mode & 0o777 == 0o777
        with pytest.raises(InfrastructureError):
            room.put(name, b"x")
    assert not room.workspace.exists()
