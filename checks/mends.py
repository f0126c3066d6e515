"""What of a package can be mended without thinking: files rendered anew, trees drawn anew, caches taken away.

The idea: a mend is a whole new content of one file, or its removal, worked out before anything is touched, so that it
can be shown first. Only files that a check complains of are changed. What would come of all mends together is checked
before it is offered: a mend by which a check fails that did not fail before is left out.
"""

from __future__ import annotations

import difflib
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from checks.by_products import is_litter
from checks.dockerfile import read_dockerfile
from checks.environment import image_of
from checks.model import Report
from checks.package import DATA, DESCRIPTION, DOCKERFILE, PACKAGES, CheckedPackage, loads
from checks.rendering import rendered
from checks.running import run_on
from checks.sections import DESCRIPTION_PARTS
from nature_gym.environment.names import module_of
from nature_gym.files import TEMPORARY_PREFIX, flush_folder, to_json
from nature_gym.packaging.drawn_tree import tree

MOST_LINES = 60


@dataclass(frozen=True, slots=True)
class Mend:
    """``content`` is the file's new one; None where the file or folder goes. ``because`` says what it is for."""

    file: str
    content: bytes | None
    because: str

    def difference(self, package: CheckedPackage) -> tuple[str, ...]:
        """What changes, as a unified diff."""
        if self.content is None:
            inside = sum(1 for _ in package.below(self.file))
            return (f"-{self.file}" + (f"/ ({inside} files)" if inside else ""),)
        before = package.text(self.file).content.splitlines()
        lines = list(
            difflib.unified_diff(
                before, self.content.decode("utf-8").splitlines(), self.file, self.file, lineterm="", n=1
            )
        )
        more = (f"... {len(lines) - MOST_LINES} lines more",) if len(lines) > MOST_LINES else ()
        return (*lines[:MOST_LINES], *more)


def mends_of(package: CheckedPackage, report: Report | None = None) -> tuple[Mend, ...]:
    """What can be mended, in the order of the files. ``report`` is that of the static checks, made where None."""
    before = report or run_on(package, static=True)
    wanted = [*_litter(package, _complaints(before))]
    cleared = CheckedPackage(
        package.path, method_names=package.method_names, instead={one.file: None for one in wanted}
    )
    complaints = _complaints(run_on(cleared, static=True) if wanted else before)
    anew = rendered(cleared, set(complaints))
    for file, content in anew.items():
        ids = ", ".join(dict.fromkeys(complaints[file]))
        wanted.append(Mend(file, content, f"rendered anew from task.yaml ({ids})"))
    wanted += _derived(cleared, complaints, anew)
    wanted = [
        one
        for one in wanted
        if one.content is None
        or (_inside(package, one.file) and package.text(one.file).content.encode() != one.content)
    ]
    return tuple(sorted(_harmless(package, before, wanted), key=lambda one: one.file))


def _complaints(report: Report) -> dict[str, list[str]]:
    """The checks that complain of each file."""
    found: dict[str, list[str]] = {}
    for one in report.checks:
        for finding in one.findings:
            if not finding.suppressed:
                found.setdefault(finding.file, []).append(one.id)
    return found


def _inside(package: CheckedPackage, file: str) -> bool:
    """Whether a file's folder is in the package; a link in its place would lead out of it."""
    folders = [str(one) for one in PurePosixPath(file).parents if str(one) != "."]
    return all(one not in package.entries or package.entries[one].kind == "folder" for one in folders)


def _litter(package: CheckedPackage, complaints: Mapping[str, Sequence[str]]) -> Iterator[Mend]:
    for file in complaints:
        entry = package.entries.get(file)
        if "C3.2" in complaints[file] and entry and entry.kind in ("file", "folder"):
            own = file.rpartition("/")[2]
            if is_litter(own, folder=entry.kind == "folder"):
                yield Mend(file, None, "a cache, or a file of an editor or a system (C3.2)")


