"""Places for CPUs and GPUs, shared by all processes of a machine that use one home.

The idea: a slot is a file, and holding it is a lock on that file, which the kernel drops when the holder dies. Nobody
counts, so nothing can be left counted. A lease of GPUs on a machine that has none is an answer: the trial runs
without, and its record says so.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

FOLDER = "slots"
_SECONDS = 20


@dataclass(slots=True)
class Lease:
    """What a trial holds: numbers of slots. ``gpus`` is empty where the machine has none, or none was asked for."""

    cpus: tuple[int, ...] = ()
    gpus: tuple[int, ...] = ()
    _descriptors: list[int] = field(default_factory=list, repr=False)

    def release(self) -> None:
        """Give all back; a second time does nothing."""
        while self._descriptors:
            os.close(self._descriptors.pop())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()


class Slots:
    """The slots of a home: ``cpus`` trials at a time, and the GPUs with these numbers, a trial each."""

    def __init__(self, home: Path, *, cpus: int, gpus: Sequence[int] = ()) -> None:
        self._folder = home / FOLDER
        self.cpus, self.gpus = tuple(range(cpus)), tuple(gpus)

    def take(self, *, gpu: bool = False) -> Lease | str:
        """A lease of one CPU slot, with ``gpu`` of a GPU too; else what is lacking: ``cpu`` or ``gpu``."""
        lease = Lease()
        cpu = self._first_free("cpu", self.cpus, lease)
        if cpu is None:
            return "cpu"
        lease.cpus = (cpu,)
        if gpu and self.gpus:
            number = self._first_free("gpu", self.gpus, lease)
            if number is None:
                lease.release()
                return "gpu"
            lease.gpus = (number,)
        return lease

    def _first_free(self, kind: str, numbers: Sequence[int], lease: Lease) -> int | None:
        self._folder.mkdir(parents=True, exist_ok=True)
        for number in numbers:
            descriptor = os.open(self._folder / f"{kind}-{number}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            with suppress(BlockingIOError):
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                lease._descriptors.append(descriptor)  # noqa: SLF001 -- made here
                return number
            os.close(descriptor)
        return None


def gpus_here() -> list[int]:
    """The numbers of this machine's GPUs, as its driver lists them; none where there is no driver."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return []
    try:
        told = subprocess.run(
            [program, "--query-gpu=index", "--format=csv,noheader"],
            capture_output=True, text=True, timeout=_SECONDS, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return []
    return [int(line) for line in told.stdout.split() if line.isdigit()]
