"""Requests that were refused, in the trial's folder: what somebody tried who is not answered.

Threat: an agent guesses tokens and paths, asks without end, and puts commands for a terminal into what it asks for.
Invariant: a refusal that is no attempt (those are in submissions.jsonl) leaves a line of ``refused.jsonl``, in ASCII
and cut short, up to a bound; neither a token nor a query is in it.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import orjson

FILE = "refused.jsonl"
LARGEST = 1 << 20
MOST_CHARACTERS = 200
_FULL = b'{"reason":"the log is full; later refusals are not in it"}\n'


class Refusals:
    """One trial's file of refusals. Safe to use from several threads."""

    def __init__(self, folder: Path, *, largest: int = LARGEST, now: Callable[[], float] = time.time) -> None:
        self._path, self._largest, self._now = folder / FILE, largest, now
        self._lock = threading.Lock()
        self._size = self._path.stat().st_size if self._path.exists() else 0

    def add(self, method: str, path: str, code: int, reason: str) -> None:
        """Write one down: what was asked, the answer's code, why. Raises OSError."""
        line = orjson.dumps(
            {"time": self._now(), "method": _plain(method), "path": _plain(path), "code": code, "reason": reason},
            option=orjson.OPT_APPEND_NEWLINE,
        )
        with self._lock:
            if self._size > self._largest:
                return
            self._size += len(line)
            content = _FULL if self._size > self._largest else line
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(self._path, flags, 0o644), "ab") as file:
                file.write(content)


def _plain(text: str) -> str:
    return text[:MOST_CHARACTERS].encode("ascii", "backslashreplace").decode().translate(_VISIBLE)[:MOST_CHARACTERS]


_VISIBLE = dict.fromkeys((*range(0x20), 0x7F), "?")
