"""Pins go into a task.yaml as a person would write them there: nothing else of it changes."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from nature_gym.environment.pinning import pinned_text, write_pins
from nature_gym.packaging.task_file import read_task
from tests.unit.packaging.conftest import WriteTask, write_task  # noqa: F401 -- a fixture

PINS = ["lifelines==1.0", "umap-learn==0.5.3"]
STYLES = {
    "none": "# mine\nid: a\ninstances: []\n",
    "without an end": "id: a",
    "empty": "id: a\nenvironment:\nname: b\n",
    "null": "id: a\nenvironment: null\nname: b\n",
    "braces": "id: a\nenvironment: {base: x, as_of: 2021-01-01}  # why\nname: b\n",
    "empty braces": "id: a\nenvironment: {}\nname: b\n",
    "braces with packages": "environment: {packages: [old==1], base: x}\nname: b\n",
    "block": "environment:\n  # the base\n  base: x  # slim\nname: b\n",
    "block with packages": "environment:\n  base: x\n  packages:\n    - old==1\n    - older==2\n\n# next\nname: b\n",
    "packages first": "environment:\n  packages:\n  - old==1\n  base: x\nname: b\n",
    "packages last": "name: b\nenvironment:\n    base: x\n    packages: []",
}


@pytest.mark.parametrize("style", STYLES)
def test_only_the_pins_change_whatever_the_style(style: str) -> None:
    before = yaml.safe_load(STYLES[style])
    text = pinned_text(STYLES[style], PINS)
    after = yaml.safe_load(text)
    environment = before.get("environment") or {}
    assert after == before | {"environment": environment | {"packages": PINS}}
    for kept in ("# mine", "# the base", "# next", "# slim"):
        assert (kept in text) == (kept in STYLES[style])


def test_a_task_with_its_pins_is_read_back(write_task: WriteTask) -> None:  # noqa: F811
    task_file = write_task()
    before = task_file.read_text()
    assert write_pins(task_file, PINS)
    assert read_task(task_file).environment.packages == tuple(PINS)
    assert task_file.read_text().startswith(before.rstrip("\n"))
    assert not write_pins(task_file, PINS)


def test_what_has_no_place_for_them_stays_as_it_was(tmp_path: Path, write_task: WriteTask) -> None:  # noqa: F811
    task_file = write_task()
    text = task_file.read_text() + "environment: &e {base: naturegym-slim:v1}\n"
    task_file.write_text(text)
    write_pins(task_file, PINS)
    assert read_task(task_file).environment.packages == tuple(PINS)
