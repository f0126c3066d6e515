"""What an agent is given, in one word: the digest of a package's problem and environment.

Files that did not change are not read again (:mod:`nature_gym.kept`).
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from nature_gym.digests import BLOCK, PREFIX, digest_json
from nature_gym.kept import Kept
from nature_gym.packaging.package import Package, open_regular

GIVEN = ("problem", "environment")
KEPT_RULES = 1


def kept_digests(home: Path) -> Kept:
    """Where the digests of files are kept in a home."""
    return Kept(home / "trials" / "digests.sqlite", KEPT_RULES)


def task_digest(package: Package, kept: Kept | None = None) -> str:
    """The digest of what an agent is given. Raises OSError for a file that cannot be read."""
    return digest_json(_digests(package, GIVEN, kept))


def evaluation_digest(package: Package, kept: Kept | None = None) -> str:
    """The digest of the evaluator and its ground truth, as a trial's record has it."""
    found = _digests(package, ("evaluation",), kept)
    return digest_json({name.removeprefix("evaluation/"): digest for name, digest in found.items()})


def domain_of(package: Package) -> str:
    """A package's domain, as its metadata say it; '' where they do not."""
    told = package.metadata.get("domain_metadata")
    found = told.get("primary_domain") if isinstance(told, dict) else None
    return found if isinstance(found, str) else ""


def _digests(package: Package, folders: tuple[str, ...], kept: Kept | None) -> dict[str, str]:
    keys: dict[str, str] = {}
    for folder in folders:
        for name in package.below(folder):
            status = (package.path / name).lstat()
            keys[name] = f"{status.st_dev}:{status.st_ino}:{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}"
    known = kept.get(keys.values()) if kept is not None else {}
    found = {name: known.get(key) or _digest(package.path / name) for name, key in keys.items()}
    if kept is not None and (new := {key: found[name] for name, key in keys.items() if key not in known}):
        kept.put(new)
    return {os.fsencode(name).decode("utf-8", errors="backslashreplace"): digest for name, digest in found.items()}


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with open_regular(path) as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return PREFIX + digest.hexdigest()
