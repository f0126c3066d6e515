"""Visible files that the firewall cannot look into, told to whoever builds: what nobody read may hold anything.

The idea: a packed file says in its first bytes what it is. Those that are opened are opened; of the others, and of
archives that are locked, only the packed bytes were searched, and that is said.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from nature_gym.digests import regular_files

HEADS = {
    b"7z\xbc\xaf\x27\x1c": "a 7z archive", b"Rar!\x1a\x07": "a RAR archive", b"\x04\x22\x4d\x18": "packed by LZ4",
    b"\x1f\x9d": "packed by compress", b"LZIP": "packed by lzip", b"\x5d\x00\x00": "packed by LZMA",
    b"MSCF": "a cabinet", b"\x89LZO": "packed by LZO", b"hsqs": "a SquashFS image", b"\xff\x06\x00\x00sNaPpY": "Snappy",
}  # fmt: skip
SUFFIXES = {
    ".7z": "a 7z archive", ".rar": "a RAR archive", ".lz4": "packed by LZ4", ".lz": "packed by lzip",
    ".lzma": "packed by LZMA", ".z": "packed by compress", ".br": "packed by Brotli", ".sz": "packed by Snappy",
    ".lzo": "packed by LZO", ".arj": "an ARJ archive", ".lzh": "an LHA archive", ".cab": "a cabinet",
    ".dmg": "a disk image", ".gpg": "encrypted", ".enc": "encrypted", ".age": "encrypted",
    ".rds": "packed by R", ".rda": "packed by R", ".rdata": "packed by R",
}  # fmt: skip
_OPENED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")
"""What R writes is packed by one of these, and then looked into."""


def not_looked_into(folder: Path) -> Iterator[str]:
    """A sentence for each file below ``folder`` that is, or holds, what cannot be looked into."""
    for path in regular_files(folder):
        name = path.relative_to(folder.parent).as_posix()
        with path.open("rb") as file:
            head = file.read(16)
        if head.startswith(b"PK"):
            yield from _of_zip(path, name)
        elif kind := _kind(head, PurePosixPath(name).suffix.lower()):
            yield f"{name} is {kind}: what it holds was not searched for the paper, its method and the answers"


def _kind(head: bytes, suffix: str) -> str:
    if head.startswith(_OPENED):
        return ""
    by_head = next((kind for start, kind in HEADS.items() if head.startswith(start)), "")
    return by_head or (SUFFIXES.get(suffix, "") if head else "")


def _of_zip(path: Path, name: str) -> Iterator[str]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError):
        yield f"{name} begins like a zip archive and cannot be opened: what it holds was not searched"
        return
    if any(member.flag_bits & 1 for member in members):
        yield f"{name} is locked by a password: what it holds was not searched"
    for member in members:
        if kind := SUFFIXES.get(PurePosixPath(member.filename).suffix.lower()):
            yield f"{name}!{member.filename} is {kind}: what it holds was not searched"
