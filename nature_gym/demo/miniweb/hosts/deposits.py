"""What data hosts share: the bodies of deposited files, their checksums and media types.

A file whose content is "too large to make" has zeros in its place and checksums that are
invented, but the same every time.
"""

from __future__ import annotations

import asyncio
import hashlib
import mimetypes
from collections.abc import Callable
from urllib.parse import quote

from starlette.responses import Response

from nature_gym.demo.miniweb.answers import Asked, Blob, blob_answer
from nature_gym.demo.miniweb.catalogue import Catalogue
from nature_gym.demo.miniweb.shelf import Shelf
from nature_gym.demo.model import Deposit, DepositFile


class DepositStore:
    """Deposits by host and number, and the content of their files."""

    def __init__(self, catalogue: Catalogue, shelf: Shelf) -> None:
        self._catalogue = catalogue
        self._shelf = shelf
        self._digests: dict[tuple[str, str, str, str], str] = {}
        self._learnt: set[tuple[str, ...]] = set()
        self._sizes: dict[tuple[str, str, str], int] = {}

    def get(self, host: str, number: str) -> Deposit | None:
        """The deposit with this number, whatever its state."""
        return self._catalogue.deposits.get((host, number))

    def newest(self, concept: str) -> Deposit | None:
        """The newest version of what a concept record stands for."""
        return self._catalogue.newest.get(concept)

    def of_host(self, host: str) -> list[Deposit]:
        """All deposits of a host."""
        return [deposit for (at, _), deposit in self._catalogue.deposits.items() if at == host]

    async def known(self, deposit: Deposit, *algorithms: str) -> None:
        """Make sizes and digests of a deposit's files known, in a thread, for :meth:`size` and :meth:`digest`."""
        key = (deposit.host, deposit.number, *algorithms)
        if key not in self._learnt:
            await asyncio.to_thread(self._learn, deposit, algorithms)
            self._learnt.add(key)

    def _learn(self, deposit: Deposit, algorithms: tuple[str, ...]) -> None:
        for file in deposit.files:
            self.size(deposit, file)
            for algorithm in algorithms:
                self.digest(deposit, file, algorithm)

    def size(self, deposit: Deposit, file: DepositFile) -> int:
        """The size that the host tells, in bytes."""
        key = (deposit.host, deposit.number, file.name)
        if key not in self._sizes:
            self._sizes[key] = file.size
        return self._sizes[key]

    def digest(self, deposit: Deposit, file: DepositFile, algorithm: str) -> str:
        """``md5``, ``sha1`` or ``sha256`` of a file; a git blob's hash for ``sha1``."""
        key = (deposit.host, deposit.number, file.name, algorithm)
        if key not in self._digests:
            self._digests[key] = _digest(file, algorithm)
        return self._digests[key]

    async def download(
        self, asked: Asked, deposit: Deposit, file: DepositFile, media_type: str | None = None
    ) -> Response:
        """The file itself, with ranges and validators."""
        make: Callable[[], bytes] = file.read
        made, etag = await self._shelf.get((deposit.host, deposit.number, file.name), make)
        if file.declared_size is not None:
            made, etag = Blob(made.head, file.declared_size), f'"{deposit.number}-{file.declared_size}"'
        told = {"content-disposition": f"attachment; filename*=UTF-8''{quote(file.name.rsplit('/', 1)[-1])}"}
        kind = media_type or media_type_of(file.name)
        return blob_answer(asked, made, kind, modified=deposit.published, etag=etag, headers=told)


def media_type_of(name: str) -> str:
    """The media type for a file's name."""
    guessed, encoding = mimetypes.guess_type(name)
    if encoding == "gzip":
        return "application/gzip"
    return guessed if guessed and encoding is None else "application/octet-stream"


def _digest(file: DepositFile, algorithm: str) -> str:
    if algorithm == "md5" and file.md5 is not None:
        return file.md5
    if file.declared_size is not None:
        told = f"{file.name} of {file.declared_size} bytes".encode()
        return hashlib.new(algorithm, told, usedforsecurity=False).hexdigest()
    content = file.read()
    if algorithm == "sha1":
        content = b"blob %d\0%s" % (len(content), content)
    return hashlib.new(algorithm, content, usedforsecurity=False).hexdigest()
