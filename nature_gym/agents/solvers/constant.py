"""Answers of the right form without a model, handed in once: the floor that every method has to beat.

Runs inside a box, with the files of :mod:`nature_gym.agents.shipping` beside it.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import nature_gym.agents.client as client  # noqa: PLR0402 -- a file of the workspace where it runs
from nature_gym.baseline import answering, asked, data


def write_floor(readme: str) -> dict[str, str]:
    """Write what section 5 of ``readme`` asks for, for each instance; instance -> why it has no answer."""
    forms = [one.as_form() for one in asked.asked_files(readme)]
    folder = answering.DATA_DIR
    names = asked.instances_of(readme) or sorted(one.name for one in folder.iterdir() if one.is_dir())
    answering.FORMS, answering.INSTANCES = forms, names
    if not forms:
        return dict.fromkeys(names, "section 5 names no file")
    untold = {}
    for name in names:
        try:
            answering.solve(name)
        except data.NoAnswerError as reason:
            untold[name] = str(reason)
    return untold


def main() -> int:
    """Write and hand in; 0, or 1 where the service took no answer, or 3 where nothing can be told.

    With the argument ``write`` nothing is handed in.
    """
    readme = (Path(os.environ["DATA_DIR"]).parent / "README.md").read_text(encoding="utf-8")
    untold = write_floor(readme)
    for name, reason in untold.items():
        sys.stderr.write(f"{name}: {reason}\n")
    if len(untold) == len(answering.INSTANCES):
        return 3
    if sys.argv[1:] == ["write"]:
        return 0
    try:
        sys.stdout.write(json.dumps(client.submit()) + "\n")
    except client.ScoringError as error:
        sys.stderr.write(f"{error}\n{json.dumps(error.body)}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
