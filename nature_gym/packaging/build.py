"""One specification in, a package out: made beside its place, looked through, and put there in one step.

The idea: a package is rendered whole each time, into a folder of its own, so that nothing stale can stay. Files that
came out as they were before are then taken from the package before (the same file, by a link), and the two folders
change places. Whoever looks sees the old package or the new one.
"""

from __future__ import annotations

import ctypes
import filecmp
import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nature_gym.digests import digest_bytes, digest_json, regular_files
from nature_gym.files import Draft, flush_folder, is_held, to_json
from nature_gym.kept import Kept
from nature_gym.packaging import firewall, render, surroundings
from nature_gym.packaging.evaluator import InstanceData, contracts_of, evaluator_source
from nature_gym.packaging.faults import BuildError, written_below
from nature_gym.packaging.marks import marks_of, package_marks
from nature_gym.packaging.measure import Measured, measure_folder
from nature_gym.packaging.package import EVALUATOR
from nature_gym.packaging.rehearsal import rehearse
from nature_gym.packaging.specification import TaskSpecification
from nature_gym.packaging.task_file import read_task
from nature_gym.packaging.unseen import not_looked_into
from nature_gym.splitting.engine import HIDDEN, VISIBLE, Made, carry_out_task
from nature_gym.splitting.sources import Sources

LARGEST_TASK = 16 << 20
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Built:
    """A package that was made: where, of which files, and which of them are other than before."""

    task: str
    path: Path
    files: int
    size: int
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    warnings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """As commands print it."""
        return {
            "task": self.task,
            "package": str(self.path),
            "files": self.files,
            "size": self.size,
            "changed": list(self.changed),
            "removed": list(self.removed),
            "warnings": list(self.warnings),
        }


def build(task_file: Path, folder: Path, *, kept: Kept | None = None, progress: Progress = lambda *_: None) -> Built:
    """Make the package of ``task_file`` as ``folder``/<task id>.

    What is found out about contents is ``kept``, and not found out again; and where nothing at all was written since
    the last build of it into that folder, nothing is done.

    Raises BuildError (SplitError, FirewallError) where the task, its data or the firewall is in the way; then
    whatever package was there before stays.
    """
    task = read_task(task_file)
    if task.questions:
        raise BuildError(f"{task.id} has open questions: {task.questions[0]}", hint="Answer them, and take them out.")
    target = folder / task.id
    key = f"built {digest_json([str(target.absolute()), marks_of(task, task_file)])}"
    there = package_marks(target)
    if kept is not None and there and kept.get([key]).get(key) == there:
        return Built(task.id, target, len(there), _size(target, there), (), (), _warnings(target))
    with written_below(folder), Draft(folder, task.id) as draft:
        _sweep(folder, task.id, draft.folder)
        assemble(task, task_file, draft.folder, kept=kept, progress=progress)
        changed, removed = _compare(target, draft.folder)
        if changed or removed or not target.is_dir():
            draft.flush()
            exchange(draft.folder, target)
    there = package_marks(target)
    if kept is not None:
        kept.put({key: there})
    return Built(task.id, target, len(there), _size(target, there), changed, removed, _warnings(target))


def _warnings(package: Path) -> tuple[str, ...]:
    return tuple(not_looked_into(package / "problem"))


def _size(package: Path, names: Iterable[str]) -> int:
    return sum((package / name).stat().st_size for name in names)


def assemble(
    task: TaskSpecification,
    task_file: Path,
    package: Path,
    *,
    kept: Kept | None = None,
    progress: Progress = lambda *_: None,
) -> None:
    """Write every file of the package into the empty folder ``package``."""
    root = task_file.parent
    contents = make_contents(task, task_file, package, kept=kept, progress=progress)
    data, made = contents.data, contents.made
    rehearse(task, contents.contracts, package, digests_of(made), kept)
    _write(package, "problem/README.md", render.readme(task, data))
    _write(package, "problem/data_description.md", render.data_description(task, data))
    _write(package, "metadata.json", to_json(render.metadata(task)))
    surrounding = surroundings.environment(task, contents.scripts)
    _write(package, "environment/Dockerfile.v3", surrounding.dockerfile)
    _write(package, "environment/packages.json", to_json(surrounding.packages))
    for name, notice in surroundings.licences(task, root, made).items():
        _write(package, f"licenses/{name}", notice)
    written = task_file.read_bytes()
    _write(package, "provenance.json", to_json(surroundings.provenance(task, digest_bytes(written), made)))
    _write(package, "task.yaml", written)
    firewall.guard(task, contents.contracts, data, package, digests_of(made), kept)


