"""What a tree of processes uses, read from /proc and from the disk by whoever watches it from outside.

The idea: where no control group holds a tree, somebody has to look, and a look must stay cheap: a walk of the files is
made the rarer the longer it takes.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")


def tree(root: int) -> list[int]:
    """The process ``root`` and all that descend from it, as far as /proc tells now."""
    found = [root]
    for pid in found:
        with suppress(OSError):
            for thread in Path(f"/proc/{pid}/task").iterdir():
                found += map(int, (thread / "children").read_text(encoding="ascii").split())
    return found


def started_at(pid: int) -> str:
    """When a process began, in the kernel's ticks: with its number, this names a process for good. '' if gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def resident(pids: Iterable[int]) -> int:
    """Bytes of memory that processes hold for themselves; shared memory is a file system's, see :func:`used_of`."""
    total = 0
    for pid in pids:
        with suppress(OSError, IndexError, ValueError):
            fields = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
            total += (int(fields[1]) - int(fields[2])) * PAGE
    return total


def used_of(file_systems: Iterable[str]) -> int:
    """Bytes that are used of whole file systems (those that live in memory, in a box)."""
    total = 0
    for path in file_systems:
        with suppress(OSError):
            status = os.statvfs(path)
            total += (status.f_blocks - status.f_bfree) * status.f_frsize
    return total


def written_to(folders: Iterable[Path]) -> int:
    """Bytes on the disk under folders: links are not followed, a file with two names counts once."""
    seen: set[tuple[int, int]] = set()
    total = 0
    for status in _files(folders):
        if status.st_nlink > 1:
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
        total += status.st_blocks * 512
    return total


def nameless(pids: Iterable[int]) -> int:
    """Bytes on the disk in files that processes hold open after they were removed."""
    seen: dict[tuple[int, int], int] = {}
    for pid in pids:
        with suppress(OSError):
            for link in Path(f"/proc/{pid}/fd").iterdir():
                with suppress(OSError):
                    status = link.stat()
                    if stat.S_ISREG(status.st_mode) and not status.st_nlink:
                        seen[status.st_dev, status.st_ino] = status.st_blocks * 512
    return sum(seen.values())


def _files(folders: Iterable[Path]) -> Iterator[os.stat_result]:
    waiting: list[str] = [os.fspath(folder) for folder in folders]
    while waiting:
        path = waiting.pop()
        with suppress(OSError), os.scandir(path) as entries:
            for entry in entries:
                with suppress(OSError):
                    yield entry.stat(follow_symlinks=False)
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)


class Pace:
    """When to look again: not before ``least`` seconds, nor before ten times what the last look took."""

    def __init__(self, least: float) -> None:
        self._least = least
        self.next = 0.0

    def due(self, now: float) -> bool:
        """Whether it is time."""
        return now >= self.next

    def looked(self, began: float) -> None:
        """A look that began then is over."""
        now = time.monotonic()
        self.next = now + max(self._least, 10 * (now - began))
