"""What cannot be looked into is told by name; what can be is not."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from nature_gym.acquisition.archive_members import zstd
from nature_gym.packaging.build import build
from nature_gym.packaging.unseen import not_looked_into
from tests.unit.packaging.conftest import WriteTask


def _zip(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return file.getvalue()


def _locked() -> bytes:
    data = bytearray(_zip("a.txt"))
    data[data.find(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.7z", b"7z\xbc\xaf\x27\x1c rest", "a 7z archive"),
        ("a.bin", b"Rar!\x1a\x07\x01\x00", "a RAR archive"),
        ("a.csv.br", b"whatever", "Brotli"),
        ("a.zip", _zip("in/b.7z"), "a.zip!in/b.7z is a 7z archive"),
        ("a.zip", _locked(), "locked"),
        ("a.zip", b"PK\3\4 broken", "cannot be opened"),
        ("a.zip", _zip("b.txt"), ""),
        ("a.rds", gzip.compress(b"x", mtime=0), ""),
        ("a.zst", zstd.compress(b"x"), ""),
        ("a.txt", b"plain", ""),
    ],
)
def test_what_cannot_be_looked_into_is_told(name: str, content: bytes, told: str, tmp_path: Path) -> None:
    folder = tmp_path / "problem"
    folder.mkdir()
    (folder / name).write_bytes(content)
    found = list(not_looked_into(folder))
    assert len(found) == bool(told)
    assert not told or (told in found[0] and found[0].startswith(f"problem/{name}"))


def test_a_build_tells_it_each_time(write_task: WriteTask, tmp_path: Path) -> None:
    task = write_task(
        lambda task: task["instances"][0]["files"].append({"file": "a.7z", "take": "lab/a.7z", "role": "resource"}),
        {"lab/a.7z": b"7z\xbc\xaf\x27\x1c"},
    )
    for _ in range(2):
        assert ["problem/data/runs/a.7z is a 7z" in one for one in build(task, tmp_path / "out").warnings] == [True]
