"""Turns at a host: one request at a time, no faster than agreed, and none while the host wants to be left alone.

What is known of a host lies in a small file under a lock that the kernel drops when its holder dies. So
threads, processes, and the next run all keep to the same pace, and a host that said "in ten
hours" is not asked again by anybody before that.
"""

from __future__ import annotations

import datetime as dt
import fcntl
import os
import re
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from nature_gym.errors import InfrastructureError

_STATE = struct.Struct("<dd")
"""When it was written, and when the host may be asked next; both in seconds of the clock on the wall."""
_SKEW = 60.0


class ComeBackLaterError(InfrastructureError):
    """A host asked to be left alone for longer than ``max_wait``."""

    def __init__(self, host: str, seconds: float, max_wait: float) -> None:
        self.host = host
        self.when = dt.datetime.now().astimezone() + dt.timedelta(seconds=seconds)
        super().__init__(
            f"{host} asks to be left alone until {self.when:%Y-%m-%d %H:%M}, "
            f"which is longer than the {max_wait:,.0f} s allowed (max_wait)",
            hint=f"Run the same command again after {self.when:%Y-%m-%d %H:%M}; it goes on where it stopped.",
        )


class Turn:
    """A caller's turn at a host. ``rest`` is for what the host asks after its answer."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def rest(self, seconds: float) -> None:
        """Nobody asks this host again for so long."""
        self.seconds = max(self.seconds, seconds)


class Hosts:
    """The turns of every host, kept below ``folder``. Objects hold no state; make as many as you like."""

    def __init__(
        self,
        folder: Path,
        per_second: float,
        max_wait: float,
        *,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        self._folder = folder
        self._gap = 1 / per_second
        self._max_wait = max_wait
        self._clock = clock
        self._sleep = sleep

    @contextmanager
    def turn(self, host: str, *, gap: float = 0.0) -> Iterator[Turn]:
        """Ask ``host`` inside the block, when it is this caller's turn.

        ``gap`` is what the host wants between two requests, where that is more than we leave by ourselves. Raises
        ComeBackLaterError, at once, where the host wants to be left alone for longer than our patience lasts.
        """
        descriptor = self._open(host)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            self._wait(host, descriptor)
            began = self._clock()
            turn = Turn()
            try:
                yield turn
            finally:
                now = self._clock()
                following = max(began + max(self._gap, min(gap, self._max_wait)), now + turn.seconds)
                os.pwrite(descriptor, _STATE.pack(now, following), 0)
        finally:
            os.close(descriptor)

    def rest(self, host: str, seconds: float) -> None:
        """Nobody asks ``host`` again for so long: for callers that left their turn before the answer came."""
        descriptor = self._open(host)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            now = self._clock()
            state = os.pread(descriptor, _STATE.size, 0)
            known = _STATE.unpack(state)[1] if len(state) == _STATE.size else 0.0
            os.pwrite(descriptor, _STATE.pack(now, max(known, now + seconds)), 0)
        finally:
            os.close(descriptor)

    def _open(self, host: str) -> int:
        path = self._folder / re.sub(r"[^a-z0-9.:-]", "_", host.lower())[:200]
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        try:
            return os.open(path, flags, 0o644)
        except FileNotFoundError:
            self._folder.mkdir(parents=True, exist_ok=True)
            return os.open(path, flags, 0o644)

    def _wait(self, host: str, descriptor: int) -> None:
        state = os.pread(descriptor, _STATE.size, 0)
        if len(state) < _STATE.size:
            return
        written, following = _STATE.unpack(state)
        now = self._clock()
        if written > now + _SKEW:
            return  # the clock was set back: what it says of the future means nothing
        seconds = following - now
        if seconds > self._max_wait:
            raise ComeBackLaterError(host, seconds, self._max_wait)
        if seconds > 0:
            (self._sleep or time.sleep)(seconds)
