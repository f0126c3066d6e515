"""An answer copied out of a folder that an agent writes to, into a fresh one that it cannot reach.

Threat: the folder holds links, devices, pipes, sockets, hard links to the reference, sparse and huge files, names that
command a terminal, a million files, folders without end, and changes while it is read. Invariant: what is copied are
regular files alone, each opened below an open folder without following a link (``openat``, ``O_NOFOLLOW``) and looked
at by its descriptor, within bounds on size, number and depth. What is scored is the copy.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path

from nature_gym.errors import FindingsError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
BLOCK = 8 << 20


class IntakeError(FindingsError):
    """An answer is not fit to be taken in; the message is for the agent. ``too_large``: it exceeds a bound."""

    def __init__(self, message: str, *, too_large: bool = False) -> None:
        super().__init__(message, hint="Write plain files into the folder of answers, and submit again.")
        self.too_large = too_large


@dataclass(frozen=True, slots=True)
class AnswerLimits:
    """Bounds on an answer. ``size`` in bytes, of all files as they read: holes in sparse files count."""

    size: int = 8 << 30
    files: int = 10_000
    depth: int = 16
    name_bytes: int = 200


@dataclass(slots=True)
class Taken:
    """What was copied so far: relative path -> size, folders as well (they count as files)."""

    files: dict[str, int] = field(default_factory=dict)
    size: int = 0
    entries: int = 0


def take_in(workspace: Path, name: str, into: Path, limits: AnswerLimits = AnswerLimits()) -> Taken:
    """Copy ``workspace/name``, of which ``workspace`` alone is trusted, to ``into``, which is made.

    Raises IntakeError, and then ``into`` is gone.
    """
    taken = Taken()
    into.mkdir(parents=True)
    into.chmod(0o755)
    try:
        with _opened(workspace, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) as trusted:
            try:
                with _opened(name, _FOLDER, trusted) as folder:
                    _copy_folder(folder, into, "", taken, limits, os.fstat(folder).st_dev)
            except FileNotFoundError:
                raise IntakeError(f"there is no folder {name}") from None
    except OSError as error:
        shutil.rmtree(into, ignore_errors=True)
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise IntakeError(f"{name} is not a folder of its own, or changed while it was read") from None
        if error.errno in (errno.EACCES, errno.ENOENT, errno.ENXIO, errno.ESTALE):
            raise IntakeError(f"{name} holds what cannot be read, or changed while it was read") from None
        raise
    except BaseException:
        shutil.rmtree(into, ignore_errors=True)
        raise
    if not taken.files:
        shutil.rmtree(into, ignore_errors=True)
        raise IntakeError(f"the folder {name} is empty")
    return taken


@contextmanager
def _opened(path: Path | str, flags: int, folder: int | None = None) -> Iterator[int]:
    descriptor = os.open(path, flags, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _copy_folder(folder: int, into: Path, above: str, taken: Taken, limits: AnswerLimits, device: int) -> None:
    """Copy what an open folder holds, in the order of names."""
    for name in _names(folder, taken, limits):
        shown = f"{above}{name}"
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if status.st_dev != device:
            raise IntakeError(f"{shown} lies on another file system")
        if stat.S_ISDIR(status.st_mode):
            if shown.count("/") + 1 >= limits.depth:
                raise IntakeError(f"folders are nested deeper than {limits.depth}")
            (into / name).mkdir()
            (into / name).chmod(0o755)
            with _opened(name, _FOLDER, folder) as inner:
                _copy_folder(inner, into / name, f"{shown}/", taken, limits, device)
        elif stat.S_ISREG(status.st_mode):
            _copy_file(folder, name, into / name, shown, taken, limits)
        else:
            kind = "a link" if stat.S_ISLNK(status.st_mode) else "not a regular file"
            raise IntakeError(f"{shown} is {kind}; write the file itself")


def _names(folder: int, taken: Taken, limits: AnswerLimits) -> list[str]:
    """The names in a folder. Raises IntakeError as soon as there are too many, before all are read."""
    names = []
    with os.scandir(folder) as entries:
        for entry in entries:
            taken.entries += 1
            if taken.entries > limits.files:
                raise IntakeError(f"there are more than {limits.files} files and folders", too_large=True)
            name = entry.name
            if not name.isprintable() or len(name.encode(errors="surrogatepass")) > limits.name_bytes:
                raise IntakeError("a file's name is too long, or holds what cannot be printed")
            names.append(name)
    return sorted(names)


def _copy_file(folder: int, name: str, into: Path, shown: str, taken: Taken, limits: AnswerLimits) -> None:
    with _opened(name, _FILE, folder) as source:
        before = os.fstat(source)
        if not stat.S_ISREG(before.st_mode):
            raise IntakeError(f"{shown} is not a regular file; write the file itself")
        if before.st_nlink != 1:
            raise IntakeError(f"{shown} is a hard link; write the file itself")
        if taken.size + before.st_size > limits.size:
            raise IntakeError(f"the answer is larger than {limits.size:,} bytes", too_large=True)
        with _opened(into, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC) as target:
            os.fchmod(target, 0o644)
            copied = _copy_bytes(source, target, before.st_size)
        after = os.fstat(source)
    marks = [(one.st_size, one.st_mtime_ns, one.st_nlink) for one in (before, after)]
    if copied != before.st_size or marks[0] != marks[1]:
        raise IntakeError(f"{shown} changed while it was read; write it elsewhere and move it into place")
    taken.size += copied
    taken.files[shown] = copied


def _copy_bytes(source: int, target: int, size: int) -> int:
    """Copy at most ``size`` bytes; how many there were. The kernel copies, where the file systems let it."""
    copied = 0
    with suppress(OSError):
        while copied < size and (count := os.copy_file_range(source, target, min(size - copied, BLOCK))):
            copied += count
    while copied < size and (count := os.sendfile(target, source, copied, min(size - copied, BLOCK))):
        copied += count
    return copied


def answer_digests(folder: Path, taken: Taken) -> dict[str, dict[str, int | str]]:
    """Size and SHA-256 of each copied file, for the record.

    An evaluator that an answer has led astray may have put a link or a pipe in a copy's place by now: those are
    neither followed nor waited for. Raises OSError for them.
    """
    digests: dict[str, dict[str, int | str]] = {}
    for name, size in taken.files.items():
        with open_copy(folder, name) as file:
            digests[name] = {"size": size, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}
    return digests


def open_copy(folder: Path, name: str) -> BufferedReader:
    """A copied file, opened below ``folder`` without following a link. Raises OSError for what is no regular file."""
    *above, last = name.split("/")
    descriptors = [os.open(folder, _FOLDER)]
    try:
        for part in above:
            descriptors.append(os.open(part, _FOLDER, dir_fd=descriptors[-1]))
        descriptor = os.open(last, _FILE, dir_fd=descriptors[-1])
    finally:
        for one in descriptors:
            os.close(one)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", name)
    return os.fdopen(descriptor, "rb")


def clear_away(path: Path) -> None:
    """Remove what lies there, whatever an evaluator has made of it; a link's target is not touched."""
    with suppress(OSError):
        path.unlink()
    shutil.rmtree(path, ignore_errors=True)