def _derived(
    package: CheckedPackage, complaints: Mapping[str, Sequence[str]], anew: Mapping[str, bytes]
) -> Iterator[Mend]:
    """What follows from other files of the package, where it was not rendered."""
    if "C1.8" in complaints.get(DESCRIPTION, ()) and DESCRIPTION not in anew:
        content = _redrawn(package)
        if content is not None:
            yield Mend(DESCRIPTION, content, "the tree as the files are (C1.8)")
    # A missing packages.json is told by C0.1, another one than the Dockerfile says by C0.5.
    if PACKAGES in complaints and PACKAGES not in anew and not package.text(DOCKERFILE).missing:
        yield Mend(PACKAGES, _packages(package), "as the Dockerfile says (C0.5)")


def _redrawn(package: CheckedPackage) -> bytes | None:
    """The data description with the tree of the files in the place of the one that it draws."""
    document = package.document(DESCRIPTION)
    section = document.section(DESCRIPTION_PARTS[0][1])
    block = next((one for one in document.blocks if section is None or section.holds(one.line)), None)
    if block is None:
        return None
    start = len(DATA) + 1
    drawn = tree({f"data/{name[start:]}": 0 for name in package.below(DATA)}).split("\n")
    lines = package.text(DESCRIPTION).content.split("\n")
    indent = lines[block.line - 1][: len(lines[block.line - 1]) - len(lines[block.line - 1].lstrip())]
    indent = indent if not block.language and lines[block.line - 2].strip()[:3] not in ("```", "~~~") else ""
    first = block.line - 1
    lines[first : first + len(block.text.rstrip("\n").split("\n"))] = [indent + line for line in drawn]
    return "\n".join(lines).encode()


def _packages(package: CheckedPackage) -> bytes:
    """packages.json as the Dockerfile says; what it tells of the base is kept as far as it is true."""
    docker = read_dockerfile(package.text(DOCKERFILE).content)
    before = loads(package.text(PACKAGES).content)
    value: dict[str, Any] = dict(before) if isinstance(before, dict) else {}
    listed = value.get("task_packages")
    known = {
        str(one.get("pip", "")).lower(): one.get("import")
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, dict)
    }
    image = image_of(docker.base)
    kept = value.get("from_base")
    value["base_image"] = docker.base
    value["from_base"] = [
        one
        for one in (kept if isinstance(kept, list) else ())
        if image is None or not isinstance(one, str) or image.brings(one)
    ]
    value["task_packages"] = [
        {"pip": one.name, "import": known.get(one.name.lower()) or module_of(one.name), "version": one.version}
        for one in docker.requirements
    ]
    return to_json(value)


def _harmless(package: CheckedPackage, before: Report, mends: list[Mend]) -> list[Mend]:
    """Those mends by which no check fails that did not; where all together do harm, one after the other is tried."""
    failing = {one.id for one in before.checks if one.status == "fail"}

    def harms(some: Sequence[Mend]) -> bool:
        changed = CheckedPackage(
            package.path, method_names=package.method_names, instead={one.file: one.content for one in some}
        )
        after = run_on(changed, static=True)
        return any(one.status == "fail" and one.id not in failing for one in after.checks)

    if not mends or not harms(mends):
        return mends
    kept: list[Mend] = []
    for one in mends:
        if not harms([*kept, one]):
            kept.append(one)
    return kept


def apply_mends(path: Path, mends: Sequence[Mend]) -> None:
    """Carry mends out on the package at ``path``. Raises OSError as the file system gives it.

    All new contents are written and flushed beside their places first; then each is put in place by a rename. So a
    full disk changes nothing, and whoever reads meanwhile finds each file as it was or as it shall be.
    """
    staged: list[tuple[Path, Path]] = []
    try:
        for one in mends:
            if one.content is not None:
                target = path / one.file
                temporary = target.parent / f"{TEMPORARY_PREFIX}{target.name}.{secrets.token_hex(8)}"
                staged.append((temporary, target))
                _write(temporary, one.content)
        for temporary, target in staged:
            temporary.rename(target)
        for one in mends:
            if one.content is None:
                _remove(path / one.file)
    finally:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)
    for folder in {(path / one.file).parent for one in mends}:
        flush_folder(folder)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _remove(path: Path) -> None:
    """Take a file or folder away; a folder is out of sight at once, and emptied then."""
    if not path.is_dir() or path.is_symlink():
        path.unlink(missing_ok=True)
        return
    doomed = path.with_name(f"{TEMPORARY_PREFIX}{secrets.token_hex(8)}")
    path.rename(doomed)
    shutil.rmtree(doomed)
