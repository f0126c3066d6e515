"""Programs of others that are installed here, and how they get into a box.

The idea: a program that lies outside what a box sees (an installation below somebody's home) is mounted at a neutral
place, with the interpreter that its first line names; so the box learns nothing of the host's paths.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from nature_gym.sandbox.interface import Mount

PLACE = PurePosixPath("/opt/agent")
PACKAGES = "node_modules"
PROBE_SECONDS = 20.0
OF_EVERY_BOX = ("sh", "bash", "python3")
"""Interpreters that lie in every box, with their libraries."""
KEPT_VARIABLES = ("PATH", "LANG")


@dataclass(frozen=True, slots=True)
class Program:
    """``argv`` starts it inside a box that has ``mounts``."""

    argv: tuple[str, ...]
    mounts: tuple[Mount, ...] = ()


def find(name: str) -> Path | None:
    """Where a program lies here, links resolved; None where PATH has none."""
    found = shutil.which(name)
    return Path(found).resolve() if found else None


def placed(name: str, root: Path = Path("/usr")) -> Program:
    """How a program is started in a box. One that is not installed here is looked for on the box's own PATH."""
    path = find(name)
    if path is None or path.is_relative_to(root):
        return Program((name,))
    folder = _installation(path)
    # Packages of npm find each other by the name of the folder that holds them all.
    target = PLACE / (PACKAGES if folder.name == PACKAGES else "program")
    inside = target / path.relative_to(folder).as_posix()
    mounts = [Mount(folder, target)]
    interpreter = _interpreter(path)
    if not interpreter:
        return Program((str(inside),), tuple(mounts))
    own = find(interpreter)
    if own is None or own.is_relative_to(root) or interpreter in OF_EVERY_BOX:
        return Program((interpreter, str(inside)), tuple(mounts))
    mounts.append(Mount(own, PLACE / "interpreter" / own.name))
    return Program((str(PLACE / "interpreter" / own.name), str(inside)), tuple(mounts))


def version(name: str, environment: Mapping[str, str] | None = None) -> str:
    """What ``NAME --version`` says first, or '' where it says nothing. It gets no key of ours."""
    if find(name) is None:
        return ""
    kept = {one: os.environ[one] for one in KEPT_VARIABLES if one in os.environ}
    try:
        done = subprocess.run(
            [name, "--version"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PROBE_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**kept, **(environment or {})},
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = [one.strip() for one in done.stdout.splitlines() if one.strip()]
    return lines[-1][:200] if lines and done.returncode == 0 else ""


def _installation(path: Path) -> Path:
    """The folder that a program needs: that of all packages where it is one of npm's, its own otherwise."""
    for parent in path.parents:
        if parent.name == PACKAGES:
            return parent
    return path.parent


def _interpreter(path: Path) -> str:
    """The program that a script's first line names, or ''."""
    with path.open("rb") as file:
        first = file.readline(200)
    if not first.startswith(b"#!"):
        return ""
    words = first[2:].decode(errors="replace").split()
    names = [one for one in words if not one.startswith("-") and not one.endswith("/env")]
    return Path(names[0]).name if names else ""
