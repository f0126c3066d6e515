"""Read-only folders under neutral names for an engine: so that no path of the host gives a paper away inside.

The idea: where we are root, :mod:`~nature_gym.sandbox.launch` puts an overlay of each folder into one of ours, with
owners mapped to the box's user, and the engine mounts that. The mount table in a container then names our folder.
What is put there can only be read, so that removing it can never remove what it shows.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path

from nature_gym.errors import InfrastructureError
from nature_gym.sandbox import folders, launch
from nature_gym.sandbox.interface import Mount

KIND = "docker"
_MNT_DETACH = 2
_SECONDS = 60


def can_be_had() -> bool:
    """Only root may mount where an engine sees it."""
    return os.geteuid() == 0


def put(mounts: list[Mount], user: int) -> tuple[Path, list[Mount]]:
    """A folder with the read-only folders of ``mounts``, and the mounts with their new sources."""
    folder = folders.make(KIND)
    place = folder / "m"
    place.mkdir()
    stages = [
        {"name": str(number), "source": str(mount.source), "writable": False, "overlay": True}
        for number, mount in enumerate(mounts)
        if _is_hidden(mount)
    ]
    specification = folder / "specification.json"
    specification.write_text(json.dumps({"place": str(place), "uid": user, "stages": stages}), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-S", launch.__file__, str(specification)],
        capture_output=True,
        text=True,
        env={},
        timeout=_SECONDS,
        check=False,
    )
    if done.returncode:
        take_away(folder)
        raise InfrastructureError(f"Folders cannot be put ready: {done.stderr.strip()}", hint="See the kernel's log.")
    found = [
        Mount((place / str(number)).resolve(), mount.target) if _is_hidden(mount) else mount
        for number, mount in enumerate(mounts)
    ]
    return folder, found


def take_away(folder: Path) -> None:
    """Unmount what is in the folder and remove it."""
    libc = ctypes.CDLL(None, use_errno=True)
    for place in folders.mounts_below(folder):
        libc.umount2(os.fsencode(place), _MNT_DETACH)
    folders.remove(folder)


def sweep() -> int:
    """Take away what killed owners left; how many."""
    left = [folder for folder, _ in folders.abandoned(KIND)]
    for folder in left:
        take_away(folder)
    return len(left)


def _is_hidden(mount: Mount) -> bool:
    return not mount.writable and (mount.source.is_dir() or mount.source.is_file())