@dataclass(frozen=True)
class Contents:
    """What a package holds that is made of the data: how each file was made, what was measured, and its programs.

    ``scripts`` are the evaluator and the Python among the data, path in the package -> text.
    """

    made: Made
    data: dict[str, InstanceData]
    contracts: dict[str, dict[str, Any]]
    scripts: dict[str, str]


def make_contents(
    task: TaskSpecification,
    task_file: Path,
    package: Path,
    *,
    kept: Kept | None = None,
    progress: Progress = lambda *_: None,
) -> Contents:
    """Write the data and the evaluator into the empty folder ``package``."""
    root = task_file.parent
    made = carry_out_task(task, root, package, progress=progress)
    data = measure_data(task, package, digests_of(made), kept)
    metrics_file = Sources(root, task.sources).file(task.metrics_file) if task.metrics_file is not None else None
    contracts = contracts_of(task, data)
    evaluator = evaluator_source(task, contracts, metrics_file)
    _write(package, EVALUATOR, evaluator)
    return Contents(made, data, contracts, {EVALUATOR: evaluator, **_scripts(package, made)})


def digests_of(made: Made) -> dict[str, str]:
    """Path in the package -> digest of each file of data."""
    return {one.file: one.digest for one in made.files}


def measure_data(
    task: TaskSpecification, package: Path, digests: Mapping[str, str], kept: Kept | None
) -> dict[str, InstanceData]:
    """What was measured of the data of each instance."""

    def side(folder: str) -> dict[str, Measured]:
        below = {name.removeprefix(f"{folder}/"): one for name, one in digests.items() if name.startswith(f"{folder}/")}
        return {one.file: one for one in measure_folder(package / folder, below, kept)}

    return {
        instance.name: InstanceData(side(f"{VISIBLE}/{instance.name}"), side(f"{HIDDEN}/{instance.name}"))
        for instance in task.instances
    }


def _scripts(package: Path, made: Made) -> dict[str, str]:
    """The Python sources among the data, by path."""
    return {
        one.file: (package / one.file).read_text(encoding="utf-8", errors="replace")
        for one in made.files
        if one.file.endswith(".py") and one.size < LARGEST_TASK
    }


def _write(package: Path, name: str, content: str | bytes) -> None:
    path = package / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)


# -- putting in place ------------------------------------------------------------------------


def _compare(before: Path, after: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files that changed and those that went; what did not change becomes the very file of ``before``."""
    changed = []
    names = {path.relative_to(after).as_posix() for path in regular_files(after)}
    for name in sorted(names):
        old, new = before / name, after / name
        if not old.is_file() or old.is_symlink() or not filecmp.cmp(old, new, shallow=False):
            changed.append(name)
        elif not old.samefile(new):
            _take_over(old, new)
    gone = {path.relative_to(before).as_posix() for path in regular_files(before)} if before.is_dir() else set()
    return tuple(changed), tuple(sorted(gone - names))


def _take_over(old: Path, new: Path) -> None:
    """Put the file ``old`` in the place of ``new``, which is equal to it, where the disk has links."""
    linked = new.with_name(f".{new.name[:200]}.old")
    try:
        os.link(old, linked)
    except OSError:
        return
    linked.rename(new)


def exchange(one: Path, other: Path) -> None:
    """Let two folders change places; ``other`` may be missing, and then ``one`` takes its place."""
    if not other.exists():
        one.rename(other)
    elif not _swapped(one, other):  # a file system without that call: there is a moment between two renames
        aside = one.with_name(f"{one.name}.aside")
        other.rename(aside)
        one.rename(other)
        aside.rename(one)
    flush_folder(other.parent)


def _swapped(one: Path, other: Path) -> bool:
    """renameat2(RENAME_EXCHANGE), which Linux carries out whole or not at all."""
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    here, swap = -100, 2
    return call is not None and call(here, os.fsencode(one), here, os.fsencode(other), swap) == 0


def _sweep(folder: Path, name: str, keep: Path) -> None:
    """Remove what builds that were killed left."""
    for path in folder.glob(f".{name}.*"):
        if path != keep and path.is_dir() and not path.is_symlink() and not is_held(path):
            shutil.rmtree(path, ignore_errors=True)
