"""Processes that look into files, from outside: each is replaced where it dies, or takes too long.

Such a process costs a second to start, for the libraries it reads with; so whoever has many folders to look into
keeps its processes from one to the next.
"""

from __future__ import annotations

import os
import queue
import select
import subprocess
import sys
import time
import weakref
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import orjson

_START_SECONDS = 60.0
_LONGEST_ANSWER = 4 << 20
_LOOKS = 500
"""Files after which a process is replaced: what libraries keep to themselves does not grow without end."""


class Inspectors:
    """Up to ``count`` processes, each started when it is first needed; several threads may share them.

    They end with the block that has them as its context, or else with this object.
    """

    def __init__(self, count: int, seconds: float) -> None:
        self._count = max(1, count)
        self._free: queue.LifoQueue[_Inspector] = queue.LifoQueue()  # one that runs goes before one that does not
        all_of_them = [_Inspector(seconds) for _ in range(self._count)]
        for inspector in all_of_them:
            self._free.put(inspector)
        weakref.finalize(self, _stop, all_of_them)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        for _ in range(self._count):
            self._free.get().stop()

    def look(self, paths: Sequence[Path]) -> list[dict[str, Any]]:
        """What is found in each file: the fields of an inventory's entry behind its digest.

        ``passing`` is true in an answer that may be another the next time: the process died, or took too long.
        """
        with ThreadPoolExecutor(self._count) as pool:
            return list(pool.map(self._look, paths))

    def _look(self, path: Path) -> dict[str, Any]:
        inspector = self._free.get()
        try:
            return inspector.look(path)
        finally:
            self._free.put(inspector)


class _Inspector:
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._looks = 0
        self._process: subprocess.Popen[bytes] | None = None

    def look(self, path: Path) -> dict[str, Any]:
        if self._looks >= _LOOKS:
            self.stop()
        process = self._running()
        if process is None:
            problem = f"its reader did not start within {_START_SECONDS:g} s"
            return {"format": "unknown", "readable": False, "problem": problem, "passing": True}
        self._looks += 1
        question = orjson.dumps({"path": os.fsencode(path).hex()}, option=orjson.OPT_APPEND_NEWLINE)
        try:
            if process.stdin is not None:
                process.stdin.write(question)
                process.stdin.flush()
            answer = _line(process, time.monotonic() + self._seconds)
        except BrokenPipeError:
            answer = b""
        if answer:
            found: dict[str, Any] = orjson.loads(answer)
            return found
        late = process.poll() is None
        self.stop()
        why = f"looking into it takes longer than {self._seconds:g} s" if late else "its reader crashed"
        return {"format": "unknown", "readable": False, "problem": why, "passing": late}

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()

    def _running(self) -> subprocess.Popen[bytes] | None:
        """The process, started where there is none; None where it does not come up, on a machine that is too busy."""
        if self._process is None or self._process.poll() is not None:
            self.stop()
            self._looks = 0
            self._process = subprocess.Popen(
                [sys.executable, "-m", "nature_gym.acquisition.inspector"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            )
            if not _line(self._process, time.monotonic() + _START_SECONDS):
                self.stop()  # its greeting would be taken for an answer
        return self._process


def _stop(inspectors: Iterable[_Inspector]) -> None:
    for inspector in inspectors:
        inspector.stop()


def _line(process: subprocess.Popen[bytes], deadline: float) -> bytes:
    """The next line that the process prints; empty where there is none in time."""
    if process.stdout is None:
        return b""
    descriptor = process.stdout.fileno()
    line = b""
    while not line.endswith(b"\n"):
        left = deadline - time.monotonic()
        if left <= 0 or len(line) > _LONGEST_ANSWER or not select.select([descriptor], [], [], left)[0]:
            return b""
        block = os.read(descriptor, 1 << 16)
        if not block:
            process.wait(10)
            return b""
        line += block
    return line
