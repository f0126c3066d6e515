"""One file out of an archive, in bounded space: links, devices and what unpacks without end are refused."""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import IO

from nature_gym.splitting.faults import SplitError

LARGEST = 200
"""A member may unpack to so many times its archive's size, or to :data:`ALWAYS` bytes."""
ALWAYS = 1 << 30
_BLOCK = 1 << 20


def take_member(archive: Path, name: str, folder: Path) -> Path:
    """Write member ``name`` of a zip or tar file into ``folder`` under its last name; where it is.

    Raises SplitError where there is none of that name, or where it is no plain file or too large.
    """
    target = folder / PurePosixPath(name).name
    most = max(ALWAYS, LARGEST * archive.stat().st_size)
    try:
        if zipfile.is_zipfile(archive):
            _from_zip(archive, name, target, most)
        elif tarfile.is_tarfile(archive):
            _from_tar(archive, name, target, most)
        else:
            raise SplitError(f"{archive.name} is no archive", hint="Members are taken of zip and tar files.")
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise SplitError(f"{archive.name} cannot be unpacked: {error}", hint="Is it complete?") from error
    return target


def _from_zip(archive: Path, name: str, target: Path, most: int) -> None:
    with zipfile.ZipFile(archive) as opened:
        if name not in opened.namelist():
            raise _missing(archive, name, opened.namelist())
        with opened.open(name) as file:
            _write(file, target, most)


def _from_tar(archive: Path, name: str, target: Path, most: int) -> None:
    names: list[str] = []
    with tarfile.open(archive, "r|*") as opened:
        for member in opened:
            if member.name.removeprefix("./") != name:
                names.append(member.name)
                continue
            file = opened.extractfile(member) if member.isreg() else None
            if file is None:
                raise SplitError(f"{name} in {archive.name} is no plain file", hint="Name a file.")
            _write(file, target, most)
            return
    raise _missing(archive, name, names)


def _missing(archive: Path, name: str, names: list[str]) -> SplitError:
    last = PurePosixPath(name).name
    near = [other for other in names if PurePosixPath(other).name == last][:3] or names[:6]
    return SplitError(f"{archive.name} has no member {name!r}", hint=f"It has: {', '.join(near)}.")


def _write(file: IO[bytes], target: Path, most: int) -> None:
    written = 0
    with target.open("wb") as out:
        while block := file.read(_BLOCK):
            written += len(block)
            if written > most:
                raise SplitError(f"{target.name} unpacks to more than {most >> 20:,} MB", hint="Unpack it by hand.")
            out.write(block)
