"""Answers among the visible files stop a build; columns that only look alike do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

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
