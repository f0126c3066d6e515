"""The workspace's source at an attempt: what a judge reads to see how a score was earned.

Threat: as for answers (:mod:`nature_gym.evaluation.intake`); what is not fit is left out here and named, for a snapshot
never refuses an answer. The idea: each text is kept once in a trial, by its digest, so that a hundred attempts with
the same program cost one copy of it, and a file that did not change is not read again.
"""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = "sources"
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_SKIPPED = frozenset({
    ".git", "__pycache__", "node_modules", ".venv", "venv", ".cache", ".ipynb_checkpoints", "site-packages",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class SourceLimits:
    """Bounds on one snapshot. Bytes are bytes; ``entries`` counts what is looked at, ``files`` what is kept."""

    file_size: int = 1 << 20
    size: int = 32 << 20
    files: int = 2_000
    entries: int = 20_000
    depth: int = 12


@dataclass(slots=True)
class Snapshot:
    """``files``: relative path -> digest; ``left_out``: relative path -> why; ``complete``: all was looked at."""

    files: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    complete: bool = True
    size: int = 0
    entries: int = 0

    def as_json(self) -> dict[str, object]:
        """As the attempt's folder has it."""
        return {"files": self.files, "left_out": self.left_out, "complete": self.complete}


class SourceKeeper:
    """Snapshots of one workspace, into ``folder`` by digest. Not for several threads at once."""

    def __init__(self, workspace: Path, folder: Path, skip: str, limits: SourceLimits = SourceLimits()) -> None:
        self._workspace, self._folder, self._skip, self._limits = workspace, folder, skip, limits
        self._known: dict[str, tuple[tuple[int, ...], str]] = {}

    def snapshot(self) -> Snapshot:
        """Keep the texts that the workspace holds now. The folder of answers is skipped."""
        found = Snapshot()
        try:
            folder = os.open(self._workspace, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError:
            found.complete = False
            return found
        try:
            self._look(folder, "", found)
        finally:
            os.close(folder)
        self._known = {name: mark for name, mark in self._known.items() if name in found.files}
        return found

    def _look(self, folder: int, above: str, found: Snapshot) -> None:
        names = []
        with os.scandir(folder) as entries:
            for entry in entries:
                found.entries += 1
                if found.entries > self._limits.entries:
                    found.complete = False
                    break
                names.append(entry.name)
        for name in sorted(names):
            if name in _SKIPPED or (not above and name == self._skip):
                continue
            if not name.isprintable():
                found.complete = False
                continue
            try:
                self._look_at(folder, name, f"{above}{name}", found)
            except OSError:
                found.left_out[f"{above}{name}"] = "cannot be read"

    def _look_at(self, folder: int, name: str, shown: str, found: Snapshot) -> None:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISDIR(status.st_mode):
            if shown.count("/") + 1 >= self._limits.depth:
                found.left_out[shown] = "nested too deep"
                return
            inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
            try:
                self._look(inner, f"{shown}/", found)
            finally:
                os.close(inner)
        elif not stat.S_ISREG(status.st_mode):
            found.left_out[shown] = "not a regular file"
        elif status.st_size > self._limits.file_size:
            found.left_out[shown] = f"{status.st_size} bytes"
        elif found.size + status.st_size > self._limits.size or len(found.files) >= self._limits.files:
            found.left_out[shown] = "beyond what one snapshot holds"
            found.complete = False
        else:
            self._keep(folder, name, shown, status, found)

    def _keep(self, folder: int, name: str, shown: str, status: os.stat_result, found: Snapshot) -> None:
        mark = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        known = self._known.get(shown)
        if known is not None and known[0] == mark:
            found.files[shown] = known[1]
            found.size += status.st_size
            return
        descriptor = os.open(name, _OPEN, dir_fd=folder)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                found.left_out[shown] = "not a regular file"
                return
            with os.fdopen(os.dup(descriptor), "rb") as file:
                content = file.read(self._limits.file_size + 1)
        finally:
            os.close(descriptor)
        if b"\0" in content[:8192] or len(content) > self._limits.file_size:
            found.left_out[shown] = "not a text"
            return
        digest = hashlib.sha256(content).hexdigest()
        self._put(digest, content)
        self._known[shown] = (mark, digest)
        found.files[shown] = digest
        found.size += len(content)

    def _put(self, digest: str, content: bytes) -> None:
        """Keep a text under its digest; complete or not at all."""
        path = self._folder / digest[:2] / digest
        if path.exists():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".tmp.{digest}.{os.getpid()}")
        temporary.write_bytes(content)
        temporary.rename(path)
