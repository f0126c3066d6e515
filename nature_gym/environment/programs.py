"""The programs whose imports a task's environment has to satisfy, and what their authors say of them.

Of a task they are its evaluator and the programs among its data, made as a build makes them; of a folder all Python in
it, notebooks too. Files are read, in bounded number and size; links are not followed.
"""

from __future__ import annotations

import datetime as dt
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nature_gym.cut.notebooks import notebook_source
from nature_gym.environment.imports import LARGEST_SOURCE
from nature_gym.environment.manifests import manifests
from nature_gym.environment.requirement_files import LARGEST, is_requirement_file
from nature_gym.errors import UsageError

MOST_FILES = 5_000
MOST_ENTRIES = 200_000
_LEFT_OUT = {"__pycache__", "node_modules", "site-packages", "venv", "env"}


@dataclass(frozen=True)
class Programs:
    """``sources`` and ``requirement_files`` are path -> text; the rest is what the task says, where there is one."""

    sources: dict[str, str]
    requirement_files: dict[str, str] = field(default_factory=dict)
    base: str | None = None
    pins: tuple[str, ...] = ()
    as_of: dt.date | None = None


def programs_of_task(task_file: Path) -> Programs:
    """Those of a ``task.yaml``: its package is made, without being kept.

    Raises BuildError (SplitError) where the task does not fit its data.
    """
    from nature_gym.packaging.build import make_contents
    from nature_gym.packaging.task_file import read_task

    task = read_task(task_file)
    with tempfile.TemporaryDirectory(prefix="naturegym-env-") as name:
        contents = make_contents(task, task_file, Path(name))
    wishes: dict[str, str] = {}
    for source in task.sources.values():
        folder = (task_file.parent / source.path).resolve()
        if source.kind == "repository" and folder.is_dir():
            wishes |= programs_of_folder(folder).requirement_files
    environment = task.environment
    return Programs(contents.scripts, wishes, environment.base, environment.packages, environment.as_of)


def programs_of_folder(folder: Path) -> Programs:
    """Those of a folder; of a package with the base that its Dockerfile names, and what its task pins."""
    sources: dict[str, str] = {}
    wishes: dict[str, str] = {}
    for count, path in enumerate(_files(folder)):
        if count >= MOST_ENTRIES or len(sources) >= MOST_FILES:
            raise UsageError(f"{folder} has too many files.", hint="Name a folder of programs in it.")
        name = path.relative_to(folder).as_posix()
        if is_requirement_file(name) and path.stat().st_size <= LARGEST:
            wishes[name] = _text(path)
        if path.suffix == ".py" and name != "setup.py":
            sources[name] = _text(path) if path.stat().st_size <= LARGEST_SOURCE else ""
        elif path.suffix == ".ipynb" and path.stat().st_size <= 8 * LARGEST_SOURCE:
            try:
                sources[name] = notebook_source(_text(path))[0]
            except (ValueError, TypeError, AttributeError):
                continue
    return Programs(sources, wishes, *_said_by_package(folder))


def _said_by_package(folder: Path) -> tuple[str | None, tuple[str, ...], dt.date | None]:
    """(base, pins, date) of a package's own task, or the base of its Dockerfile."""
    from nature_gym.packaging.package import DOCKERFILE
    from nature_gym.packaging.task_file import read_task

    task_file, dockerfile = folder / "task.yaml", folder / DOCKERFILE
    if task_file.is_file():
        environment = read_task(task_file).environment
        return environment.base, environment.packages, environment.as_of
    if dockerfile.is_file() and dockerfile.stat().st_size <= LARGEST:
        for line in _text(dockerfile).splitlines():
            words = line.split()
            if len(words) > 1 and words[0].upper() == "FROM":
                return words[1] if words[1] in manifests() else None, (), None
    return None, (), None


def _files(folder: Path) -> Iterator[Path]:
    """Regular files below ``folder``, in order, hidden and installed ones left out."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _LEFT_OUT)
        for name in sorted(names):
            path = Path(parent, name)
            if path.is_file() and not path.is_symlink():
                yield path


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").removeprefix("\ufeff")
