"""Folders by content: what was cloned or unpacked, kept once however many papers use it.

A tree is a folder that never changes once it is there, named by the digest of its listing. So what a killed process
left is either whole or has no name, equal sources are one folder, and papers point at it by links::

    trees/sha256/3f/3fa0...e1/    the files
    trees/receipts/5c0d...json    what a source gave: the tree, and what was noted on the way
    trees/incoming/               trees in the making
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from nature_gym.digests import digest_file, digest_json
from nature_gym.files import Held, exclusive, flush_folder, is_held, to_json, write_atomically

_THREADS = 8


def listed(folder: Path) -> Iterator[Path]:
    """Every regular file below ``folder``, in a stable order; links are neither followed nor given."""
    for above, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(above, name)
            if path.is_file() and not path.is_symlink():
                yield path


def shown_path(path: Path, folder: Path) -> str:
    """A file's path within ``folder`` as text, bytes that are no UTF-8 as ``\\xNN``."""
    return os.fsencode(path.relative_to(folder)).decode("utf-8", "backslashreplace")


class Trees:
    """The trees under ``root``. Objects hold no state."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._incoming = root / "incoming"

    def path(self, digest: str) -> Path:
        """Where the tree ``digest`` is, or would be."""
        name = digest.removeprefix("sha256:")
        return self.root / "sha256" / name[:2] / name

    def __contains__(self, digest: str) -> bool:
        return self.path(digest).is_dir()

    @contextmanager
    def draft(self) -> Iterator[Path]:
        """A folder to fill, on the file system of the trees; gone when the block is left, unless it was put."""
        self._incoming.mkdir(parents=True, exist_ok=True)
        self._sweep()
        with exclusive(self.root / ".lock"):
            folder = self._incoming / secrets.token_hex(12)
            folder.mkdir()
            held = Held(folder)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            held.release()

    def put(self, folder: Path) -> str:
        """Make ``folder``, a draft or a folder in one, a tree; its digest."""
        files = list(listed(folder))
        with ThreadPoolExecutor(_THREADS) as pool:
            digests = list(pool.map(_settle, files))
        listing = {
            shown_path(path, folder): [digest, os.access(path, os.X_OK)]
            for path, digest in zip(files, digests, strict=True)
        }
        digest = digest_json(listing)
        target = self.path(digest)
        if not target.is_dir():
            target.parent.mkdir(parents=True, exist_ok=True)
            for above, _, _ in os.walk(folder):
                flush_folder(Path(above))
            try:
                folder.rename(target)
            except OSError:
                if not target.is_dir():  # somebody else was faster
                    raise
            flush_folder(target.parent)
        return digest

    def receipt(self, key: str) -> Any | None:
        """What was kept under ``key`` (a digest), where its tree is still there."""
        try:
            value = orjson.loads(self._receipt_path(key).read_bytes())
        except (FileNotFoundError, orjson.JSONDecodeError):
            return None
        return value if isinstance(value, dict) and str(value.get("tree")) in self else None

    def keep_receipt(self, key: str, value: dict[str, Any]) -> None:
        """Keep ``value``, which names a ``tree``, under ``key``."""
        write_atomically(self._receipt_path(key), to_json(value))

    def _receipt_path(self, key: str) -> Path:
        name = key.removeprefix("sha256:")
        return self.root / "receipts" / name[:2] / f"{name[2:]}.json"

    def _sweep(self) -> None:
        """Remove what killed processes left."""
        with exclusive(self.root / ".lock"):
            for path in self._incoming.glob("*"):
                if not is_held(path):
                    shutil.rmtree(path, ignore_errors=True)


def _settle(path: Path) -> str:
    """A file's digest, once it is on the disk and read-only."""
    status = path.stat()
    if status.st_mode & 0o222:
        path.chmod(0o555 if status.st_mode & 0o100 else 0o444)
    digest = digest_file(path)
    if status.st_nlink == 1:  # the store's own were flushed when they came
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    return digest
