"""Building as a stage in a paper's life: from the task that the cut wrote to the package, skipped while it is current.

The package lies in the folder of packages under its task's opaque id; the paper's folder keeps what was built, and from
what.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nature_gym.config import Settings
from nature_gym.errors import PaperError
from nature_gym.files import write_json
from nature_gym.kept import Kept
from nature_gym.packaging.build import build
from nature_gym.packaging.marks import marks_of
from nature_gym.packaging.task_file import TaskFileError, read_task
from nature_gym.records import PaperFolder, Papers
from nature_gym.stages import Outcome

NAME = "build"
RULES = "build-1"
TASK = Path("cut", "task.yaml")
SUMMARY = "package.json"


class BuildStage:
    """Builds the package of a paper that was cut."""

    name = NAME
    rules = RULES

    def __init__(self, packages: Path, kept: Kept | None = None) -> None:
        self._packages = packages
        self._kept = kept

    def inputs(self, paper: PaperFolder) -> Any:
        """The task by its digest, its sources' files by their marks; and whether a package that was made is gone."""
        task_file = paper.path / TASK
        if not task_file.is_file():
            raise PaperError("there is no task.yaml", hint="The paper has to be cut first.")
        try:
            task = read_task(task_file)
        except TaskFileError as error:
            raise PaperError(error.message, hint=error.hint) from error
        gone = (paper.path / NAME / SUMMARY).exists() and not (self._packages / task.id / "metadata.json").is_file()
        return marks_of(task, task_file) | {"gone": gone}

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        """Build it."""
        built = build(paper.path / TASK, self._packages, kept=self._kept)
        write_json(draft / SUMMARY, built.as_json())
        facts = {"task": built.task, "files": built.files, "size": built.size}
        return Outcome("built", f"{built.files} files", facts=facts)


def kept_for(settings: Settings) -> Kept:
    """What builds found out about contents; an older way of finding out has other keys."""
    return Kept(settings.home / "packaging.db", 1)


def summary_of(paper: PaperFolder, *, current: bool) -> dict[str, Any]:
    """What the last build of a paper's package came to; nothing changed where it was ``current``."""
    summary: dict[str, Any] = json.loads((paper.path / NAME / SUMMARY).read_bytes())
    return summary | ({"changed": [], "removed": []} if current else {})


def buildable(papers: Papers) -> list[str]:
    """The ids of all papers that have a task."""
    return [paper.id for paper in papers if (paper.path / TASK).is_file()]
