"""Pins that were resolved, written back into a ``task.yaml``: one entry is put in its place, all else stays as it is.

The idea: a person wrote the file, with comments and in an order of their own, so it is not written anew. The place of
``environment.packages`` is found by parsing, and the text there replaced; what comes out has to say the same as before
but for the pins, or nothing is written.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from nature_gym.errors import UsageError
from nature_gym.files import write_atomically
from nature_gym.packaging.task_file import read_task

ENVIRONMENT, PACKAGES = "environment", "packages"


def write_pins(task_file: Path, pins: Sequence[str]) -> bool:
    """Make ``pins`` the packages of a task's environment; whether that changed the file.

    Raises UsageError where the file is written in a way that has no place for them; then it is as it was.
    """
    before = read_task(task_file)
    if list(before.environment.packages) == list(pins):
        return False
    text = task_file.read_bytes().decode("utf-8")
    written = pinned_text(text, pins)
    environment = before.environment.model_copy(update={"packages": tuple(pins)})
    expected = before.model_copy(update={"environment": environment}).model_dump(mode="json")
    if _said(written) != _said(text) | {ENVIRONMENT: _said(written).get(ENVIRONMENT)}:
        raise UsageError(f"The pins find no place in {task_file}.", hint=f"Write them there: {json.dumps(list(pins))}")
    write_atomically(task_file, written.encode())
    try:
        changed = read_task(task_file).model_dump(mode="json") == expected
    except UsageError:
        changed = False
    if not changed:
        write_atomically(task_file, text.encode())
        raise UsageError(f"The pins find no place in {task_file}.", hint=f"Write them there: {json.dumps(list(pins))}")
    return True


def _said(text: str) -> dict[str, Any]:
    said = yaml.safe_load(text)
    return said if isinstance(said, dict) else {}


def pinned_text(text: str, pins: Sequence[str]) -> str:
    """The text of a ``task.yaml`` with ``pins`` as the packages of its environment."""
    listed = json.dumps(list(pins))
    environment = _value(yaml.compose(text, Loader=yaml.SafeLoader), ENVIRONMENT)
    if environment is None:
        return f"{text.rstrip(chr(10))}\n{ENVIRONMENT}:\n  {PACKAGES}: {listed}\n"
    if not isinstance(environment, yaml.MappingNode) or not environment.value:
        return _replaced(text, environment, f"{{{PACKAGES}: {listed}}}")
    packages = _value(environment, PACKAGES)
    if packages is not None:
        return _replaced(text, packages, listed)
    first = environment.value[0][0].start_mark
    between = ", " if environment.flow_style else f"\n{' ' * first.column}"
    return f"{text[: first.index]}{PACKAGES}: {listed}{between}{text[first.index :]}"


def _value(node: yaml.Node | None, key: str) -> yaml.Node | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    return next((value for name, value in node.value if name.value == key), None)


def _replaced(text: str, node: yaml.Node, by: str) -> str:
    """``text`` with a value in the place of a node's; what follows a block's last entry, comments too, stays."""
    start, end = node.start_mark.index, node.end_mark.index
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        end = (last[1] if isinstance(last, tuple) else last).end_mark.index
        start = len(text[:start].rstrip())  # a block begins below its key; a value in brackets goes beside it
    return f"{text[:start]}{'' if text[start - 1 : start] == ' ' else ' '}{by}{text[end:]}"
