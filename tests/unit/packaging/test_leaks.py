"""Answers among the visible files stop a build; columns that only look alike do not."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nature_gym.acquisition.archive_members import zstd
from nature_gym.packaging.build import build
from nature_gym.packaging.faults import FirewallError
from tests.unit.packaging.conftest import TEST, WriteTask

YIELDS = np.array([float(line.split(",")[3]) for line in TEST.splitlines()[1:]])


def _undropped(task: dict[str, Any]) -> None:
    del task["instances"][0]["files"][1]["steps"]


def _extra(task: dict[str, Any]) -> None:
    task["instances"][0]["files"].append({"file": "extra.npz", "take": "lab/extra.npz", "role": "resource"})


def _same_file(task: dict[str, Any]) -> None:
    steps = [{"keep": ["run", "yield"]}]
    task["instances"][0]["files"].append(
        {"file": "more.csv", "take": "lab/test.csv", "steps": steps, "role": "resource"}
    )


def _renamed(task: dict[str, Any]) -> None:
    steps = [{"drop": ["time"]}, {"rename": {"yield": "pressure"}}]
    task["instances"][0]["files"][1]["steps"] = steps


def _npz(path: Path, array: Any) -> bytes:
    np.savez(path, hint=array)
    return path.read_bytes()


@pytest.mark.parametrize(
    ("change", "array", "reason"),
    [
        (_undropped, None, "test.csv: 'yield' .equals the answers"),
        (_renamed, None, "test.csv: 'pressure' .equals the answers"),
        (_same_file, None, "more.csv: 'yields.csv' .the file with the answers"),
        (_extra, YIELDS, "extra.npz: 'hint' .equals"),
        (_extra, np.sort(YIELDS), "extra.npz: 'hint' .equals"),
        (_extra, np.stack([YIELDS * 0, YIELDS], axis=1), r"extra.npz: 'hint\[:, 1\]' .equals"),
    ],
)
def test_answers_that_can_be_seen_stop_the_build(
    change: Callable[[dict[str, Any]], None], array: Any, reason: str, write_task: WriteTask, tmp_path: Path
) -> None:
    files = {} if array is None else {"lab/extra.npz": _npz(tmp_path / "x.npz", array)}
    with pytest.raises(FirewallError, match=reason):
        build(write_task(change, files), tmp_path / "out")


@pytest.mark.parametrize("array", [YIELDS + 1, YIELDS[:-1], np.zeros(8), np.arange(8.0)])
def test_other_values_are_no_answers(array: Any, write_task: WriteTask, tmp_path: Path) -> None:
    build(write_task(_extra, {"lab/extra.npz": _npz(tmp_path / "x.npz", array)}), tmp_path / "out")


# -- other forms, and answers among others ---------------------------------------------------

RANDOM = np.random.default_rng(4)
COUNT = 100
TRUTH = RANDOM.normal(40, 9, COUNT).round(4)
LABELS = RANDOM.integers(0, 2, COUNT)


def _with(name: str, role: str = "resource") -> Callable[[dict[str, Any]], None]:
    def change(task: dict[str, Any]) -> None:
        task["instances"][0]["files"].append({"file": name, "take": f"lab/{name}", "role": role})
        task["instances"][0]["answer"][0]["columns"][1] = {"name": "yield"}

    return change


def _test_table(values: Any) -> bytes:
    rows = "".join(f"e{n},{310 + n},{n * 5 % 11},{value}\n" for n, value in enumerate(values.tolist()))
    return f"run,temperature,time,yield\n{rows}".encode()


def _column(values: Any, heading: str = "") -> bytes:
    return (heading + "".join(f"{value}\n" for value in values.tolist())).encode()


def _table(values: Any, ids: bool = False) -> bytes:
    names = [f"e{n}" for n in range(len(values))] if ids else [f"x{n}" for n in range(len(values))]
    order = RANDOM.permutation(len(values)) if ids else range(len(values))
    rows = "".join(f"{names[n]},{n % 7},{values[n]}\n" for n in order)
    return f"name,other,hint\n{rows}".encode()


def _zipped(name: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("notes.txt", "nothing")
        archive.writestr(name, content)
    return file.getvalue()


def _tarred(name: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return file.getvalue()


def _saved(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


MORE = RANDOM.normal(40, 9, 60).round(4)
LONGER = np.concatenate([MORE[:25], TRUTH, MORE[25:]])
IDS = [f"e{n}" for n in range(COUNT)]


@pytest.mark.parametrize(
    ("name", "content", "truth"),
    [
        ("hint.txt", _column(TRUTH), TRUTH),
        ("hint.csv", _column(TRUTH), TRUTH),
        ("hint.dat", _column(np.sort(TRUTH)), TRUTH),
        ("hint.json", json.dumps(TRUTH.tolist()).encode(), TRUTH),
        ("hint.json", json.dumps({"notes": "x", "deep": [{"a": TRUTH.tolist()}]}).encode(), TRUTH),
        ("hint.json", json.dumps(dict(zip(IDS, TRUTH.tolist(), strict=True))).encode(), TRUTH),
        ("hint.json", json.dumps([{"run": "q", "y": one} for one in TRUTH.tolist()]).encode(), TRUTH),
        ("hint.npy", _saved(TRUTH.astype(np.float32)), TRUTH),
        ("hint.csv.gz", gzip.compress(_table(TRUTH), mtime=0), TRUTH),
        ("hint.txt.gz", gzip.compress(_column(TRUTH), mtime=0), TRUTH),
        ("hint.zip", _zipped("inner/hint.csv", _table(TRUTH)), TRUTH),
        ("hint.zip", _zipped("hint.npy", _saved(TRUTH)), TRUTH),
        ("hint.tar.gz", _tarred("inner/hint.csv", _table(TRUTH)), TRUTH),
        ("hint.csv.zst", zstd.compress(_table(TRUTH)), TRUTH),
        ("hint.csv", _table(LONGER), TRUTH),
        ("hint.csv", _table(RANDOM.permutation(LONGER)), TRUTH),
        ("hint.csv", _table(TRUTH[:90]), TRUTH),
        ("hint.csv", _table(TRUTH[10:]), TRUTH),
        ("hint.npy", _saved(RANDOM.permutation(TRUTH)[:90].astype(np.float32)), TRUTH),
        ("hint.csv", _table(np.concatenate([MORE.round(0) % 2, LABELS]).astype(int)), LABELS),
        ("hint.csv", _table(LABELS, ids=True), LABELS),
        ("hint.json", json.dumps(dict(sorted(zip(IDS, LABELS.tolist(), strict=True)))).encode(), LABELS),
    ],
)
def test_answers_are_found_in_whatever_form_they_can_be_seen(
    name: str, content: bytes, truth: Any, write_task: WriteTask, tmp_path: Path
) -> None:
    task = write_task(_with(name), {f"lab/{name}": content, "lab/test.csv": _test_table(truth)})
    with pytest.raises(FirewallError, match=f"data/runs/{name}.* in yields.csv: yield"):
        build(task, tmp_path / "out")


ROUND = RANDOM.integers(0, 50, COUNT)


@pytest.mark.parametrize(
    ("name", "content", "truth"),
    [
        ("other.csv", _table(RANDOM.normal(40, 9, 400).round(4)), TRUTH),
        ("other.csv", _table(TRUTH[:80]), TRUTH),
        ("other.csv", _table(RANDOM.integers(0, 60, 500)), ROUND),
        ("other.csv", _table(np.arange(1000)), ROUND),
        ("other.csv", _table(RANDOM.integers(0, 500, 4000) / 10), ROUND + 0.5),
        ("other.csv", _table(np.concatenate([RANDOM.integers(0, 50, 500), RANDOM.random(80) * 50])), ROUND),
        ("other.csv", _table(RANDOM.integers(0, 2, 300)), LABELS),
        ("other.csv", _table(RANDOM.permutation(LABELS)), LABELS),
        ("other.txt", b"a note of some words\nand another one of some\n", LABELS),
        ("other.json", b'{"a": [1, 2, 3, 4, 5, 6], "b": {"c": [[1, 2], [3, 4]]}}', TRUTH),
        ("other.zip", b"PK\3\4 no archive", TRUTH),
        ("other.json", b"[" * 100000, TRUTH),
    ],
)
def test_what_is_alike_by_chance_is_no_answer(
    name: str, content: bytes, truth: Any, write_task: WriteTask, tmp_path: Path
) -> None:
    build(write_task(_with(name), {f"lab/{name}": content, "lab/test.csv": _test_table(truth)}), tmp_path / "out")
