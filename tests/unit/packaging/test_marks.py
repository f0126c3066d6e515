"""A package is not built again where nothing was written, and always where something was."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nature_gym.digests import digest_folder
from nature_gym.kept import Kept
from nature_gym.packaging import build as building
from nature_gym.packaging import marks
from nature_gym.packaging.build import build
from tests.unit.packaging.conftest import WriteTask

NOTES = {"lab/notes.csv": b"run,batch\n" + b"".join(b"e%d,%d\n" % (n, n + 40) for n in range(8))}


def _joined(task: dict[str, Any]) -> None:
    steps = [{"drop": ["yield"]}, {"join": {"table": "lab/notes.csv", "on": "run"}}]
    task["instances"][0]["files"][1]["steps"] = steps


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The packages that were made from their data."""
    made: list[Path] = []
    assemble = building.assemble

    def count(*arguments: Any, **more: Any) -> None:
        made.append(arguments[2])
        assemble(*arguments, **more)

    monkeypatch.setattr(building, "assemble", count)
    return made


def test_where_nothing_was_written_nothing_is_made(write_task: WriteTask, tmp_path: Path, counted: list[Path]) -> None:
    task, kept = write_task(_joined, NOTES), Kept(tmp_path / "kept.db", 1)
    before = build(task, tmp_path / "out", kept=kept)
    again = build(task, tmp_path / "out", kept=kept)
    assert len(counted) == 1
    assert (again.changed, again.removed) == ((), ())
    assert (again.files, again.size) == (before.files, before.size)


def _write(path: Path, content: bytes) -> None:
    """Another content of the same size, at another time, as a program would write it."""
    path.write_bytes(content)
    os.utime(path, ns=(10**18, 10**18))


CHANGES: dict[str, Callable[[Path, Path], object]] = {
    "a source": lambda root, _: _write(
        root / "lab/test.csv", (root / "lab/test.csv").read_bytes().replace(b"31.25", b"32.25")
    ),
    "a table that is joined": lambda root, _: _write(root / "lab/notes.csv", NOTES["lab/notes.csv"][::1]),
    "the task": lambda root, _: _write(root / "task.yaml", (root / "task.yaml").read_bytes() + b"\n"),
    "a file of the package": lambda _, package: _write(package / "problem/README.md", b"# Other\n"),
    "a file more": lambda _, package: (package / "problem/extra.md").write_text("stale"),
    "a file less": lambda _, package: (package / "metadata.json").unlink(),
}


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_was_written_it_is_made_again(
    what: str, write_task: WriteTask, tmp_path: Path, counted: list[Path]
) -> None:
    task, kept = write_task(_joined, NOTES), Kept(tmp_path / "kept.db", 1)
    package = build(task, tmp_path / "out", kept=kept).path
    CHANGES[what](task.parent, package)
    build(task, tmp_path / "out", kept=kept)
    assert len(counted) == 2
    assert digest_folder(package) == digest_folder(build(task, tmp_path / "fresh").path)


def test_another_program_makes_it_again(
    write_task: WriteTask, tmp_path: Path, counted: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    task, kept = write_task(), Kept(tmp_path / "kept.db", 1)
    build(task, tmp_path / "out", kept=kept)
    monkeypatch.setattr(marks, "program", lambda: "another")
    build(task, tmp_path / "out", kept=kept)
    assert len(counted) == 2


def test_the_program_is_told_by_its_files() -> None:
    assert marks.program() == marks.program.__wrapped__()
    assert marks.program().startswith("sha256:")
