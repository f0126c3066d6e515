"""Control groups for a box that no engine makes: memory and processor time, kept by the kernel itself.

The idea: where we may make a group (root, in either version of the kernel's interface), the box's first program puts
itself into it before anything else runs; where we may not, there is no group and limits are watched from outside.

Sources: the kernel's Documentation/admin-guide/cgroup-v1/memory.rst, cgroup-v2.rst, scheduler/sched-bwc.rst.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from nature_gym.sandbox.interface import Limits

MOUNTED = Path("/sys/fs/cgroup")
NAME = "boxes"
_PERIOD = 100_000


@dataclass(frozen=True, slots=True)
class Group:
    """One box's group: a folder in each hierarchy that there is."""

    folders: tuple[Path, ...]

    @property
    def entrances(self) -> list[str]:
        """Files that take the number of a process that shall enter."""
        return [str(folder / "cgroup.procs") for folder in self.folders]

    def was_out_of_memory(self) -> bool:
        """Whether the kernel has ended a process of it for want of memory."""
        for folder in self.folders:
            for name in ("memory.events", "memory.oom_control"):
                with suppress(OSError):
                    told = re.search(r"^oom_kill (\d+)$", (folder / name).read_text(encoding="ascii"), re.MULTILINE)
                    if told and int(told[1]):
                        return True
        return False

    def remove(self) -> None:
        """Remove the group; one in which a process is ending is left to the next sweep."""
        for folder in self.folders:
            with suppress(OSError):
                folder.rmdir()


def made(name: str, limits: Limits) -> Group | None:
    """A fresh group with these limits, or None where none can be had."""
    quota = max(1000, int(limits.cpus * _PERIOD))
    if (MOUNTED / "cgroup.controllers").exists():
        wanted = {
            MOUNTED / NAME: {
                "memory.max": limits.memory_bytes,
                "memory.swap.max": 0,
                "cpu.max": f"{quota} {_PERIOD}",
            }
        }
    else:
        wanted = {
            MOUNTED / "memory" / NAME: {
                "memory.limit_in_bytes": limits.memory_bytes,
                "memory.memsw.limit_in_bytes": limits.memory_bytes,
            },
            MOUNTED / "cpu" / NAME: {"cpu.cfs_period_us": _PERIOD, "cpu.cfs_quota_us": quota},
        }
    group = Group(tuple(parent / name for parent in wanted))
    try:
        for parent, files in wanted.items():
            parent.mkdir(exist_ok=True)
            if (parent / "cgroup.subtree_control").exists():
                for place in (parent.parent, parent):
                    (place / "cgroup.subtree_control").write_text("+memory +cpu", encoding="ascii")
            (parent / name).mkdir()
            for file, value in files.items():
                if "sw" not in file or (parent / name / file).exists():  # swap may not be counted here
                    (parent / name / file).write_text(str(value), encoding="ascii")
    except OSError:
        group.remove()
        return None
    return group


def left(name: str) -> Group:
    """The group of a box that somebody else has made."""
    parents = (MOUNTED / NAME, MOUNTED / "memory" / NAME, MOUNTED / "cpu" / NAME)
    return Group(tuple(parent / name for parent in parents))
