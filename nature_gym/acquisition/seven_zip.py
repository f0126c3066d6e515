"""7z archives, whose entries cannot be had one by one: they are laid out under numbers first, and given from there."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Literal

import py7zr
from py7zr.io import Py7zIO, WriterFactory

from nature_gym.acquisition.archive_members import ArchiveError, Member, blocks_of
from nature_gym.acquisition.limits import LimitError, Limits

MOST_HEADER = 64 << 20


def members_of_7z(path: Path, limits: Limits, scratch: Path) -> Iterator[Member]:
    """The entries; ``scratch`` is a folder that exists, for what they hold.

    Raises ArchiveError and LimitError, and what py7zr raises for broken archives.
    """
    if _header_size(path) > MOST_HEADER:
        raise LimitError(f"{path.name} has a header larger than {MOST_HEADER:,} bytes", hint="It is no archive of use.")
    with (
        tempfile.TemporaryDirectory(prefix=".7z-", dir=scratch) as folder,
        py7zr.SevenZipFile(path, max_extract_size=limits.bytes) as archive,
    ):
        if archive.needs_password():
            raise ArchiveError(
                f"{path.name}: {next(iter(archive.getnames()), 'its list of entries')!r} is encrypted",
                hint="It cannot be used without its password; look whether the paper gives it.",
            )
        files = list(archive.files)
        if len(files) > limits.files:
            raise LimitError(
                f"{path.name} holds {len(files):,} entries, more than the {limits.files:,} allowed",
                hint="Raise archive_files if that is to be expected.",
            )
        names = [str(file.filename) for file in files]
        for name in names:
            _check(path, name, names)
        shelf = _Shelf(Path(folder), limits.bytes)
        archive.extractall(path="/", factory=shelf)
        shelf.close()
        for name, file in zip(names, files, strict=True):
            yield _member(name, _kind(file), shelf.path(name), file)


def _check(path: Path, name: str, names: list[str]) -> None:
    """Names that the reader would change or refuse by itself are refused here, in our words."""
    if name.startswith(("/", "\\")) or ".." in name.replace("\\", "/").split("/"):
        raise ArchiveError(f"{path.name}: the entry {name!r} leads out of the folder", hint="Do not use this archive.")
    if len(set(names)) < len(names) and names.count(name) > 1:
        raise ArchiveError(f"{path.name} holds {name!r} twice", hint="It is not clear which is meant.")


def _kind(file: Any) -> Literal["file", "folder", "symlink", "device"]:
    if file.is_directory:
        return "folder"
    if file.is_symlink or file.is_junction:
        return "symlink"
    return "device" if file.is_socket else "file"


def _member(name: str, kind: Literal["file", "folder", "symlink", "device"], content: Path, file: Any) -> Member:
    if kind == "symlink":
        text = content.read_bytes()[:4096] if content.exists() else b""
        return Member(name, kind, target=text.decode(errors="surrogateescape"))
    if kind != "file":
        return Member(name, kind)

    def blocks() -> Iterator[bytes]:
        if content.exists():  # what is empty is never written
            with content.open("rb") as stream:
                yield from blocks_of(stream)

    return Member(name, kind, int(file.uncompressed or 0), blocks, executable=bool((file.posix_mode or 0) & 0o100))


def _header_size(path: Path) -> int:
    with path.open("rb") as file:
        return int.from_bytes(file.read(32)[20:28], "little")


class _Shelf(WriterFactory):
    """Numbered files, by the names of entries."""

    def __init__(self, folder: Path, most: int) -> None:
        self._folder = folder
        self._numbers: dict[str, int] = {}
        self._writers: list[_Writer] = []
        self.left = most

    def create(self, filename: str) -> Py7zIO:
        writer = _Writer(self, self.path(filename.removeprefix("/")))
        self._writers.append(writer)
        return writer

    def path(self, name: str) -> Path:
        """Where the content of ``name`` is, or would be."""
        return self._folder / str(self._numbers.setdefault(name, len(self._numbers)))

    def close(self) -> None:
        for writer in self._writers:
            writer.close()


class _Writer(Py7zIO):
    def __init__(self, shelf: _Shelf, path: Path) -> None:
        self._shelf = shelf
        self._path = path
        self._size = 0
        self._file: IO[bytes] | None = None

    def write(self, s: bytes | bytearray) -> int:
        self._shelf.left -= len(s)
        if self._shelf.left < 0:
            raise LimitError("the archive unpacks to more bytes than allowed", hint="Raise archive_bytes if need be.")
        if self._file is None:
            self._file = self._path.open("ab")
        self._size += len(s)
        return self._file.write(s)

    def read(self, size: int | None = None) -> bytes:  # noqa: ARG002 -- py7zr writes, and never reads what it wrote
        return b""

    def seek(self, offset: int, whence: int = 0) -> int:  # noqa: ARG002
        return self._size

    def flush(self) -> None:
        if self._file is not None:
            self._file.flush()

    def size(self) -> int:
        return self._size

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
