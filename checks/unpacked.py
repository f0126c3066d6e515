"""The content of a data file, unpacked where it is packed on its own (.gz, .bz2, .xz), within bounds."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import IO

from checks.package import read_bytes

_OPENERS: dict[str, Callable[[IO[bytes]], gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile]] = {
    ".gz": lambda file: gzip.GzipFile(fileobj=file),
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
}


def suffix_of(name: str) -> str:
    """The suffix that says what a file holds, that of its packing aside."""
    path = PurePosixPath(name)
    return PurePosixPath(path.stem).suffix if path.suffix in _OPENERS else path.suffix


def content_of(path: Path, limit: int) -> bytes:
    """At most ``limit`` bytes of what a regular file holds. Raises OSError, for what is badly packed as well."""
    content = read_bytes(path, limit)
    opener = _OPENERS.get(path.suffix)
    if opener is None:
        return content
    try:
        with opener(io.BytesIO(content)) as file:
            return file.read(limit)
    except (EOFError, zlib.error, lzma.LZMAError) as error:
        raise OSError(f"{path.name} cannot be unpacked: {error}") from error
