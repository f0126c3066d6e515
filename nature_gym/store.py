"""The content-addressed store: downloaded bytes, kept once however many papers use them.

A file's name is its digest, so it can be written by two processes at once, shared by hard
link, and checked at any time. Files are read-only once they are in.

    store/sha256/3f/3fa0...e1    the bytes
    store/incoming/              downloads in the making
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from nature_gym.digests import PREFIX, digest_file
from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.files import Held, exclusive, flush_folder, is_held


@dataclass(frozen=True, slots=True)
class Stored:
    """What came in: ``digest`` (``sha256:...``) and ``size`` in bytes."""

    digest: str
    size: int


class Store:
    """The store under ``root``. Objects of this class hold no state; make as many as you like."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._incoming = root / "incoming"

    def path(self, digest: str) -> Path:
        """Where the bytes of ``digest`` are, or would be. Raises UsageError for what is no digest."""
        hexadecimal = digest.removeprefix(PREFIX)
        if not digest.startswith(PREFIX) or len(hexadecimal) != 64 or not set(hexadecimal) <= set("0123456789abcdef"):
            raise UsageError(f"{digest!r} is not a digest", hint="Digests are written sha256: and 64 hex digits.")
        return self.root / "sha256" / hexadecimal[:2] / hexadecimal

    def __contains__(self, digest: str) -> bool:
        return self.path(digest).is_file()

    def put(self, blocks: Iterable[bytes]) -> Stored:
        """Take in bytes block by block, in memory of one block.

        What ``blocks`` raises passes through; then nothing is left of what had come in.
        """
        self._incoming.mkdir(parents=True, exist_ok=True)
        temporary = self._incoming / secrets.token_hex(12)
        hasher = hashlib.sha256()
        size = 0
        try:
            # Made and locked under the store's lock, or a sweep in between could take it for abandoned.
            with exclusive(self.root / ".lock"):
                temporary.touch(exist_ok=False)
                held = Held(temporary)
            with temporary.open("wb") as file:
                try:
                    for block in blocks:
                        hasher.update(block)
                        size += len(block)
                        file.write(block)
                    file.flush()
                    os.fsync(file.fileno())
                finally:
                    held.release()
            stored = Stored(PREFIX + hasher.hexdigest(), size)
            self._keep(temporary, self.path(stored.digest))
        finally:
            temporary.unlink(missing_ok=True)
        return stored

    def put_bytes(self, content: bytes) -> Stored:
        return self.put((content,))

    def put_file(self, path: Path) -> Stored:
        with path.open("rb") as file:
            return self.put(iter(lambda: file.read(1 << 20), b""))

    def adopt(self, path: Path) -> Stored:
        """Take in the file at ``path``, which moves; it must be on the store's own file system."""
        with path.open("rb+") as file:
            os.fsync(file.fileno())
        stored = Stored(digest_file(path), path.stat().st_size)
        self._keep(path, self.path(stored.digest))
        path.unlink(missing_ok=True)
        return stored

    def read(self, digest: str) -> bytes:
        """The bytes of ``digest``. Raises InfrastructureError where the store lacks them."""
        try:
            return self.path(digest).read_bytes()
        except FileNotFoundError:
            raise InfrastructureError(
                f"{digest} is not in the store at {self.root}",
                hint="Re-run the stage that fetched it; it comes back under the same digest.",
            ) from None

    def link(self, digest: str, target: Path) -> None:
        """Make ``target`` the stored file: a hard link where the file system allows, else a copy."""
        source = self.path(digest)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source, target)
        except FileNotFoundError:
            self.read(digest)
            raise
        except OSError:
            shutil.copyfile(source, target)

    def digests(self) -> Iterator[str]:
        """Every digest in the store, in order."""
        for path in sorted((self.root / "sha256").glob("??/*")):
            yield PREFIX + path.name

    def damaged(self) -> Iterator[str]:
        """The digests whose bytes are no longer theirs. Reads everything."""
        for digest in self.digests():
            if digest_file(self.path(digest)) != digest:
                yield digest

    def sweep(self) -> int:
        """Remove downloads whose writer died; how many there were."""
        removed = 0
        with exclusive(self.root / ".lock"):
            for path in self._incoming.glob("*"):
                if not is_held(path):
                    with suppress(FileNotFoundError):
                        path.unlink()
                        removed += 1
        return removed

    def _keep(self, temporary: Path, final: Path) -> None:
        final.parent.mkdir(parents=True, exist_ok=True)
        if final.is_file():
            return
        temporary.chmod(0o444)
        temporary.rename(final)
        flush_folder(final.parent)
