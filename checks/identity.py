"""What a package is, in one word: a digest that another state of it has another of.

Files are named by their contents; of those that are larger than :data:`LARGEST`, size and time of the last change count
instead, so that a package of many gigabytes is known in seconds. A copy of such a file counts as another one, and is
checked again: the error that costs minutes, not the one that lets something through.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from checks.package import CheckedPackage
from nature_gym.digests import BLOCK, PREFIX, digest_json
from nature_gym.kept import Kept

LARGEST = 64 << 20


def package_digest(package: CheckedPackage, kept: Kept | None = None) -> str:
    """The digest of all that is in a package, links and the like by their kind. ``kept`` spares reading files again."""
    told: dict[str, str] = {}
    keys: dict[str, str] = {}
    for name, entry in package.entries.items():
        if entry.kind != "file":
            told[_plain(name)] = entry.kind
            continue
        try:
            status = (package.path / name).lstat()
        except OSError:
            told[_plain(name)] = "gone"
            continue
        if status.st_size > LARGEST:
            told[_plain(name)] = f"{status.st_size}:{status.st_mtime_ns}"
        else:
            keys[name] = f"{status.st_dev}:{status.st_ino}:{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}"
    known = kept.get(keys.values()) if kept is not None else {}
    found = {name: known.get(key) or _digest(package.path / name) for name, key in keys.items()}
    if kept is not None:
        kept.put({key: found[name] for name, key in keys.items() if key not in known})
    return digest_json(told | {_plain(name): digest for name, digest in found.items()})


def _plain(name: str) -> str:
    return os.fsencode(name).decode("utf-8", errors="backslashreplace")


def _digest(path: Path) -> str:
    """The digest of a regular file; what cannot be read is named by the reason."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return f"unreadable: {error.strerror}"
    digest, left = hashlib.sha256(), LARGEST
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return "not a regular file"
        while left > 0 and (block := file.read(min(BLOCK, left))):
            digest.update(block)
            left -= len(block)
    return PREFIX + digest.hexdigest()
