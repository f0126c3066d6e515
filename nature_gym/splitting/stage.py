"""Splitting as a stage in a paper's life: the files of its task, made from the task.yaml that the cut wrote."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nature_gym.digests import digest_file
from nature_gym.errors import FindingsError, PaperError
from nature_gym.packaging.specification import TaskSpecification, paths_of
from nature_gym.packaging.task_file import read_task
from nature_gym.records import PaperFolder, Papers
from nature_gym.splitting.engine import carry_out_task
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.result import write_result
from nature_gym.splitting.sources import Sources
from nature_gym.stages import Outcome

NAME = "split"
TASK = Path("cut", "task.yaml")


class SplitStage:
    """Makes the files of a paper's task: both sides, provenance, counts."""

    name = NAME
    rules = "1"

    def inputs(self, paper: PaperFolder) -> Any:
        """The task by its digest, and every file that it names by size and time."""
        task = self._task(paper)
        path = paper.path / TASK
        return {"task": digest_file(path), "files": dict(marks(task, path.parent))}

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        """Carry it out. Raises SplitError where rows are lost or doubled, or files are not there."""
        made = carry_out_task(self._task(paper), (paper.path / TASK).parent, draft)
        digest = write_result(draft, made)
        rows = {f"{one.instance}/{one.split}": one.counts for one in made.splits}
        return Outcome("split", f"{len(made.files)} files", facts={"digest": digest, "rows": rows})

    def _task(self, paper: PaperFolder) -> TaskSpecification:
        if not (paper.path / TASK).is_file():
            raise PaperError("there is no task.yaml", hint="The paper has to be cut first.")
        try:
            return read_task(paper.path / TASK)
        except FindingsError as error:
            raise PaperError(error.message, hint=error.hint) from error


def marks(task: TaskSpecification, root: Path) -> Iterator[tuple[str, str]]:
    """Each file that the task names, with what changes when it is written."""
    try:
        sources = Sources(root, task.sources, task.tables)
    except SplitError as error:
        yield "tables", error.message
        return
    for path in sorted({path for instance in task.instances for path in paths_of(instance)}):
        try:
            found = sources.files(path)
        except SplitError:
            yield path, "missing"
            continue
        for taken, _, file in found:
            status = file.stat()
            yield taken, f"{status.st_size}:{status.st_mtime_ns}"


def splittable(papers: Papers) -> list[str]:
    """The ids of all papers that have a task."""
    return [paper.id for paper in papers if (paper.path / TASK).is_file()]
