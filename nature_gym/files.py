"""Writing to disk so that a reader finds the old content or the new, never half of it.

Two units can be replaced whole: a file (:func:`write_atomically`) and a folder
(:class:`Draft`). Both are written beside their place under a temporary name, flushed to the disk,
and put into place by one ``rename``, which the file system carries out or does not.

A folder cannot be renamed over one that is not empty, so a published folder is a symbolic
link to a version, and publishing replaces the link::

    papers/10.5555_s41467-022-30001-4/
        read -> .read.5f0c2a9be1d44c07      what everybody opens
        .read.5f0c2a9be1d44c07/             the version in force
        .read.88a1d9c3070f4b55/             the one before, for readers still inside it

While a draft is being written, its owner holds a lock on it that the kernel drops when the owner
dies, so whoever comes next can tell an abandoned draft from one in the making.
"""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import orjson

JSON_OPTIONS = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
TEMPORARY_PREFIX = ".tmp."
"""Begins the name of a file that is being written, and of what a writer that was killed left of one."""
SWAP_PREFIX = ".swap."
"""Begins the name of what is about to take a version's place, or has just lost it."""
ABANDONED_SECONDS = 3600.0
"""A temporary file that nobody has written to for so long is nobody's any more."""


def to_json(value: Any) -> bytes:
    """JSON as every record is written: indented, keys sorted, a newline at the end."""
    return orjson.dumps(value, option=JSON_OPTIONS)


def flush_folder(folder: Path) -> None:
    """Force a folder's entries (new names, renames) to the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_atomically(path: Path, content: bytes) -> None:
    """Put ``content`` at ``path``, replacing what is there, so that it survives a crash at any moment.

    Raises OSError as the file system gives it; then ``path`` is as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.parent / f"{TEMPORARY_PREFIX}{path.name}.{secrets.token_hex(8)}"
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.rename(path)
    finally:
        temporary.unlink(missing_ok=True)
    flush_folder(path.parent)


def write_output(path: Path, content: bytes) -> None:
    """Put ``content`` where a user says: atomically into a file or a link's target, straight into a device or a FIFO.

    A rename would put a plain file in the place of ``/dev/stdout``, or of the link. Raises OSError.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        with target.open("wb", buffering=0) as file:
            file.write(content)
    else:
        write_atomically(target, content)


def write_json(path: Path, value: Any) -> None:
    """Put ``value`` at ``path`` as JSON, atomically."""
    write_atomically(path, to_json(value))


def file_mark(status: os.stat_result) -> str:
    """A word for a file written atomically: another one after each write, which makes a new file each time."""
    return f"{status.st_ino}:{status.st_size}:{status.st_mtime_ns}"


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock file ``path`` among processes and threads; it is free again when the holder dies."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


class Held:
    """A lock on an existing file or folder for as long as this object (or its process) lives."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)

    def release(self) -> None:
        os.close(self._descriptor)


def is_held(path: Path) -> bool:
    """Whether a living process holds ``path`` (see :class:`Held`); a missing path is held by nobody."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        return False
    finally:
        os.close(descriptor)


class Draft:
    """A folder in the making, to be published whole as ``parent/name``.

    Used as a context manager: fill ``folder``, then call :meth:`publish`; without that call the
    draft is removed and what was published before stays.
    """

    def __init__(self, parent: Path, name: str) -> None:
        self.parent = parent
        self.name = name
        self.version = f".{name}.{secrets.token_hex(8)}"
        self.folder = parent / self.version

    def __enter__(self) -> Self:
        self.parent.mkdir(parents=True, exist_ok=True)
        # Making and locking happen under the parent's lock, or a sweep in between could
        # take the new folder for an abandoned one.
        with exclusive(self.parent / ".lock"):
            self.folder.mkdir()
            self._held = Held(self.folder)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if published_version(self.parent, self.name) != self.version:
            shutil.rmtree(self.folder, ignore_errors=True)
        self._held.release()

    def publish(self) -> None:
        """Make this draft what readers of ``parent/name`` find, and remove what is older than the last version."""
        self.flush()
        self.put_in_place()
        flush_folder(self.parent)

    def flush(self) -> None:
        """Force all that is in the draft to the disk: the first third of :meth:`publish`."""
        for folder, _, names in os.walk(self.folder):
            for name in names:
                path = Path(folder, name)
                if not path.is_symlink():
                    _flush_file(path)
            flush_folder(Path(folder))

    def put_in_place(self) -> None:
        """Show the draft, which was flushed: the second third; what is left is to flush ``parent``.

        The version before stays, so that it is what is found where the machine dies in between.
        """
        with exclusive(self.parent / ".lock"):
            before = published_version(self.parent, self.name)
            if before == self.name:  # a folder, which no link can be renamed over
                before = f".{self.name}.{secrets.token_hex(8)}"
                (self.parent / self.name).rename(self.parent / before)
            # Before the draft shows, not after: a stage that is published is not published again, so what a
            # killed process left would stay for ever if this one were killed in between.
            _sweep(self.parent, self.name, keep={self.version, before})
            link = self.parent / f"{SWAP_PREFIX}{self.name}.{secrets.token_hex(8)}"
            link.symlink_to(self.version)
            link.rename(self.parent / self.name)


def published_version(parent: Path, name: str) -> str | None:
    """The version that ``parent/name`` shows: a new one at each publication, None where there is none.

    A home that was copied by a program that knows no links has folders where links were. Such a
    folder is a version, too, by its own name; the next publication puts a link in its place.
    """
    path = parent / name
    try:
        return path.readlink().name
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        return name if path.is_dir() else None


def _sweep(parent: Path, name: str, *, keep: set[str | None]) -> None:
    """Remove old versions and abandoned drafts, links and files. Needs the parent's lock.

    What goes is renamed first: a reader who was overtaken finds nothing where he looks, never a folder
    half emptied.
    """
    with os.scandir(parent) as entries:
        for entry in entries:
            path = Path(entry)
            if entry.name.startswith(f"{SWAP_PREFIX}{name}."):
                _remove(path)
            elif entry.name.startswith(TEMPORARY_PREFIX):
                with suppress(FileNotFoundError):
                    if time.time() - entry.stat().st_mtime > ABANDONED_SECONDS:
                        path.unlink()
            elif entry.name.startswith(f".{name}.") and entry.name not in keep and not is_held(path):
                doomed = parent / f"{SWAP_PREFIX}{name}.{secrets.token_hex(8)}"
                path.rename(doomed)
                _remove(doomed)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _flush_file(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
