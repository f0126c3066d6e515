"""Packages of others taken in: plain files copied, their archives unpacked safely, described in a ``task.yaml``.

Threat: a package is anyone's. Links, FIFOs and devices are left behind; an archive's members that would lie elsewhere,
stand twice or are no plain files refuse it whole, and so does one that unpacks to too much. What was taken in shows
whole or not at all.
"""

from __future__ import annotations

import os
import shutil
import tarfile
import zlib
from pathlib import Path, PurePosixPath

import yaml

from nature_gym.errors import UsageError
from nature_gym.files import Draft
from nature_gym.packaging.build import exchange
from nature_gym.packaging.description import describe
from nature_gym.packaging.faults import BuildError, written_below
from nature_gym.packaging.package import DATA, TRUTH, Package, open_package, open_regular

ARCHIVES = "problem/data_archives"
LARGEST_UNPACKED = 64 << 30
MOST_MEMBERS = 1_000_000
LONGEST_NAME = 255
LONGEST_PATH = 2_000


def import_package(source: Path, folder: Path) -> Package:
    """Copy the package at ``source`` into ``folder`` under its own name, whole or not at all.

    Raises UsageError where there is none, or one of that name is there; BuildError for archives that are not safe.
    """
    package = open_package(source)
    target = folder / package.path.resolve().name
    if target.exists():
        raise UsageError(f"{target} is there already.", hint="Remove it first, or import into another folder.")
    with written_below(folder), Draft(folder, target.name) as draft:
        for name in package.files:
            _copy(package.path / name, draft.folder / name)
        taken = Package(draft.folder)
        for archive in sorted((draft.folder / ARCHIVES).glob("*.tar.gz")):
            unpack(archive, taken)
        if not (draft.folder / "task.yaml").exists():
            text = yaml.safe_dump(describe(Package(draft.folder)), sort_keys=False, allow_unicode=True, width=110)
            (draft.folder / "task.yaml").write_text(text, encoding="utf-8")
        draft.flush()
        exchange(draft.folder, target)
    return Package(target)


def _copy(path: Path, target: Path) -> None:
    """Copy a plain file. Raises BuildError where it is none any more, or cannot be read."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with open_regular(path) as source, written_below(target.parent), target.open("xb") as out:
            shutil.copyfileobj(source, out, 1 << 20)
    except OSError as error:
        raise BuildError(f"{path} cannot be copied: {error.strerror}", hint="Is it still there, to be read?") from error


def unpack(archive: Path, package: Package) -> None:
    """Unpack an archive of data below ``problem/data``. Raises BuildError for members that would lie elsewhere."""
    known = {*package.instances(TRUTH), *package.instances(DATA)}
    size = count = 0
    try:
        with tarfile.open(archive, "r|gz") as members:
            for member in members:
                if member.isdir() or _is_litter(member.name):
                    continue
                parts = _place(member, known, archive.name)
                size, count = size + member.size, count + 1
                if size > LARGEST_UNPACKED or count > MOST_MEMBERS:
                    raise BuildError(f"{archive.name} unpacks to too much", hint="Unpack it by hand, if you trust it.")
                content = members.extractfile(member)
                path = package.path / DATA / PurePosixPath(*parts)
                path.parent.mkdir(parents=True, exist_ok=True)
                if content is not None:
                    with written_below(path.parent), path.open("xb") as file:
                        shutil.copyfileobj(content, file)
    except FileExistsError as error:
        raise BuildError(f"{archive.name} holds a file that is there already", hint="Refused.") from error
    except (tarfile.TarError, OSError, EOFError, zlib.error) as error:
        raise BuildError(f"{archive.name} cannot be unpacked: {error}", hint="Fetch the archive again.") from error


def _is_litter(name: str) -> bool:
    """What desktops and editors leave: it is no data, and nobody means it to be."""
    own = name.rstrip("/").rpartition("/")[2]
    return own.startswith("._") or own in (".DS_Store", "Thumbs.db") or "__MACOSX" in name.split("/")


def _place(member: tarfile.TarInfo, known: set[str], archive: str) -> list[str]:
    """Where a member of the archive called ``archive`` goes below the data folder. Raises BuildError."""
    parts = [part for part in member.name.split("/") if part not in ("", ".")]
    odd = member.name.startswith("/") or ".." in parts or not parts or not member.name.isprintable()
    if odd or not member.isreg():
        raise BuildError(f"{archive} holds {member.name[:80]!r}, which is not a plain file inside it", hint="Refused.")
    if len(os.fsencode(member.name)) > LONGEST_PATH or max(len(os.fsencode(part)) for part in parts) > LONGEST_NAME:
        raise BuildError(
            f"{archive} holds a file whose name is {len(member.name):,} characters long: {member.name[:60]!r}...",
            hint="No disk takes such a name; rename it and pack it again.",
        )
    while len(parts) > 1 and parts[0] in ("problem", "data") and parts[0] not in known:
        parts = parts[1:]
    return parts if parts[0] in known or not known else [archive.removesuffix(".tar.gz"), *parts]
