"""Whether a build would find all as the last one did, told by marks of files: nothing is read to tell it.

The idea: a package follows from its task, the files that the task names, and the program that builds it. Where none of
these was written since, and nobody wrote to the package either, building again would give the same bytes, so it need
not be done. A mark is a file's inode, size and time; it is taken before the file is read, so that one that is written
during a build has another mark the next time.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

from nature_gym.digests import digest_file, digest_json, regular_files
from nature_gym.files import file_mark
from nature_gym.packaging.specification import TaskSpecification
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.sources import Sources

PROGRAM = ("packaging", "splitting", "metrics", "environment")


def marks_of(task: TaskSpecification, task_file: Path) -> dict[str, Any]:
    """What the package of ``task`` is made from: the task by its digest, the files that it names by their marks."""
    return {"task": digest_file(task_file), "files": dict(_named_files(task, task_file.parent)), "program": program()}


def _named_files(task: TaskSpecification, root: Path) -> Iterator[tuple[str, str]]:
    """Each source file that anything in the task names, with its mark."""
    sources = Sources(root, task.sources)
    names = tuple(f"{name}/" for name in task.sources)
    for path in sorted({text for text in _texts(task.model_dump(mode="json")) if text.startswith(names)}):
        try:
            found = sources.files(path)
        except (SplitError, ValueError, OSError):
            yield path, "missing"  # or no path at all, but words that begin like one
            continue
        for name, *_, file in found:
            yield f"{path}:{name}", file_mark(file.stat())


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)


def package_marks(package: Path) -> dict[str, str]:
    """Each file of a package with its mark; none of a package that is not there."""
    if not package.is_dir() or package.is_symlink():
        return {}
    return {path.relative_to(package).as_posix(): file_mark(path.stat()) for path in regular_files(package)}


@functools.cache
def program() -> str:
    """A word for the program that builds: another one when a file of it was written."""
    room = Path(__file__).parent.parent
    folders = [room / name for name in PROGRAM] + [Path(str(resources("templates").joinpath("package")))]
    files = (path for folder in folders for path in regular_files(folder) if path.suffix != ".pyc")
    return digest_json([[str(path), file_mark(path.stat())] for path in files])
