"""Unpacking what strangers packed: one function for all formats, which keeps to the folder and to the limits.

What an archive says of itself is not believed: names are taken apart and put together again, sizes are counted as bytes
come out, links are made last and only to files of the same archive. Whatever is refused names the entry; then nothing
of the archive is left, because all of it was under a temporary name.
"""

from __future__ import annotations

import lzma
import os
import secrets
import shutil
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import py7zr.exceptions
from isal.isal_zlib import IsalError

from nature_gym.acquisition.archive_members import ArchiveError, Member, form_of, members, zstd
from nature_gym.acquisition.limits import Allowance, LimitError, Limits
from nature_gym.errors import NatureGymError
from nature_gym.files import TEMPORARY_PREFIX

__all__ = ["ArchiveError", "LimitError", "Limits", "Unpacked", "is_archive", "unpack", "unpacked_name"]

SUFFIXES = (
    ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tgz", ".tbz2", ".tbz", ".txz", ".tzst", ".tar", ".zip", ".7z",
    ".rar",
)  # fmt: skip
"""Names of archives. Much else is a ZIP archive (npz, pt, xlsx), or packed (csv.gz), and is data as it is."""
_LONGEST_NAME = 255
_BROKEN: tuple[Any, ...] = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, IsalError, lzma.LZMAError, zstd.ZstdError, EOFError, struct.error,
    py7zr.exceptions.ArchiveError, NotImplementedError, UnicodeError, ValueError, IndexError, KeyError, TypeError,
    AttributeError, AssertionError, OverflowError, RuntimeError, MemoryError,
)  # fmt: skip
"""What readers raise for archives that are damaged, or made to hurt: their authors did not think of everything."""
_JUNK = ("__MACOSX",)


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What came out: how many files and bytes in all; nested archives, by their place; what was left out, and why."""

    files: int
    size: int
    nested: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def is_archive(path: Path) -> bool:
    """Whether ``path`` is an archive by its name, and a packed file of any kind by its first bytes."""
    return path.name.lower().endswith(SUFFIXES) and path.is_file() and form_of(path) is not None


def unpacked_name(name: str) -> str:
    """The folder that an archive is unpacked to, by its own name.

    >>> unpacked_name("splits.tar.gz"), unpacked_name("Data.ZIP"), unpacked_name("other")
    ('splits', 'Data', 'other.unpacked')
    """
    for suffix in SUFFIXES:
        if name.lower().endswith(suffix) and len(name) > len(suffix):
            return name[: -len(suffix)]
    return f"{name}.unpacked"


def unpack(path: Path, target: Path, limits: Limits) -> Unpacked:
    """Unpack the archive at ``path`` as the folder ``target``, which must not exist, with all archives in it.

    A single packed file (``x.csv.gz``) becomes a folder with that file. Raises ArchiveError and LimitError, which name
    the entry, and OSError as the file system gives it; then ``target`` is not there.
    """
    if target.exists():
        raise FileExistsError(f"{target} is there already")
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.parent / f"{TEMPORARY_PREFIX}unpack.{secrets.token_hex(8)}"
    draft.mkdir()
    allowance = Allowance(limits, path.name, path.stat().st_size)
    try:
        notes: list[str] = []
        nested: list[str] = []
        _unpack_one(path, draft, allowance, notes)
        _unpack_nested(draft, draft, allowance, 1, (nested, notes))
        draft.rename(target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return Unpacked(allowance.files, allowance.bytes, tuple(nested), tuple(notes))


def _unpack_nested(
    root: Path, folder: Path, allowance: Allowance, depth: int, told: tuple[list[str], list[str]]
) -> None:
    """Unpack the archives in ``folder`` beside themselves."""
    for path in sorted(path for path in folder.rglob("*") if is_archive(path)):
        place = path.relative_to(root).as_posix()
        if depth >= allowance.limits.depth:
            raise LimitError(
                f"archives are nested deeper than {allowance.limits.depth} (at {place!r})",
                hint="Raise archive_depth if that is to be expected.",
            )
        target = beside(path)
        target.mkdir()
        _unpack_one(path, target, allowance, told[1])
        told[0].append(place)
        _unpack_nested(root, target, allowance, depth + 1, told)


def beside(path: Path) -> Path:
    """The folder for what is in the archive at ``path``: of its name, or another where that is taken."""
    first = path.with_name(unpacked_name(path.name))
    return first if not os.path.lexists(first) else path.with_name(f"{path.name[:200]}.unpacked")


def _unpack_one(path: Path, folder: Path, allowance: Allowance, notes: list[str]) -> None:
    """The entries of one archive, into a folder that is empty."""
    form = form_of(path)
    if form is None:
        raise ArchiveError(f"{path.name} is no archive that we know", hint="Look at what it is: naturegym inventory.")
    if not path.stat().st_size:
        raise ArchiveError(f"{path.name} is empty", hint="Download it again.")
    unpacker = _Unpacker(path.name, folder, allowance, notes)
    try:
        for member in members(path, form, allowance.limits, folder.parent):
            unpacker.take(member)
        unpacker.make_links()
    except NatureGymError as error:
        if error.message.startswith(path.name):
            raise
        raise type(error)(f"{path.name}: {error.message}", hint=error.hint) from error
    except (*_BROKEN, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # what the system refuses has a number; bz2 and gzip say so of broken data without one
        at = f" after {unpacker.last!r}" if unpacker.last else ""
        raise ArchiveError(
            f"{path.name} is damaged{at}: {str(error).partition(chr(10))[0] or type(error).__name__}",
            hint="Download it again; if it is the same, its host has a damaged file.",
        ) from error


class _Unpacker:
    """Puts entries into a folder, as far as they may be."""

    def __init__(self, archive: str, folder: Path, allowance: Allowance, notes: list[str]) -> None:
        self.last = ""
        self._archive = archive
        self._folder = folder
        self._allowance = allowance
        self._notes = notes
        self._files: dict[str, str] = {}
        self._folders: dict[str, str] = {}
        self._links: list[tuple[str, str, PurePosixPath]] = []

    def take(self, member: Member) -> None:
        """Write one entry. Raises ArchiveError, LimitError."""
        self._allowance.take_file(member.name)
        place = self._place(member.name)
        if not place.parts:
            if member.kind != "folder":
                raise self._refuse(member.name, "has no name")
            return
        if place.parts[0] in _JUNK:
            return
        if member.kind == "device":
            raise self._refuse(member.name, "is a device, a pipe or a socket, not a file")
        name = place.as_posix()
        if member.kind == "folder":
            self._make_folder(place, member.name)
            self.last = member.name
            return
        self._claim(self._files, place, member.name)
        if member.kind in ("symlink", "hardlink"):
            base = place.parent if member.kind == "symlink" else PurePosixPath()
            self._links.append((name, member.name, self._inside(base, member)))
        else:
            self._write(self._folder / name, member)
        self.last = member.name

    def make_links(self) -> None:
        """Links to files of the archive become those files; what leads to folders, or to nothing, is left out."""
        left = list(self._links)
        while left:
            waiting = [link for link in left if not self._make_link(link)]
            if len(waiting) == len(left):
                self._notes += [f"{self._archive}: the link {name!r} leads to no file of it" for _, name, _ in waiting]
                return
            left = waiting

    def _make_link(self, link: tuple[str, str, PurePosixPath]) -> bool:
        place, _, to = link
        source, target = self._folder / to, self._folder / place
        if not source.is_file():
            return False
        os.link(source, target)
        return True

    def _write(self, path: Path, member: Member) -> None:
        size = 0
        with path.open("xb") as file:
            for block in member.blocks():
                size += len(block)
                self._allowance.take_bytes(len(block), member.name)
                file.write(block)
        if member.size is not None and size != member.size:
            raise self._refuse(member.name, f"says that it has {member.size:,} bytes, and has {size:,}")
        if member.executable:
            path.chmod(0o755)

    def _place(self, name: str) -> PurePosixPath:
        """Where an entry belongs. Raises ArchiveError for one that belongs nowhere here."""
        if name.startswith(("/", "\\")) or name[1:3] in (":/", ":\\"):
            raise self._refuse(name, "has an absolute name")
        parts = [part for part in name.split("/") if part not in ("", ".")]
        if ".." in parts or ".." in name.replace("\\", "/").split("/"):
            raise self._refuse(name, "leads out of the folder")
        if "\0" in name:
            raise self._refuse(name, "has a zero byte in its name")
        if any(len(os.fsencode(part)) > _LONGEST_NAME for part in parts) or len(parts) > _LONGEST_NAME:
            raise self._refuse(name, f"has a name longer than {_LONGEST_NAME} bytes")
        return PurePosixPath(*parts)

    def _inside(self, base: PurePosixPath, member: Member) -> PurePosixPath:
        """What a link leads to, if that is within the folder."""
        if member.target.startswith("/"):
            raise self._refuse(member.name, f"is a link to {member.target!r}, out of the folder")
        parts: list[str] = list(base.parts)
        for part in member.target.split("/"):
            if part == "..":
                if not parts:
                    raise self._refuse(member.name, f"is a link to {member.target!r}, out of the folder")
                parts.pop()
            elif part not in ("", "."):
                parts.append(part)
        return PurePosixPath(*parts)

    def _make_folder(self, place: PurePosixPath, name: str) -> None:
        self._claim(self._folders, place, name, again=True)
        (self._folder / place).mkdir(parents=True, exist_ok=True)

    def _claim(self, kind: dict[str, str], place: PurePosixPath, name: str, *, again: bool = False) -> None:
        """Note that a place is taken, with the folders above it.

        Raises ArchiveError where another name is the same to systems that know no case, or write accents otherwise.
        """
        for above in reversed(place.parents[:-1]):
            seen = self._folders.get(self._key(above))
            if seen is None:
                self._make_folder(above, name)
            elif seen != above.as_posix():
                raise self._refuse(name, f"differs from {seen!r} by case or by accents only")
        key, written = self._key(place), place.as_posix()
        other = self._folders if kind is self._files else self._files
        if key in other:
            raise self._refuse(name, "is both a file and a folder")
        known = kind.get(key)
        if known == written and not again:
            raise self._refuse(name, "is in it twice")
        if known is not None and known != written:
            raise self._refuse(name, f"differs from {known!r} by case or by accents only")
        kind[key] = written

    @staticmethod
    def _key(place: PurePosixPath) -> str:
        return unicodedata.normalize("NFC", place.as_posix()).casefold()

    def _refuse(self, name: str, why: str) -> ArchiveError:
        return ArchiveError(f"{self._archive}: the entry {name!r} {why}", hint="Look at the archive before using it.")
