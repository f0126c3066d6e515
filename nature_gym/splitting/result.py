"""A task's files made in one step: a folder that is there whole, with where each file comes from, or not at all."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from nature_gym.digests import digest_json
from nature_gym.errors import UsageError
from nature_gym.files import Draft, write_atomically, write_json
from nature_gym.packaging.task_file import read_task
from nature_gym.splitting.engine import Made, Progress, carry_out_task

PROVENANCE, COUNTS = "provenance.jsonl", "splits.json"


@dataclass(frozen=True, slots=True)
class Result:
    """What was made, and one digest of all files by name and content: equal for equal data and ``task.yaml``."""

    folder: Path
    made: Made
    digest: str


def split_task(task_file: Path, out: Path, *, progress: Progress = lambda *_: None) -> Result:
    """Make the files of ``task_file`` as ``out``, in the place of what was made there before.

    Raises UsageError where something else lies there, TaskFileError and SplitError for the task's faults.
    """
    task = read_task(task_file)
    if out.is_dir() and not (out / PROVENANCE).is_file() and any(out.iterdir()):
        raise UsageError(f"{out} holds other things than a split's result.", hint="Name another folder.")
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file.", hint="Name a folder.")
    out = out.parent.resolve() / out.name
    with Draft(out.parent, out.name) as draft:
        made = carry_out_task(task, task_file.parent, draft.folder, progress=progress)
        digest = write_result(draft.folder, made)
        draft.publish()
    return Result(out, made, digest)


def write_result(folder: Path, made: Made) -> str:
    """Write a line of provenance a file and the counts of splits into ``folder``; the digest of the result."""
    lines = (orjson.dumps(file.as_json(), option=orjson.OPT_SORT_KEYS) for file in made.files)
    write_atomically(folder / PROVENANCE, b"".join(line + b"\n" for line in lines))
    write_json(folder / COUNTS, [asdict(counts) for counts in made.splits])
    return digest_json({file.file: file.digest for file in made.files})
