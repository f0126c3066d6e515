"""Digests: how inputs, outputs and stored files are named by their content.

Always SHA-256, always written ``sha256:<64 hex digits>``, so that a digest is recognisable
wherever it stands.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

PREFIX = "sha256:"
BLOCK = 1 << 20


def digest_bytes(content: bytes) -> str:
    """The digest of bytes in memory."""
    return PREFIX + hashlib.sha256(content).hexdigest()


def digest_json(value: Any) -> str:
    """The digest of a JSON value, the same for every order of its keys."""
    return digest_bytes(orjson.dumps(value, option=orjson.OPT_SORT_KEYS))


def digest_file(path: Path) -> str:
    """The digest of a file, read block by block."""
    with path.open("rb") as file:
        return PREFIX + hashlib.file_digest(file, "sha256").hexdigest()


def digest_folder(folder: Path) -> dict[str, str]:
    """Relative path -> digest for each regular file below ``folder``, links left out."""
    return {path.relative_to(folder).as_posix(): digest_file(path) for path in regular_files(folder)}


def regular_files(folder: Path) -> Iterator[Path]:
    """Every regular file below ``folder`` in a stable order, links neither followed nor given."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path
