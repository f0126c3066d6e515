"""Many packages: which ones a path means, all of them at once, and which of them changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from checks.model import Report
from checks.package import CheckedPackage
from checks.running import run_checks
from nature_gym.errors import UsageError

PAUSE = 0.5
"""Seconds between two looks for changes."""
MARKS = ("problem", "evaluation", "metadata.json")


def packages_in(paths: Sequence[Path]) -> list[Path]:
    """The packages that paths mean, each once. Raises UsageError for a path with none."""
    found: dict[Path, None] = {}
    for path in paths:
        if not path.is_dir():
            raise UsageError(f"There is no folder {path}.", hint="Name a package's folder, or one with packages in it.")
        inside = [path] if _is_package(path) else packages_below(path)
        if not inside:
            raise UsageError(f"There is no package in {path}.", hint="A package has problem/ and evaluation/ in it.")
        found.update(dict.fromkeys(inside))
    return list(found)


def packages_below(folder: Path) -> list[Path]:
    """The packages in a folder, which need not exist; what is being made there has a name with a dot."""
    names = sorted(folder.iterdir()) if folder.is_dir() else []
    return [one for one in names if not one.name.startswith(".") and _is_package(one)]


def package_of(path: Path) -> tuple[Path, str]:
    """The package that ``path`` is or lies in, and its path in there. Raises UsageError where there is none."""
    for folder in (path, *path.absolute().parents):
        if folder.is_dir() and _is_package(folder):
            inside = path.absolute().relative_to(folder.absolute()).as_posix()
            return folder, "" if inside == "." else inside
    raise UsageError(f"{path} is in no package.", hint="A package has problem/ and evaluation/ in it.")


def _is_package(path: Path) -> bool:
    """Whether at least two of the marks are there: a package may lack one, which is what a check is to say."""
    return path.is_dir() and sum((path / mark).exists() for mark in MARKS) >= 2


def check_packages(
    packages: Sequence[Path],
    *,
    chosen: set[str] | None = None,
    static: bool = False,
    method_names: tuple[str, ...] = (),
    repository: Path | None = None,
    extended: bool = False,
    jobs: int = 1,
) -> list[Report]:
    """The report on each package, in their order; several at once where ``jobs`` says so."""
    look = partial(
        run_checks, chosen=chosen, static=static, method_names=method_names, repository=repository, extended=extended
    )
    if jobs == 1 or len(packages) == 1:
        return [look(path) for path in packages]
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Spawned, not forked: a thread of whoever calls may hold a lock.
    with ProcessPoolExecutor(min(jobs, len(packages)), multiprocessing.get_context("spawn")) as pool:
        return list(pool.map(look, packages))


def changes(packages: Sequence[Path], *, wait: Callable[[], None] | None = None) -> Iterator[Path]:
    """Each package whenever something in it changed, until nobody asks any more."""
    wait = wait or partial(time.sleep, PAUSE)
    known = {path: _mark(path) for path in packages}
    while True:
        wait()
        for path in packages:
            if (mark := _mark(path)) != known[path]:
                known[path] = mark
                yield path


def _mark(path: Path) -> int:
    """A number that another state of the package has another of."""
    marks = []
    for name in CheckedPackage(path).entries:
        try:
            status = (path / name).lstat()
        except OSError:
            continue
        marks.append((name, status.st_size, status.st_mtime_ns))
    return hash(tuple(marks))
