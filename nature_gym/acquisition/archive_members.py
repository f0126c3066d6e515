"""The entries of an archive, one after the other, as it states them: nothing is written here, and nothing believed.

One generator a family of formats gives the same :class:`Member`; what may become of it is for
:mod:`nature_gym.acquisition.archives` to say. A member's content has to be read before the next one is asked for.
"""

from __future__ import annotations

import bz2
import lzma
import shutil
import stat
import struct
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal, Self

from isal import igzip

from nature_gym.acquisition.limits import LimitError, Limits
from nature_gym.errors import PaperError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["ArchiveError", "Form", "Member", "Packing", "form_of", "members", "open_packed", "zstd"]

BLOCK = 1 << 20
MOST_HEADER = 16 << 20
"""No header of an entry is as long as that."""
XZ_MEMORY = 1 << 30
_DIRECTORY_BYTES = 512
"""Of an entry in a ZIP archive's directory, on average, at most."""

Packing = Literal["gz", "bz2", "xz", "zst"]
Form = Literal["zip", "7z", "rar", "tar", "gz", "bz2", "xz", "zst"]

_MAGIC: tuple[tuple[bytes, Form], ...] = (
    (b"PK\x03\x04", "zip"), (b"PK\x05\x06", "zip"), (b"7z\xbc\xaf\x27\x1c", "7z"), (b"Rar!\x1a\x07", "rar"),
    (b"\x1f\x8b", "gz"), (b"BZh", "bz2"), (b"\xfd7zXZ\x00", "xz"), (b"\x28\xb5\x2f\xfd", "zst"),
)  # fmt: skip
_DOUBT = "Look at the archive before using it."


class ArchiveError(PaperError):
    """An archive that cannot be unpacked, or must not be."""


@dataclass(frozen=True, slots=True)
class Member:
    """One entry. ``size`` is what it says of itself; ``blocks`` gives its content, once."""

    name: str
    kind: Literal["file", "folder", "symlink", "hardlink", "device"]
    size: int | None = None
    blocks: Callable[[], Iterator[bytes]] = field(default=lambda: iter(()))
    target: str = ""
    executable: bool = False


def form_of(path: Path) -> Form | None:
    """What archive or packed file ``path`` is, by its first bytes; None for anything else."""
    with path.open("rb") as file:
        head = file.read(512)
    for magic, form in _MAGIC:
        if head.startswith(magic):
            return form
    return "tar" if head[257:262] == b"ustar" else None


def members(path: Path, form: Form, limits: Limits, scratch: Path) -> Iterator[Member]:
    """The entries of the archive at ``path``; ``scratch`` is a folder for what has to lie down in between.

    Raises ArchiveError, and whatever the readers raise for broken ones.
    """
    match form:
        case "zip":
            yield from _of_zip(path, limits)
        case "7z":
            from nature_gym.acquisition.seven_zip import members_of_7z

            yield from members_of_7z(path, limits, scratch)
        case "rar":
            yield from _of_rar(path)
        case "tar":
            with path.open("rb") as file:
                yield from _of_tar(file)
        case _:
            yield from _of_packed(path, form)


def open_packed(path: Path, packing: Packing) -> IO[bytes]:
    """The content of a packed file, as a stream."""
    opened: Any
    match packing:
        case "gz":
            opened = igzip.IGzipFile(path, "rb")  # type: ignore[no-untyped-call]
        case "bz2":
            opened = bz2.open(path, "rb")  # noqa: SIM115 -- whoever asks closes it
        case "xz":
            opened = _Xz(path)
        case "zst":
            opened = zstd.open(path, "rb")
    stream: IO[bytes] = opened
    return stream


class _Xz:
    """An xz stream with a limit to the memory that its dictionary takes, which the standard library's opener lacks."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._decoder = lzma.LZMADecompressor(memlimit=XZ_MEMORY)
        self._rest = b""

    def read(self, size: int) -> bytes:
        """At most ``size`` bytes, fewer at the end alone; -1 is not for us."""
        found = bytearray()
        while len(found) < size:
            if self._decoder.eof:
                left = self._decoder.unused_data.lstrip(b"\0") or self._file.read(BLOCK).lstrip(b"\0")
                if not left:
                    break
                self._decoder, self._rest = lzma.LZMADecompressor(memlimit=XZ_MEMORY), left
            elif self._decoder.needs_input and not self._rest:
                self._rest = self._file.read(BLOCK)
                if not self._rest:
                    raise EOFError("the compressed data end too early")
            given, self._rest = self._rest, b""
            found += self._decoder.decompress(given, size - len(found))
        return bytes(found)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()


def blocks_of(stream: IO[bytes]) -> Iterator[bytes]:
    """A stream's bytes, block by block."""
    while block := stream.read(BLOCK):
        yield block


# -- zip -------------------------------------------------------------------------------


