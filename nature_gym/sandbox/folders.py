"""The folders that boxes keep on the host while they run, and who owns each.

The idea: a box's folder says in ``owner.json`` which process started it (number and time of start) and which process
holds the box. When the owner is gone, whoever comes next may end what is left and remove the folder. All lie in one
folder that is the user's alone, whose path says nothing of any paper.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import shutil
import signal
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from nature_gym.errors import InfrastructureError
from nature_gym.sandbox import watching

OWNER = "owner.json"
_GONE_SECONDS = 5.0
_UNSIGNED_SECONDS = 60.0
"""A folder without an owner's name is somebody's who is about to write it, or died before; after this, the latter."""


def home() -> Path:
    """Where boxes keep their folders: on a disk, not in memory, and closed to others."""
    place = Path("/var/tmp") if os.access("/var/tmp", os.W_OK) else Path(os.environ.get("TMPDIR", "/tmp"))  # noqa: S108
    folder = place / f"boxes-{os.geteuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise InfrastructureError(
            f"{folder} is not a folder of yours alone.", hint="Remove it, or see who has made it: boxes live there."
        )
    return folder


def make(kind: str) -> Path:
    """A fresh folder, owned by this process."""
    folder = home() / f"{kind}-{secrets.token_hex(6)}"
    folder.mkdir(mode=0o700)
    sign(folder, None)
    return folder


def sign(folder: Path, holder: int | None) -> None:
    """Write whose the folder is, and which process (if any) holds the box."""
    owner = {"pid": os.getpid(), "start": watching.started_at(os.getpid())}
    if holder is not None:
        owner |= {"holder": holder, "holder_start": watching.started_at(holder)}
    draft = folder / f".{OWNER}"
    draft.write_text(json.dumps(owner), encoding="utf-8")
    draft.replace(folder / OWNER)


def abandoned(kind: str) -> Iterator[tuple[Path, int | None]]:
    """Folders whose owner is gone, each with the process that still holds its box, if one does."""
    for folder in home().glob(f"{kind}-*"):
        try:
            owner = json.loads((folder / OWNER).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            with suppress(OSError):
                if time.time() - folder.lstat().st_mtime > _UNSIGNED_SECONDS:
                    yield folder, None
            continue
        if watching.started_at(owner["pid"]) == owner["start"]:
            continue
        holder = owner.get("holder")
        lives = holder is not None and watching.started_at(holder) == owner["holder_start"]
        yield folder, holder if lives else None


def sweep(kind: str) -> int:
    """Remove folders whose owner is gone and in which no box lives; how many."""
    left = [folder for folder, _ in abandoned(kind)]
    for folder in left:
        remove(folder)
    return len(left)


def end(pid: int) -> None:
    """Kill a process and wait until it is gone; for the first one of a pid namespace, that is all of it."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        await_end(descriptor)
    finally:
        os.close(descriptor)


def await_end(descriptor: int) -> None:
    """Kill the process behind a descriptor and wait until it is gone."""
    with suppress(ProcessLookupError):
        signal.pidfd_send_signal(descriptor, signal.SIGKILL)
    if not is_gone(descriptor):
        raise InfrastructureError(
            "A process of a box does not end though it was killed.",
            hint="It waits for a disk or a device in the kernel; look at it with 'ps -o pid,stat,wchan'.",
        )


def is_gone(descriptor: int) -> bool:
    """Wait, for a while, for the end of the process behind a descriptor; whether it came."""
    return bool(select.select([descriptor], [], [], _GONE_SECONDS)[0])


def mounts_below(folder: Path) -> list[str]:
    """Where something is mounted in a folder, the last mounted first."""
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    return [place for line in reversed(lines) if (place := line.split()[4]).startswith(f"{folder}/")]


def remove(folder: Path) -> None:
    """Remove a folder with all that a command left in it, whatever rights it gave to that; never what is mounted."""
    if mounted := mounts_below(folder):
        raise InfrastructureError(f"{mounted[0]} is still mounted.", hint="Unmount it; its folder is left as it is.")

    def opened(function: Callable[[str], object], path: str, _: object) -> None:
        with suppress(OSError):
            os.chmod(os.path.dirname(path), 0o700)  # noqa: PTH101, PTH120
            if not os.path.islink(path):  # noqa: PTH114
                os.chmod(path, 0o700)  # noqa: PTH101
        if function in {os.open, os.scandir, os.rmdir}:
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                function(path)

    shutil.rmtree(folder, onerror=opened)
