"""What runs a command that nobody trusts, and what it promises.

Threat: the command wants the host's files, keys, network and other commands, wants to outlive its time, and wants to
fill disk, memory, process table and logs. What a back end does *not* keep from it is in its :class:`Isolation`,
and whoever uses its results says so.

A :class:`Box` is what a command sees: files, sockets, environment, limits. ``Sandbox.start`` makes one process tree in
a fresh box and gives a :class:`Running`; when that has ended, nothing of the tree is left. Two commands that shall
share files are started in boxes with the same writable mount.

Example::

    box = Box(mounts=(Mount(answers, PurePosixPath("/answers")),), limits=Limits(seconds=60))
    outcome = chosen_sandbox("auto").run(box, ["python", "/answers/check.py"])
    if outcome.ended is Ended.TIMED_OUT: ...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Literal, Protocol

from nature_gym.errors import InfrastructureError

WORKSPACE = PurePosixPath("/workspace")
"""Where a command starts unless its box says otherwise; fresh, writable and limited in size where none is mounted."""


@dataclass(frozen=True, slots=True)
class Mount:
    """A folder or file of the host, as the command sees it at ``target`` (absolute). A Unix socket is a mount too."""

    source: Path
    target: PurePosixPath
    writable: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on the whole tree of processes. Bytes are bytes; ``cpus`` may be a fraction."""

    seconds: float = 3600.0
    memory_bytes: int = 4 << 30
    cpus: float = 2.0
    processes: int = 512
    disk_bytes: int = 10 << 30
    """Of what is written to the box's own folders and writable mounts, in all."""
    open_files: int = 4096
    output_bytes: int = 1 << 20
    """Of each of stdout and stderr that is kept: the first half and the last half; what lies between is counted."""


@dataclass(frozen=True, slots=True)
class Box:
    """What a command sees. ``environment`` is all of its environment, beside PATH, HOME, LANG and TMPDIR (and PWD).

    ``image`` names a root file system: a Docker image, or for bubblewrap one that was unpacked before. Empty is the
    back end's default: for bubblewrap and process, this machine's /usr and the Python that runs us, read-only.
    """

    image: str = ""
    mounts: tuple[Mount, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: PurePosixPath = WORKSPACE
    limits: Limits = Limits()
    gpus: tuple[int, ...] = ()
    """Numbers, as the driver has them, of the GPUs that are shown: those of a lease. Inside they count from 0."""
    label: str = ""
    """Whose it is (a trial, a check): told in logs, never seen inside."""


class Ended(StrEnum):
    """How a command came to its end."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    DISK_FULL = "disk_full"
    STOPPED = "stopped"
    """By us: :meth:`Running.stop`."""


@dataclass(frozen=True, slots=True)
class Output:
    """What was kept of a stream, and how many bytes came in all."""

    kept: bytes = b""
    total: int = 0

    @property
    def text(self) -> str:
        """For people: bytes that are no UTF-8 are replaced."""
        return self.kept.decode("utf-8", errors="replace")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended. ``code`` is its exit status, 128 + the signal's number where a signal ended it."""

    ended: Ended
    code: int
    seconds: float
    stdout: Output = Output()
    stderr: Output = Output()

    @property
    def well(self) -> bool:
        """It ended by itself, with 0."""
        return self.ended is Ended.EXITED and self.code == 0


@dataclass(frozen=True, slots=True)
class Isolation:
    """What a back end keeps from a command: 'kept', 'partly' with the reason, or 'open' with the reason."""

    network: str
    files: str
    processes: str
    user: str
    memory: str
    disk: str
    comparable: bool
    """Whether scores that were made in it may stand beside others."""


class Running(Protocol):
    """A command under way."""

    def wait(self, timeout: float | None = None) -> Outcome | None:
        """Its outcome, or None if it runs on after ``timeout`` seconds. InfrastructureError if the back end fails."""

    def stop(self) -> Outcome:
        """End the whole tree now, and say how it stood."""


Stream = Callable[[Literal["stdout", "stderr"], bytes], None]
"""Called from one thread with each piece of output as it comes, also of what is not kept."""


class Sandbox(Protocol):
    """A back end. Safe to use from several threads and processes at once."""

    name: str

    def missing(self) -> str:
        """Why it cannot be used here (one sentence and what to do), or ''."""

    def lacks(self, image: str) -> str:
        """Why code of others cannot be run here with that image ('' for the usual one), or ''."""

    def isolation(self) -> Isolation:
        """What it keeps from a command here, as probed and not as hoped."""

    def start(self, box: Box, argv: Sequence[str], *, stdin: bytes = b"", stream: Stream | None = None) -> Running:
        """Start a command. Raises UsageError for a box that cannot be, InfrastructureError if the back end fails."""

    def run(self, box: Box, argv: Sequence[str], *, stdin: bytes = b"", stream: Stream | None = None) -> Outcome:
        """Start a command and wait for its end."""
        outcome = self.start(box, argv, stdin=stdin, stream=stream).wait()
        if outcome is None:
            raise InfrastructureError("A command that ended has no outcome.", hint="This is a defect of ours.")
        return outcome

    def sweep(self) -> int:
        """Remove what killed parents left behind (containers, process trees, folders); how many."""
