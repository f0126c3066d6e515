"""A bare process of this machine: no isolation, so only when asked for by name, and never comparable.

The idea: what can be had without namespaces is had: a tree that is ended whole
(:mod:`~nature_gym.sandbox.supervise`), a clean environment, limits on time, output, open files and, by watching, on
memory and disk. There are no mounts: in the command and its environment, a mount's target is replaced by the
place on this machine, and what was to be read-only can be written.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.sandbox import folders, supervise, watching
from nature_gym.sandbox.interface import WORKSPACE, Box, Ended, Isolation, Mount, Running, Sandbox, Stream
from nature_gym.sandbox.keeping import Keeper
from nature_gym.sandbox.mounts import checked, environment


class Process(Sandbox):
    """The back end (:class:`~nature_gym.sandbox.interface.Sandbox`)."""

    name = "process"

    def missing(self) -> str:
        """Why it cannot be used here, or ''."""
        return (
            "" if sys.platform.startswith("linux") else "Trees of processes are held on Linux alone; use Docker here."
        )

    def lacks(self, image: str) -> str:
        """A bare process has no image."""
        return "A bare process has no image." if image else ""

    def isolation(self) -> Isolation:
        """What it keeps from a command: nearly nothing."""
        return Isolation(
            network="open: the command uses this machine's network",
            files="open: the command reads and writes whatever you can",
            processes="open: the command sees and may end your processes",
            user="open: the command is you",
            memory="partly: watched from outside, so for a moment it can be passed",
            disk="partly: watched from outside in its own folders alone",
            comparable=False,
        )

    def start(self, box: Box, argv: Sequence[str], *, stdin: bytes = b"", stream: Stream | None = None) -> Running:
        """Start a command, unguarded."""
        if self.missing():
            raise InfrastructureError(self.missing(), hint="'naturegym sandbox doctor' says what works here.")
        if box.image:
            raise UsageError("A bare process has no image.", hint="Leave it empty, or use Docker.")
        return Keeper(_Tree(box, checked(box, argv), argv), box.limits, name=box.label, stdin=stdin, stream=stream)

    def sweep(self) -> int:
        """End trees whose owner was killed (they end by themselves, too), and remove their folders."""
        count = 0
        for folder, holder in folders.abandoned(self.name):
            if holder is not None:
                _ended(holder)
            folders.remove(folder)
            count += 1
        return count


class _Tree:
    """One command (:class:`~nature_gym.sandbox.keeping.Tree`)."""

    def __init__(self, box: Box, mounts: list[Mount], argv: Sequence[str]) -> None:
        self._box = box
        self._mounts = mounts
        self._argv = argv
        self._folder: Path | None = None
        self._written = [mount.source for mount in mounts if mount.writable]
        self._before = 0
        self._supervisor = 0
        self._pace = watching.Pace(0.5)

    def begin(self) -> subprocess.Popen[bytes]:
        self._folder = folder = folders.make("process")
        for name in ("workspace", "tmp"):
            (folder / name).mkdir()
            self._written.append(folder / name)
        own = [Mount(folder / "tmp", PurePosixPath("/tmp"), writable=True)]  # noqa: S108
        if not any(mount.target == WORKSPACE for mount in self._mounts):
            own.append(Mount(folder / "workspace", WORKSPACE, writable=True))
        self._before = watching.written_to(self._written)
        here = _Places([*self._mounts, *own])
        limits = self._box.limits
        specification = folder / "specification.json"
        specification.write_text(
            json.dumps(
                {
                    "parent": os.getpid(),
                    "limits": {
                        "RLIMIT_NOFILE": limits.open_files,
                        "RLIMIT_FSIZE": limits.disk_bytes,
                        "RLIMIT_CORE": 0,
                    },
                    "folder": here.put(str(self._box.folder)),
                    "argv": [here.put(part) for part in self._argv],
                    "environment": {
                        name: value if name == "PATH" else here.put(value)
                        for name, value in environment(
                            self._box, f"{sys.prefix}/bin:/usr/local/bin:/usr/bin:/bin"
                        ).items()
                    },
                }
            ),
            encoding="utf-8",
        )
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", supervise.__file__, str(specification)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={},
            cwd="/",
            start_new_session=True,
        )
        self._supervisor = process.pid
        folders.sign(folder, process.pid)
        return process

    def under_way(self) -> None:
        """It is from its first moment."""

    def over(self) -> Ended | None:
        now = time.monotonic()
        pids = watching.tree(self._supervisor)[1:]
        if watching.resident(pids) > self._box.limits.memory_bytes:
            return Ended.OUT_OF_MEMORY
        if self._pace.due(now):
            written = watching.written_to(self._written) - self._before + watching.nameless(pids)
            self._pace.looked(now)
            if written > self._box.limits.disk_bytes:
                return Ended.DISK_FULL
        return None

    def kill(self) -> None:
        if self._supervisor:
            _ended(self._supervisor)

    def ending(self, code: int, stderr: bytes) -> tuple[Ended, int]:  # noqa: ARG002 -- others look at it
        if code == 128 + signal.SIGXFSZ:
            return Ended.DISK_FULL, code
        return (Ended.SIGNALLED if 128 < code <= 192 else Ended.EXITED), code

    def close(self) -> None:
        if self._folder is not None:
            folders.remove(self._folder)


class _Places:
    """Puts the places on this machine for the targets of mounts, the longest first."""

    def __init__(self, mounts: Sequence[Mount]) -> None:
        self._sources = {str(mount.target): str(mount.source) for mount in mounts}
        targets = sorted(self._sources, key=len, reverse=True)
        self._pattern = re.compile(rf"(?<![\w./-])({'|'.join(map(re.escape, targets))})(?![\w.-])")

    def put(self, text: str) -> str:
        """``text`` with each whole path of a target replaced."""
        return self._pattern.sub(lambda match: self._sources[match[1]], text)


def _ended(supervisor: int) -> None:
    """Have a supervisor end its tree, and wait for it; if the command has stopped the supervisor, do it from here."""
    try:
        descriptor = os.pidfd_open(supervisor)
    except ProcessLookupError:
        return
    try:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(descriptor, signal.SIGTERM)
            signal.pidfd_send_signal(descriptor, signal.SIGCONT)
        if not folders.is_gone(descriptor):
            for pid in reversed(watching.tree(supervisor)):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
    finally:
        os.close(descriptor)
