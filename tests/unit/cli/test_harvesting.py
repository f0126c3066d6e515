"""``naturegym harvest --snapshot`` over damaged files: each fault is told with its reason, in JSON as well."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nature_gym.demo.miniweb import write_snapshot
from nature_gym.demo.world import build_world

COMMAND = Path(sys.executable).with_name("naturegym")


def harvest(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, "harvest", "--snapshot", folder, *options], capture_output=True, text=True, check=False
    )


def a_part(folder: Path) -> Path:
    return min(folder.glob("data/works/*/*.gz"))


def cut(folder: Path) -> None:
    part = a_part(folder)
    part.write_bytes(part.read_bytes()[:-20])


def scramble(folder: Path) -> None:
    a_part(folder).write_bytes(b"this is no gzip at all")


def garble_a_line(folder: Path) -> None:
    part = a_part(folder)
    lines = gzip.decompress(part.read_bytes()).splitlines()
    part.write_bytes(gzip.compress(b"\n".join([lines[0][:-40], *lines])))


def remove(folder: Path) -> None:
    a_part(folder).unlink()


def break_the_manifest(folder: Path) -> None:
    (folder / "data" / "works" / "manifest").write_text("{")


@pytest.mark.parametrize(
    ("damage", "code", "says"),
    [
        (cut, 3, "breaks off"),
        (scramble, 3, "is damaged"),
        (garble_a_line, 0, "a line is no JSON"),
        (remove, 0, "is not there"),
        (break_the_manifest, 2, "is no manifest"),
    ],
)
def test_a_damaged_snapshot_says_why_and_the_rest_is_taken_in(
    damage: Callable[[Path], None], code: int, says: str, tmp_path: Path, naturegym_home: Path
) -> None:
    folder = tmp_path / "snapshot"
    write_snapshot(build_world(0), folder, part_size=20)
    part = a_part(folder)
    damage(folder)
    done = harvest(folder, "--json")
    told: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == code
    if code == 2:
        assert says in told["error"]
        assert told["hint"]
        return
    (problem,) = told["problems"]
    assert says in problem
    assert part.name in problem
    assert told["kept"] > 20
    shown = harvest(folder)
    assert (shown.returncode, says in shown.stdout) == (code, True)
