"""A folder written anew and put in the place of the one before, in one step.

Threat: the name that somebody gives may be a folder of his own. So only a folder that has our mark, or an empty one, is
ever replaced; the new one is made beside it under a name of ours, and the two are exchanged by the kernel. Whoever
reads finds the old site or the new, and a process killed at any moment leaves one of them, and a draft that the next
one removes.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nature_gym.errors import UsageError
from nature_gym.files import Held, flush_folder, is_held

MARK = "report.json"
"""The file by which a folder is known as ours."""
DRAFT = "naturegym-report"
_AT_CWD, _EXCHANGE = -100, 2


@contextmanager
def replaced(out: Path) -> Iterator[Path]:
    """A new folder to fill, which takes the place of ``out`` when the block ends well, and is removed when it does not.

    Raises UsageError where ``out`` is something else than a report or an empty folder.
    """
    out = Path(os.path.abspath(out))  # noqa: PTH100 -- a link given as the place is not followed, but replaced or refused
    _check(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    _sweep(out)
    draft = out.parent / f".{out.name}.{DRAFT}.{secrets.token_hex(6)}"
    draft.mkdir()
    held = Held(draft)
    try:
        yield draft
        _flush(draft)
        _check(out)
        _put(draft, out)
        flush_folder(out.parent)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        held.release()


def _check(out: Path) -> None:
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise UsageError(f"{out} is not a folder", hint="Give --out a folder that does not exist yet.")
    if out.is_dir() and not (out / MARK).is_file() and any(out.iterdir()):
        raise UsageError(
            f"{out} has files in it that are not a report", hint="Give --out an empty folder, or one that is not there."
        )


def _put(draft: Path, out: Path) -> None:
    """Exchange the two; what was at ``out`` lies at ``draft`` then."""
    if not out.exists():
        draft.rename(out)
        return
    try:
        exchange = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        exchange = None
    if exchange is None or exchange(_AT_CWD, os.fsencode(draft), _AT_CWD, os.fsencode(out), _EXCHANGE) != 0:
        # A kernel or a file system that cannot exchange: for a moment there is no report.
        before = draft.with_name(f"{draft.name}.old")
        out.rename(before)
        draft.rename(out)
        before.rename(draft)


def _flush(folder: Path) -> None:
    """Force the folder to the disk, all at once where the system can: a site has thousands of files."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.sync()
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sweep(out: Path) -> None:
    """Remove drafts that a killed process left."""
    for path in out.parent.glob(f".{out.name}.{DRAFT}.*"):
        if path.is_dir() and not path.is_symlink() and not is_held(path):
            shutil.rmtree(path, ignore_errors=True)