def _of_zip(path: Path, limits: Limits) -> Iterator[Member]:
    if (size := _directory_size(path)) > max(limits.files, 100) * _DIRECTORY_BYTES:
        raise LimitError(
            f"{path.name} has a directory of {size:,} bytes, of more entries than the {limits.files:,} allowed",
            hint="Raise archive_files if that is to be expected.",
        )
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            yield _zip_member(archive, info)


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    if info.flag_bits & 1:
        raise ArchiveError(f"{Path(archive.filename or '').name}: {info.filename!r} is encrypted", hint=_ASK)
    name = info.filename if "/" in info.filename else info.filename.replace("\\", "/")
    mode = info.external_attr >> 16 if info.create_system == 3 else 0
    kind = stat.S_IFMT(mode)
    if info.is_dir() or name.endswith("/"):
        return Member(name, "folder")
    if kind == stat.S_IFLNK:
        if info.file_size > 4096:
            raise ArchiveError(f"{info.filename!r} is a link to something with an endless name", hint=_DOUBT)
        return Member(name, "symlink", target=archive.read(info).decode(errors="surrogateescape"))
    if kind not in (0, stat.S_IFREG):
        return Member(name, "device")

    def blocks() -> Iterator[bytes]:
        with archive.open(info) as stream:
            yield from blocks_of(stream)

    return Member(name, "file", info.file_size, blocks, executable=bool(mode & 0o100))


def _directory_size(path: Path) -> int:
    """Bytes of a ZIP archive's directory, which :mod:`zipfile` reads at once; 0 where there is none to be found."""
    with path.open("rb") as file:
        end = file.seek(0, 2)
        start = file.seek(max(0, end - 66_000))
        tail = file.read()
        at = tail.rfind(b"PK\x05\x06")
        if at < 0 or len(tail) < at + 22:
            return 0
        size: int = struct.unpack_from("<L", tail, at + 12)[0]
        locator = tail.rfind(b"PK\x06\x07", 0, at)
        if size == 0xFFFFFFFF and locator >= 0 and len(tail) >= locator + 16:
            file.seek(min(struct.unpack_from("<Q", tail, locator + 8)[0], start + at))
            record = file.read(56)
            size = struct.unpack_from("<Q", record, 40)[0] if len(record) == 56 else size
        return min(size, end)


# -- tar -------------------------------------------------------------------------------


class _Forward:
    """A stream as :mod:`tarfile` wants it: it looks back by a byte, skips ahead, and says where it is.

    Refuses to give as much at once as only a header that lies asks for.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._at = 0
        self._last = b""
        self._back = 0

    def tell(self) -> int:
        return self._at - self._back

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= MOST_HEADER:
            raise ArchiveError("a header of the archive asks for more memory than any header needs", hint=_DOUBT)
        given = self._last[len(self._last) - self._back :][:size] if self._back else b""
        self._back -= len(given)
        if len(given) < size:
            fresh = self._stream.read(size - len(given))
            self._at += len(fresh)
            given += fresh
        if given:
            self._last = given[-1:]
        return given

    def seek(self, to: int) -> None:
        self._back = 0
        if to == self._at - 1:
            self._back = 1
            return
        if to < self._at:
            raise ArchiveError("the archive's headers lead backwards", hint=_DOUBT)
        while self._at < to:
            if not self.read(min(BLOCK, to - self._at)):
                break


_KINDS: dict[bytes, Literal["folder", "symlink", "hardlink"]] = {
    tarfile.DIRTYPE: "folder", tarfile.SYMTYPE: "symlink", tarfile.LNKTYPE: "hardlink",
}  # fmt: skip


def _of_tar(stream: IO[bytes]) -> Iterator[Member]:
    forward: Any = _Forward(stream)
    with tarfile.open(fileobj=forward, mode="r:", errorlevel=2) as archive:
        while (info := archive.next()) is not None:
            archive.members = []  # type: ignore[attr-defined]  # it would remember all that were
            yield _tar_member(archive, info)


def _tar_member(archive: tarfile.TarFile, info: tarfile.TarInfo) -> Member:
    if not info.isreg():
        return Member(info.name, _KINDS.get(info.type, "device"), target=info.linkname)

    def blocks() -> Iterator[bytes]:
        stream = archive.extractfile(info)
        if stream is not None:
            yield from blocks_of(stream)

    return Member(info.name, "file", info.size, blocks, executable=bool(info.mode & 0o100))


# -- packed files, rar, 7z ---------------------------------------------------------------


def _of_packed(path: Path, packing: Packing) -> Iterator[Member]:
    """The entries of a packed tar archive; else the one file that was packed."""
    with open_packed(path, packing) as stream:
        is_tar = stream.read(512)[257:262] == b"ustar"
    with open_packed(path, packing) as stream:
        if is_tar:
            yield from _of_tar(stream)
        else:
            name = path.name.removesuffix(path.suffix) if path.suffix.lower() == f".{packing}" else f"{path.name}.out"
            yield Member(name, "file", None, lambda: blocks_of(stream))


_ASK = "It cannot be used without its password; look whether the paper gives it."
_NO_RAR = "Install bsdtar (Debian: apt-get install libarchive-tools), which reads them."


def _of_rar(path: Path) -> Iterator[Member]:
    """By bsdtar, which turns it into a tar stream: names and sizes are judged as those of any other archive."""
    tool = shutil.which("bsdtar")
    if tool is None:
        raise ArchiveError(f"{path.name} is a RAR archive, which nothing here can read", hint=_NO_RAR)
    command = [tool, "--format", "pax", "-cf", "-", f"@{path.absolute()}"]
    with _running(command) as process:
        if process.stdout is None:
            raise ArchiveError(f"{path.name} cannot be read", hint=_NO_RAR)
        yield from _of_tar(process.stdout)
        process.stdout.read(BLOCK)
        if process.wait(timeout=60):
            raise ArchiveError(f"{path.name} is damaged or encrypted", hint=_ASK)


@contextmanager
def _running(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            process.kill()
