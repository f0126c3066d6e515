from __future__ import annotations

import os
from pathlib import Path

import pytest

from nature_gym.evaluation.sources import SourceKeeper, SourceLimits


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    (folder / "output").mkdir(parents=True)
    (folder / "src").mkdir()
    (folder / "run.py").write_text("print(1)\n", encoding="utf-8")
    (folder / "src" / "model.py").write_text("print(1)\n", encoding="utf-8")
    return folder


def test_texts_are_kept_once_and_the_answers_are_left_alone(workspace: Path, tmp_path: Path) -> None:
    (workspace / "output" / "x.csv").write_text("1", encoding="utf-8")
    (workspace / "weights.bin").write_bytes(b"\0" * 100)
    (workspace / "link").symlink_to("/etc/passwd")
    os.mkfifo(workspace / "pipe")
    found = SourceKeeper(workspace, tmp_path / "sources", "output").snapshot()
    assert set(found.files) == {"run.py", "src/model.py"}
    assert found.left_out == {
        "weights.bin": "not a text", "link": "not a regular file", "pipe": "not a regular file",
    }  # fmt: skip
    kept = [path for path in (tmp_path / "sources").rglob("*") if path.is_file()]
    assert [path.read_text() for path in kept] == ["print(1)\n"]


def test_a_change_is_seen_and_the_text_before_stays(workspace: Path, tmp_path: Path) -> None:
    keeper = SourceKeeper(workspace, tmp_path / "sources", "output")
    before = keeper.snapshot().files["run.py"]
    (workspace / "run.py").write_text("print(2)\n", encoding="utf-8")
    after = keeper.snapshot().files["run.py"]
    assert before != after
    assert {path.name for path in (tmp_path / "sources").rglob("*") if path.is_file()} == {before, after}


def test_what_does_not_fit_is_named_and_the_snapshot_is_not_called_complete(workspace: Path, tmp_path: Path) -> None:
    (workspace / "big.txt").write_text("x" * 500, encoding="utf-8")
    limits = SourceLimits(file_size=100, files=1)
    found = SourceKeeper(workspace, tmp_path / "sources", "output", limits).snapshot()
    assert found.left_out["big.txt"] == "500 bytes"
    assert len(found.files) == 1
    assert not found.complete


def test_a_million_files_end_the_look(workspace: Path, tmp_path: Path) -> None:
    for number in range(60):
        (workspace / f"{number}.py").touch()
    found = SourceKeeper(workspace, tmp_path / "sources", "output", SourceLimits(entries=50)).snapshot()
    assert not found.complete
    assert len(found.files) <= 51
