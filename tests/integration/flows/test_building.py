"""The installed ``build --all`` with a Prefect server: what is stale is built, and one that fails stops no other."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from nature_gym.config import Settings
from nature_gym.demo.tasks import task_id, write_task
from nature_gym.demo.world import build_world
from nature_gym.digests import digest_folder
from nature_gym.packaging.build import build
from nature_gym.records import Papers

COMMAND = Path(sys.executable).with_name("naturegym")
ENTRIES = [entry for entry in build_world().entries if entry.truth.verdict == "passed"][:3]


@pytest.fixture
def tasks(settings: Settings) -> list[Path]:
    """The task.yaml files of three papers; the last one names its method where an agent would see it."""
    tasks = [write_task(entry, settings.papers / entry.paper.id / "cut") for entry in ENTRIES]
    leaking = tasks[-1].read_text()
    name = next(line for line in leaking.splitlines() if line.startswith("name:"))
    method = ENTRIES[-1].paper.doi
    tasks[-1].write_text(leaking.replace(name, f"{name} of {method}"))
    return tasks


def naturegym(*argv: str) -> tuple[int, Any]:
    done = subprocess.run([COMMAND, *argv, "--json"], capture_output=True, check=False)
    return done.returncode, orjson.loads(done.stdout)


@pytest.mark.slow
def test_stale_packages_are_built_and_one_that_cannot_be_stops_no_other(
    settings: Settings, tasks: list[Path], prefect: Callable[..., Any], tmp_path: Path
) -> None:
    code, told = naturegym("build", "--all", "--check")
    assert (code, told.get("counts")) == (1, {"done": 2, "failed": 1}), told
    assert not any(told["problems"].values())
    assert sorted(told["problems"]) == sorted(str(settings.packages / task_id(entry)) for entry in ENTRIES[:2])
    for entry, task in zip(ENTRIES[:2], tasks, strict=False):
        alone = build(task, tmp_path).path
        assert digest_folder(settings.packages / task_id(entry)) == digest_folder(alone)
    assert not (settings.packages / task_id(ENTRIES[2])).exists()
    (run,) = prefect("flow_runs/filter")
    assert run["name"] == "build all papers"

    code, told = naturegym("build", "--all")
    assert (code, told.get("counts")) == (0, {"current": 3}), told

    write_task(ENTRIES[2], tasks[2].parent)
    tasks[0].write_text(tasks[0].read_text() + "\n")
    shutil.rmtree(settings.packages / task_id(ENTRIES[1]))
    code, told = naturegym("build", "--all")
    assert (code, told.get("counts")) == (0, {"done": 3}), told
    assert all((settings.packages / task_id(entry) / "metadata.json").is_file() for entry in ENTRIES)
    papers = Papers(settings.papers)
    assert {papers[entry.paper.id].record("build").verdict for entry in ENTRIES} == {"built"}  # type: ignore[union-attr]
